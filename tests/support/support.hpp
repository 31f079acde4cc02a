// support.hpp -- what many tests need: scratch folders, the built program, real data where it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::test {

/// Whether a sanitizer watches: it has other words for most faults, other limits and memory of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// A folder of its own, removed with everything in it at the end of the test.
class ScratchFolder {
public:
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ScratchFolder(ScratchFolder&&) = delete;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const
    {
        return path_ / name;
    }

    /// Writes a file below the folder, making its parents, and returns its path.
    // NOLINTNEXTLINE(modernize-use-nodiscard): most know the path
    std::filesystem::path write(std::string_view name, std::string_view bytes) const;

private:
    std::filesystem::path path_;
};

/// Root of the source tree, and of the build tree (where `senteval` and `plugins/` are).
std::filesystem::path source_dir();
std::filesystem::path binary_dir();

/// The folder of real datasets, vectors and reference results: $SENTEVAL_SHARED, else ../shared
/// beside the source tree. Nothing where it is absent: such a test prints "skipped" and returns.
std::optional<std::filesystem::path> shared_dir();

/// shared_dir()/relative where it exists; otherwise prints "skipped: ..." and returns nothing.
std::optional<std::filesystem::path> shared_or_skip(std::string_view relative);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// Outcome of a finished command.
struct Run {
    int exit_code = -1; ///< 128 + signal where a signal ended it
    std::string out;
    std::string err;
};

/// Runs `command` by the shell, with nothing on its standard input.
Run shell(const std::string& command);

/// `text` quoted for the shell.
std::string quoted(const std::filesystem::path& text);

} // namespace senteval::test
