// text_case.hpp -- upper and lower case of UTF-8 text, by Unicode's simple mappings (one code point
// to one, no locale). Bytes that are not valid UTF-8 stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace senteval::word_vectors {

std::string lower_case(std::string_view text);

/// Lower case but for the first character, which is a capital.
std::string capitalised(std::string_view text);

} // namespace senteval::word_vectors
