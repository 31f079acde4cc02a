#include "encoder/sentences.hpp"

#include "base/unicode.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace senteval::encoder {

std::string shown(std::string_view sentence)
{
    constexpr std::size_t longest = 80;
    if (sentence.size() <= longest)
        return fmt::format("\"{}\"", sentence);
    return fmt::format("\"{}...\"", base::first_characters(sentence, longest));
}

std::vector<text::Sentence> distinct(std::span<const text::Sentence> sentences)
{
    std::unordered_set<text::Sentence, text::SentenceHash> seen;
    seen.reserve(sentences.size());
    std::vector<text::Sentence> all;
    for (const text::Sentence& sentence : sentences)
        if (seen.insert(sentence).second)
            all.push_back(sentence);
    return all;
}

std::vector<text::Sentence> distinct_tokens(std::span<const text::Sentence> sentences)
{
    std::unordered_set<std::string_view> seen;
    std::vector<text::Sentence> tokens;
    for (const text::Sentence& sentence : sentences) {
        base::for_each_word(sentence.text, [&](std::string_view token) {
            if (seen.insert(token).second)
                tokens.push_back({token, 1});
        });
    }
    return tokens;
}

} // namespace senteval::encoder
