#include "core/fingerprint.hpp"

#include "core/files.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace senteval::core {

std::string fingerprint(std::string_view bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string fingerprint_file(const std::filesystem::path& path)
{
    return fingerprint(MappedFile(path).bytes());
}

} // namespace senteval::core
