// characters.hpp -- Unicode character classes and case, by ICU's property tables.
//
// The classes are those of Unicode's regular-expression annex (UTS #18, C), which the rules of the
// Moses tokeniser are stated in.
#pragma once

#include <string>
#include <string_view>

namespace senteval::data {

bool is_letter(char32_t c);          ///< property Alphabetic
bool is_number(char32_t c);          ///< categories Nd, Nl, No
bool is_letter_or_digit(char32_t c); ///< Alphabetic or Nd
bool is_lower_case(char32_t c);      ///< property Lowercase

/// Throws base::Error naming the offset of the first byte that is not UTF-8.
std::u32string decode_utf8(std::string_view bytes);
std::string encode_utf8(std::u32string_view text);

/// Each character's own lower-case form, whatever stands around it. Throws as decode_utf8 does.
std::string lower_case(std::string_view utf8);

/// The same for texts that people may take for each other: Unicode's NFKC_Casefold (section 3.13, R5), in
/// which case, the way accents are composed, wide forms and characters that cannot be seen do not count.
/// Throws as decode_utf8 does.
std::string case_folded(std::string_view utf8);

} // namespace senteval::data
