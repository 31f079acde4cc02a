#include "word_vectors/hash_slots.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace senteval::word_vectors {

std::uint32_t hash_of(std::string_view word) noexcept
{
    const std::uint64_t hash = XXH3_64bits(word.data(), word.size());
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

} // namespace senteval::word_vectors
