#include "core/fingerprint_cache.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

namespace senteval::core {

namespace {

std::chrono::nanoseconds time_of(const timespec& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// What tells a state of a file from every other without reading it.
struct FileState {
    std::uintmax_t size = 0;
    std::chrono::nanoseconds changed{}; ///< the inode, which every write moves; since 1970
    std::string text;                   ///< all that must be equal

    friend bool operator==(const FileState&, const FileState&) = default;
};

/// Nothing where the file is not there.
std::optional<FileState> state_of(const std::filesystem::path& path)
{
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0)
        return std::nullopt;
    const auto content = time_of(file.st_mtim);
    const auto inode = time_of(file.st_ctim);
    return FileState{static_cast<std::uintmax_t>(file.st_size), inode,
                     fmt::format("{} {} {} {} {}", file.st_dev, file.st_ino, file.st_size,
                                 content.count(), inode.count())};
}

std::chrono::nanoseconds now()
{
    return std::chrono::system_clock::now().time_since_epoch();
}

constexpr std::size_t digits = 32;

/// "FINGERPRINT STATE CHECK\n"
std::string kept_line(const std::string& print, const FileState& state)
{
    const std::string line = print + " " + state.text;
    return line + " " + fingerprint(line) + "\n";
}

/// The fingerprint in a file of the cache; nothing where there is none for that state.
std::optional<std::string> kept(const std::filesystem::path& entry, const FileState& state)
{
    try {
        const std::string line = read_file(entry);
        std::string print = line.substr(0, digits);
        if (line == kept_line(print, state))
            return print;
    } catch (const Error&) { // not kept yet
    }
    return std::nullopt;
}

} // namespace

std::filesystem::path user_cache_folder(std::string_view part)
{
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return std::filesystem::path(folder) / "senteval" / part;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return std::filesystem::path(home) / ".cache" / "senteval" / part;
    return {};
}

FingerprintCache::FingerprintCache(std::filesystem::path folder, std::chrono::nanoseconds settled)
    : folder_(std::move(folder)), settled_(settled)
{
}

std::string FingerprintCache::of(const std::filesystem::path& path, const BytesRead& read) const
{
    const auto begun = now();
    const auto state = state_of(path);
    if (folder_.empty() || !state || state->size < least_bytes)
        return fingerprint_file(path, read);
    std::error_code error;
    const auto entry =
        folder_ / fingerprint(std::filesystem::weakly_canonical(path, error).string());
    if (auto print = kept(entry, *state))
        return *std::move(print);
    std::string print = fingerprint_file(path, read);
    if (state->changed <= begun - settled_ && state_of(path) == state)
        try {
            write_file_atomically(entry, kept_line(print, *state));
        } catch (const Error&) { // it is made again next time
        }
    return print;
}

} // namespace senteval::core
