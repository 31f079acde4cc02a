// layout.hpp -- what kind of vectors file it is, and how many values a word has.
#pragma once

#include "word_vectors/word_vectors.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

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

} // namespace senteval::word_vectors
