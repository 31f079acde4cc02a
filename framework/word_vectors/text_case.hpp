// text_case.hpp -- upper and lower case of UTF-8 text, by Unicode's simple mappings (one code point
// to one, no locale). Bytes that are not valid UTF-8 stay as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

std::string lower_case(std::string_view text);

/// Lower case but for the first character, which is a capital.
std::string capitalised(std::string_view text);

/// Further spellings of a word that a file has in neither of the above: with its accents composed or decomposed (NFC,
/// NFD), as it is, capitalised and in lower case, where a sigma that ends the word may be the final one. In this
/// order, each once; nothing of ASCII, which has no such forms.
std::vector<std::string> further_spellings(std::string_view word);

} // namespace senteval::word_vectors
