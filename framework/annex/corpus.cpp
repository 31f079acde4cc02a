#include "annex/corpus.hpp"

#include "base/unicode.hpp"
#include "paragram_model/architecture.hpp"

#include <algorithm>

namespace senteval::annex {

namespace {

/// Calls `each` for the text between white space.
template <typename Each>
void for_each_word(std::string_view text, const Each& each)
{
    while (!text.empty()) {
        std::size_t end = 0;
        std::size_t space = 0;
        while (end < text.size() && (space = base::leading_space(text.substr(end))) == 0)
            ++end;
        if (end > 0)
            each(text.substr(0, end));
        text.remove_prefix(std::min(end + space, text.size()));
    }
}

} // namespace

CorpusBuilder::CorpusBuilder(const StartVectors& vectors, const EvaluatedSentences& evaluated)
    : vectors_(vectors), evaluated_(evaluated)
{
    Vocabulary& vocabulary = corpus_.vocabulary;
    const std::string name(paragram::unknown_word);
    vocabulary.words.push_back(name);
    vocabulary.rows.push_back(vectors.find(name).value_or(vectors.size()));
    vocabulary.counts.push_back(0);
}

Word CorpusBuilder::number_of(const std::string& word)
{
    Vocabulary& vocabulary = corpus_.vocabulary;
    const auto [at, is_new] = vocabulary.numbers.try_emplace(word, unknown);
    if (!is_new)
        return at->second;
    if (const auto row = vectors_.find(word)) {
        at->second = static_cast<Word>(vocabulary.size());
        vocabulary.words.push_back(word);
        vocabulary.rows.push_back(*row);
        vocabulary.counts.push_back(0);
    }
    return at->second;
}

bool CorpusBuilder::append(std::string_view phrase)
{
    const std::size_t begin = corpus_.tokens.size();
    for_each_word(phrase, [this](std::string_view token) {
        corpus_.tokens.push_back(number_of(paragram::normalised(token)));
    });
    return std::any_of(corpus_.tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                       corpus_.tokens.end(), [](Word word) { return word != unknown; });
}

bool CorpusBuilder::is_excluded(std::string_view first, std::string_view second)
{
    const auto one = evaluated_.find(first);
    const auto other = evaluated_.find(second);
    const bool excluded = one.value_or(false) || other.value_or(false);
    counts_.overlapping += one || other ? 1 : 0;
    counts_.excluded += excluded ? 1 : 0;
    return excluded;
}

void CorpusBuilder::add(std::string_view first, std::string_view second, double score)
{
    ++counts_.read;
    if (is_excluded(first, second))
        return;
    const std::size_t begin = corpus_.tokens.size();
    const bool first_known = append(first);
    const std::size_t middle = corpus_.tokens.size();
    const bool second_known = append(second);
    const auto at = corpus_.tokens.begin();
    const bool is_equal = std::equal(
        at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(middle),
        at + static_cast<std::ptrdiff_t>(middle), corpus_.tokens.end());
    if (!first_known || !second_known || is_equal) {
        ++(first_known && second_known ? counts_.equal : counts_.unknown);
        corpus_.tokens.resize(begin);
        return;
    }
    for (std::size_t i = begin; i < corpus_.tokens.size(); ++i)
        ++corpus_.vocabulary.counts[corpus_.tokens[i]];
    corpus_.begin.push_back(middle);
    corpus_.begin.push_back(corpus_.tokens.size());
    corpus_.scores.push_back(static_cast<float>(score));
    ++counts_.kept;
    for (const std::string_view phrase : {first, second})
        corpus_.keys.push_back(paragram::sentence_key(phrase).value_or(0));
}

std::vector<std::uint64_t> keys_of(const Corpus& corpus)
{
    std::vector<std::uint64_t> keys = corpus.keys;
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (!keys.empty() && keys.front() == 0)
        keys.erase(keys.begin());
    return keys;
}

} // namespace senteval::annex
