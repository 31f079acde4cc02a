#include "process/content.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <vector>

namespace senteval::process {

namespace {

namespace fs = std::filesystem;

std::string hexadecimal(XXH128_hash_t hash)
{
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

[[noreturn]] void fail_reading(const fs::path& path)
{
    throw sdk::Error(SENTEVAL_NOT_FOUND, fmt::format("{}: cannot be read", path.string()));
}

std::string of_file(const fs::path& path)
{
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                         &XXH3_freeState);
    if (state == nullptr)
        throw std::bad_alloc();
    XXH3_128bits_reset(state.get());
    std::ifstream file(path, std::ios::binary);
    if (!file)
        fail_reading(path);
    std::vector<char> block(std::size_t{1} << 20U);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
        XXH3_128bits_update(state.get(), block.data(), static_cast<std::size_t>(file.gcount()));
    if (file.bad())
        fail_reading(path);
    return hexadecimal(XXH3_128bits_digest(state.get()));
}

std::vector<std::string> lines_of_folder(const fs::path& folder)
{
    std::vector<std::string> lines;
    try {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) {
                const std::string name = fs::relative(entry.path(), folder).string();
                lines.push_back(
                    fmt::format("{} {} {}\n", name.size(), name, of_file(entry.path())));
            }
    } catch (const fs::filesystem_error& e) {
        fail_reading(e.path1());
    }
    return lines;
}

/// Files that go while they are read, as temporary ones do, were no part of it: it is read again.
std::vector<std::string> lines_of_changing_folder(const fs::path& folder)
{
    constexpr int tries = 5;
    for (int i = 1; i < tries; ++i)
        try {
            return lines_of_folder(folder);
        } catch (const sdk::Error&) { // the last one is told
        }
    try {
        return lines_of_folder(folder);
    } catch (const sdk::Error& e) {
        throw sdk::Error(e.status(), fmt::format("{} (in folder '{}')", e.what(), folder.string()));
    }
}

std::string of_folder(const fs::path& folder)
{
    std::vector<std::string> lines = lines_of_changing_folder(folder);
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& line : lines)
        all += line;
    return hexadecimal(XXH3_128bits(all.data(), all.size()));
}

} // namespace

std::string fingerprint(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_directory(path, ignored) ? of_folder(path) : of_file(path);
}

} // namespace senteval::process
