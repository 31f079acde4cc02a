#include "core/fingerprint.hpp"

#include "core/files.hpp"
#include "core/fingerprint_cache.hpp"
#include "core/system_error.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace senteval::core {

namespace {

std::string text_of(const XXH128_hash_t& hash)
{
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

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

std::string fingerprint(std::string_view bytes)
{
    return text_of(XXH3_128bits(bytes.data(), bytes.size()));
}

// Read in pieces, not mapped: the pages of a large model would count as this process's memory.
std::string fingerprint_file(const std::filesystem::path& path, const BytesRead& read)
{
    std::ifstream file(path, std::ios::binary);
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                         &XXH3_freeState);
    XXH3_128bits_reset(state.get());
    std::vector<char> piece(std::size_t{1} << 20U);
    while (file) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        XXH3_128bits_update(state.get(), piece.data(), static_cast<std::size_t>(file.gcount()));
        if (read)
            read(static_cast<std::uint64_t>(file.gcount()));
    }
    if (!file.eof())
        throw SystemError(fmt::format("cannot read '{}'", path.string()), errno);
    return text_of(XXH3_128bits_digest(state.get()));
}

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
