// index.hpp -- from a word to its place in the vectors file.
#pragma once

#include "word_vectors/hash_slots.hpp"
#include "word_vectors/layout.hpp"
#include "word_vectors/scan.hpp"

#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace senteval::word_vectors {

/// The words of a file: what a scan found, or what a cache file kept of it. Movable; the spans stay
/// valid.
struct Index {
    Layout layout;
    Findings findings;
    std::span<const WordEntry> words; ///< each once, in the order of first occurrence
    std::span<const Slot> slots;

    /// What the spans point into.
    struct Built {
        std::vector<WordEntry> words;
        std::vector<Slot> slots;
    };
    std::variant<Built, MappedFile> memory;

    /// `bytes` are those of the vectors file.
    [[nodiscard]] std::string_view word(std::string_view bytes, std::uint32_t row) const noexcept
    {
        return bytes.substr(words[row].offset, words[row].length);
    }
};

/// Makes the index of a scan: of a repeated word, the last vector counts.
Index build_index(std::string_view bytes, const Layout& layout, Scan scan);

} // namespace senteval::word_vectors
