// support.hpp -- what a test includes beside what it tests: doctest, what it takes of the standard library, scratch
// folders, the built program, real data where it is.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

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

/// The program that tests try: $SENTEVAL_PROGRAM, an installed one, else that of the build tree.
std::filesystem::path program_file();

/// The folder of real datasets, vectors and reference results: $SENTEVAL_SHARED, else ../shared
/// beside the source tree. Nothing where it is absent: such a test prints "skipped" and returns.
std::optional<std::filesystem::path> shared_dir();

/// shared_dir()/relative where it exists; otherwise prints "skipped: ..." and returns nothing.
std::optional<std::filesystem::path> shared_or_skip(std::string_view relative);

/// Whether a text has all of several parts; a failing CHECK() shows the first that it lacks, and the text.
struct Found {
    std::string lacking;
    std::string text;
    operator bool() const noexcept
    {
        return lacking.empty();
    } // NOLINT(*-explicit-*): stands for a bool
};
std::ostream& operator<<(std::ostream& out, const Found& found);

/// Whether `text` has every one of `parts`: of a message, the names and numbers that it is about.
[[nodiscard]] Found contains(std::string_view text, std::initializer_list<std::string_view> parts);
[[nodiscard]] Found contains(std::string_view text, std::string_view part);

/// How often a part stands in a text.
[[nodiscard]] std::size_t times(std::string_view text, std::string_view part);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// What the exception E says that `action` throws; empty where it throws none. Others pass.
template <typename E, typename Action>
std::string error_of(const Action& action)
{
    try {
        static_cast<void>(action());
    } catch (const E& error) {
        return error.what();
    }
    return "";
}

/// Outcome of a finished command.
struct Run {
    int exit_code = -1; ///< 128 + signal where a signal ended it
    std::string out;
    std::string err;
};

/// Runs `command` by the shell, with nothing on its standard input.
Run shell(const std::string& command);

/// The same, with a check that it ends with `exit_code`, which shows what was written where it does not.
Run shell(int exit_code, const std::string& command);

/// `text` quoted for the shell.
std::string quoted(const std::filesystem::path& text);

} // namespace senteval::test

/// The expression throws `type`, whose message has `part`: the name or number that it is about.
#define CHECK_ERROR(type, part, ...)                                                               \
    CHECK_THROWS_WITH_AS(static_cast<void>(__VA_ARGS__),                                           \
                         doctest::Contains(std::string(part).c_str()), type)
