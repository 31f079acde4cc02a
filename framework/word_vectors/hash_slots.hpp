// hash_slots.hpp -- open addressing over 32-bit hashes: the slots hold numbers of entries, the
// words themselves live elsewhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

struct Slot {
    static constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t tag = 0; ///< hash of the entry's word
    std::uint32_t entry = empty;
};

std::uint32_t hash_of(std::string_view word) noexcept;

/// Slots for `entries` words: a power of two, at most two thirds full.
inline std::vector<Slot> make_slots(std::size_t entries)
{
    return std::vector<Slot>(std::bit_ceil(entries + entries / 2 + 1));
}

/// Position of the slot of the word with hash `tag` for whose entry is_word(entry) holds, or else of
/// the empty slot where it belongs.
template <typename IsWord>
std::size_t find_slot(std::span<const Slot> slots, std::uint32_t tag, IsWord&& is_word)
{
    const std::size_t mask = slots.size() - 1;
    std::size_t at = tag & mask;
    while (slots[at].entry != Slot::empty && !(slots[at].tag == tag && is_word(slots[at].entry)))
        at = (at + 1) & mask;
    return at;
}

} // namespace senteval::word_vectors
