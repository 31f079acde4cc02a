#include "base/fingerprint.hpp"

#include "base/files.hpp"
#include "base/system_error.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <vector>

namespace senteval::base {

namespace {

std::string text_of(const XXH128_hash_t& hash)
{
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

std::string fingerprint(std::string_view bytes)
{
    return text_of(XXH3_128bits(bytes.data(), bytes.size()));
}

// Read in pieces, not mapped: the pages of a large model would count as this process's memory.
std::string fingerprint_file(const std::filesystem::path& path, const BytesRead& read)
{
    static_cast<void>(MappedFile(path)); // refuses pipes and devices, which need not end
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

} // namespace senteval::base
