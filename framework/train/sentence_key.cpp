#include "train/sentence_key.hpp"

#include "word_vectors/text_case.hpp"

#include <xxhash.h>

#include <string>

namespace senteval::train {

namespace {

bool is_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
}

} // namespace

std::optional<std::uint64_t> sentence_key(std::string_view sentence, std::size_t words)
{
    const std::string lower = word_vectors::lower_case(sentence);
    std::string letters;
    std::size_t found = 0;
    bool in_word = false; // a token counts once, and where it has a letter or digit
    for (const char c : lower) {
        if (c == ' ' || c == '\t')
            in_word = false;
        if (!is_of_word(c))
            continue;
        found += in_word ? 0 : 1;
        in_word = true;
        letters += c;
    }
    if (found < words)
        return std::nullopt;
    return XXH3_64bits(letters.data(), letters.size());
}

} // namespace senteval::train
