#include "bm25/vocabulary.hpp"

#include "base/ascii.hpp"
#include "base/unicode.hpp"

#include <utility>

namespace senteval::bm25 {
namespace {

/// Of Lucene's analyser for English.
constexpr std::string_view stop_words[] = {
    "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
    "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with",
};

/// Whether a character of a word stands at `at`, which then points behind it.
bool skip_word_character(std::string_view text, std::size_t& at)
{
    const char byte = text[at];
    if (static_cast<unsigned char>(byte) < 0x80) {
        ++at;
        return base::is_ascii_letter(byte) || base::is_ascii_digit(byte) || byte == '_';
    }
    return base::is_word_character(base::next_or_replacement(text, at));
}

} // namespace

void for_each_token(std::string_view text,
                    std::string& buffer,
                    const std::function<void(std::string_view)>& each)
{
    buffer.clear();
    base::append_lower_case(buffer, text);
    const std::string_view lower = buffer;
    std::size_t begin = 0;
    std::size_t characters = 0;
    for (std::size_t at = 0; at < lower.size();) {
        const std::size_t end = at;
        if (skip_word_character(lower, at)) {
            ++characters;
            continue;
        }
        if (characters > 1)
            each(lower.substr(begin, end - begin));
        begin = at;
        characters = 0;
    }
    if (characters > 1)
        each(lower.substr(begin));
}

Vocabulary::Vocabulary(Stem stem, bool drops_stop_words) : stem_(std::move(stem))
{
    if (drops_stop_words)
        for (const std::string_view word : stop_words)
            words_.emplace(word, no_term);
}

Term Vocabulary::add(std::string_view word)
{
    if (const auto known = words_.find(word); known != words_.end())
        return known->second;
    const auto next = static_cast<Term>(size_);
    const Term term = stem_ ? stems_.emplace(stem_(word), next).first->second : next;
    size_ += term == next ? 1 : 0;
    words_.emplace(word, term);
    return term;
}

Term Vocabulary::find(std::string_view word) const
{
    if (const auto known = words_.find(word); known != words_.end())
        return known->second;
    if (!stem_)
        return no_term;
    const auto known = stems_.find(stem_(word));
    return known == stems_.end() ? no_term : known->second;
}

} // namespace senteval::bm25
