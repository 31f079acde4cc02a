// scan.hpp -- one pass over a vectors file: how it is laid out, and where its words are.
#pragma once

#include "word_vectors/word_vectors.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

struct Layout {
    Format format = Format::glove; ///< never Format::detect
    std::uint32_t dimension = 0;
    std::uint64_t declared_words = 0; ///< from the header; 0 where there is none
    std::uint64_t body = 0;           ///< where the first word begins
};

/// Finds the layout of `bytes`, or checks that it is `format`. Without a header the dimension is
/// what most of the first lines agree on. Throws sdk::Error naming `file`.
Layout find_layout(std::string_view bytes, Format format, const std::filesystem::path& file);

/// A word of the file. Its values begin one byte behind its end.
struct WordEntry {
    std::uint64_t offset = 0; ///< of the word, from the begin of the file
    std::uint32_t length = 0; ///< in bytes
    std::uint32_t hash = 0;   ///< hash_of() the word
};

inline std::uint32_t hash_of(std::string_view word) noexcept
{
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(word));
}

struct Scan {
    static constexpr std::size_t shown = 5;

    std::vector<WordEntry> words;      ///< in the order of the file, repeated ones too
    std::uint64_t malformed = 0;       ///< lines that were left out
    std::vector<std::string> messages; ///< of the first `shown`, in order, as "17: reason"
};

/// Scans `bytes`, those of the file `path`. Text is scanned on all threads of the call; the result does not
/// depend on their number. Throws sdk::Error where a binary is truncated or no word is left, and
/// sdk::Cancelled.
Scan scan(std::string_view bytes,
          const Layout& layout,
          const std::filesystem::path& path,
          const sdk::Call& call);

} // namespace senteval::word_vectors
