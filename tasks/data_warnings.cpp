#include "tasks/data_warnings.hpp"

#include "base/ascii.hpp"
#include "base/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

namespace senteval::tasks {
namespace {

template <typename T>
bool all_equal(const std::vector<T>& values)
{
    return !values.empty() && std::all_of(values.begin(), values.end(),
                                          [&](const T& value) { return value == values.front(); });
}

/// Returns the text of an item as an encoder sees it.
std::string text_of(const Part& part, std::size_t item)
{
    std::string text(part.first[item].text);
    if (part.pairs())
        text.append("\t").append(part.second[item].text);
    return text;
}

template <typename Visit>
void for_each_sentence(const Part& part, const Visit& visit)
{
    for (const auto* side : {&part.first, &part.second})
        for (const text::Sentence& sentence : *side)
            visit(sentence.text);
}

/// Counts the punctuation among tokens.
struct Punctuation {
    std::size_t tokens = 0;
    std::size_t attached = 0; ///< tokens of a letter or digit and then punctuation
    std::size_t alone = 0;
    std::string_view example; ///< of an attached one

    void add(std::string_view sentence)
    {
        sentence = base::strip(sentence);
        for (auto word = base::take_word(sentence); !word.empty(); word = base::take_word(sentence))
            add(word, sentence.empty());
    }

private:
    static bool is_punctuation(char c)
    {
        return std::string_view(".,;:!?").find(c) != std::string_view::npos;
    }

    static bool is_of_word(char c)
    {
        return base::is_ascii_digit(c) || base::is_ascii_letter(c) || (c & 0x80) != 0;
    }

    /// A period within a sentence may belong to an abbreviation.
    void add(std::string_view token, bool is_last)
    {
        ++tokens;
        if (!is_punctuation(token.back()))
            return;
        if (std::all_of(token.begin(), token.end(), is_punctuation)) {
            ++alone;
        } else if (is_of_word(token[token.size() - 2]) && (is_last || token.back() != '.')) {
            ++attached;
            if (example.empty())
                example = token;
        }
    }
};

void warn_of_texts(Dataset& dataset)
{
    for (const Part& part : dataset.parts) {
        if (const std::size_t empty = empty_sentences(part); empty > 0)
            dataset.warn("empty", "sentences of the part '{}' that are empty or undecodable: {}",
                         part.name, empty);
    }
}

void warn_of_classes(Dataset& dataset)
{
    const Part* const train = dataset.find("train");
    const Part* const test = dataset.find("test");
    if (train == nullptr || test == nullptr)
        return;
    const auto labels_of = [](const Part& part) {
        std::set<std::uint32_t> labels(part.labels.begin(), part.labels.end());
        for (const auto& set : part.label_sets)
            labels.insert(set.begin(), set.end());
        return labels;
    };
    const auto learned = labels_of(*train);
    std::set<std::string> unlearned;
    for (const std::uint32_t label : labels_of(*test))
        if (!learned.contains(label))
            unlearned.insert(dataset.classes[label]);
    if (!unlearned.empty())
        dataset.warn("classes", "classes that are tested and never learned: {}",
                     fmt::join(unlearned, ", "));
}

void warn_of_copies(Dataset& dataset)
{
    constexpr std::size_t tolerated = 100; // one copy in so many items
    for (const Part& part : dataset.parts) {
        if (!part.tested && part.labels.empty() && part.scores.empty())
            continue; // documents to be found
        const std::size_t copies = part.size() - texts_of(part).size();
        if (copies * tolerated < part.size() || copies == 0)
            continue;
        if (part.name == "all")
            dataset.warn("copies",
                         "{} of {} items are copies of another one: some are learnt by heart and "
                         "then tested",
                         copies, part.size());
        else
            dataset.warn("duplicates", "{} of {} items of the part '{}' repeat another one", copies,
                         part.size(), part.name);
    }
    const Part* test = dataset.find("test");
    if (test == nullptr)
        return;
    for (const char* name : {"train", "dev"}) {
        const Part* part = dataset.find(name);
        if (part == nullptr || (dataset.find("train") == nullptr))
            continue; // nothing is learnt
        if (const std::size_t copies = count_in(*test, texts_of(*part)); copies > 0)
            dataset.warn("copies", "{} of {} test items are in the {} part too", copies,
                         test->size(), name);
    }
}

} // namespace

void warn_of_gold(Dataset& dataset)
{
    for (const Part& part : dataset.parts) {
        if (!part.tested || part.size() < 2)
            continue;
        if (all_equal(part.labels))
            dataset.warn("gold",
                         "all {} items of the part '{}' are of the class '{}': answering so every "
                         "time is 100 % right",
                         part.size(), part.name, dataset.classes[part.labels.front()]);
        if (all_equal(part.scores))
            dataset.warn("gold",
                         "all {} gold scores of the part '{}' are {}: nothing correlates with them",
                         part.size(), part.name, part.scores.front());
    }
}

void warn_of_own_data(Dataset& dataset)
{
    warn_of_texts(dataset);
    warn_of_classes(dataset);
    warn_of_copies(dataset);
}

void warn_of_tokens(Dataset& dataset)
{
    constexpr std::size_t noticeable = 100; // one token in so many
    Punctuation found;
    for (const Part& part : dataset.parts)
        for_each_sentence(part, [&](std::string_view text) { found.add(text); });
    if (found.attached > found.alone && found.attached * noticeable >= found.tokens)
        dataset.warn("tokens",
                     "the text looks untokenised: {} of {} tokens are words with punctuation "
                     "attached, such as "
                     "'{}'. Set tokenise = \"ptb\" or \"moses\", or \"none\" if it is meant so",
                     found.attached, found.tokens, found.example);
}

std::size_t empty_sentences(const Part& part)
{
    std::size_t empty = 0;
    for_each_sentence(part,
                      [&](std::string_view text) { empty += base::is_unreadable(text) ? 1 : 0; });
    return empty;
}

std::unordered_set<std::string> texts_of(const Part& part)
{
    std::unordered_set<std::string> texts;
    for (std::size_t item = 0; item < part.size(); ++item)
        texts.insert(text_of(part, item));
    return texts;
}

std::size_t count_in(const Part& part, const std::unordered_set<std::string>& texts)
{
    std::size_t count = 0;
    for (std::size_t item = 0; item < part.size(); ++item)
        count += texts.contains(text_of(part, item)) ? 1 : 0;
    return count;
}

} // namespace senteval::tasks
