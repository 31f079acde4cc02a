#include "paragram_model/tokens.hpp"

#include "word_vectors/text_case.hpp"

namespace senteval::paragram {

std::string normalised(std::string_view token)
{
    std::string word = word_vectors::lower_case(token);
    if (word.size() > 1 && word.front() == '#')
        std::erase(word, '#');
    return word;
}

} // namespace senteval::paragram
