// fields.hpp -- lines, fields and numbers of a text file of vectors.
//
// Fields are separated by spaces or tabs only: every other byte, also a Unicode space, may be part
// of a word.
#pragma once

#include <cstddef>
#include <string_view>

namespace senteval::word_vectors {

constexpr bool is_separator(char c) noexcept
{
    return c == ' ' || c == '\t';
}

/// `line` without a carriage return and separators at its end (fastText writes one).
std::string_view without_end(std::string_view line) noexcept;

std::size_t count_fields(std::string_view line) noexcept;

/// The last field of `line`, which has no separators at its end; empty where `line` is.
std::string_view last_field(std::string_view line) noexcept;

/// Takes a decimal number off the front of `text`, correctly rounded. False, `text` unchanged,
/// where there is none or it is not finite. One plus sign is allowed, as strtod() does.
bool take_number(std::string_view& text, double& number) noexcept;

/// Whether all of `field` is one finite number.
bool is_number(std::string_view field) noexcept;

} // namespace senteval::word_vectors
