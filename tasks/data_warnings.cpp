#include "tasks/data_warnings.hpp"

#include "base/ascii.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/unicode.hpp"
#include "data/characters.hpp"
#include "tasks/readers/rows.hpp"
#include "text/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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

/// How often each class is a label of a part.
std::map<std::uint32_t, std::size_t> counts_of(const Part& part)
{
    std::map<std::uint32_t, std::size_t> counts;
    for (const std::uint32_t label : part.labels)
        ++counts[label];
    for (const auto& set : part.label_sets)
        for (const std::uint32_t label : set)
            ++counts[label];
    return counts;
}

/// Throws where no class that is tested is learned; warns of some.
void look_at_classes(Dataset& dataset)
{
    const Part* const folds = dataset.find("all"); // each item is tested, and learned for others
    const Part* const train = folds != nullptr ? folds : dataset.find("train");
    const Part* const test = folds != nullptr ? folds : dataset.find("test");
    if (train == nullptr || test == nullptr)
        return;
    const auto spelled = [&](const auto& class_and_count) {
        return text::spelled(dataset.classes[class_and_count.first]);
    };
    auto learned = counts_of(*train);
    if (folds != nullptr)
        std::erase_if(learned, [](const auto& one) { return one.second == 1; });
    auto unlearned = counts_of(*test);
    const std::size_t tested = unlearned.size();
    std::erase_if(unlearned, [&](const auto& one) { return learned.contains(one.first); });
    std::size_t items = 0;
    for (const auto& [label, count] : unlearned)
        items += count;
    const auto names = [&](const auto& classes) {
        const auto first = classes | std::views::take(10) | std::views::transform(spelled);
        return fmt::format("{}{}", fmt::join(first, ", "), classes.size() > 10 ? ", ..." : "");
    };
    if (items > 0 && unlearned.size() == tested)
        throw base::Error("no test item is of a class that is learned: {} are tested, {} learned",
                          names(unlearned), learned.empty() ? "none" : names(learned));
    if (items > 0)
        dataset.warn("classes", "classes that are tested and never learned, by {}: {}",
                     base::counted(items, "test item"), names(unlearned));
}

void warn_of_copies(Dataset& dataset, double tolerated)
{
    const auto are_few = [&](std::size_t copies, const Part& part, double share) {
        return copies == 0 ||
               static_cast<double>(copies) < share * static_cast<double>(part.size());
    };
    for (const Part& part : dataset.parts) {
        if (!part.tested && part.labels.empty() && part.scores.empty())
            continue; // documents to be found
        const std::size_t copies = part.size() - texts_of(part).size();
        if (are_few(copies, part, std::max(tolerated, 0.01)))
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
        if (const std::size_t copies = count_in(*test, texts_of(*part));
            !are_few(copies, *test, tolerated))
            dataset.warn("copies", "{} of {} test items are in the {} part too", copies,
                         test->size(), name);
    }
}

bool are_equal(const std::vector<text::Sentence>& texts)
{
    return std::ranges::all_of(
        texts, [&](const text::Sentence& one) { return one.text == texts[0].text; });
}

/// Whether each item has a class of its own, the coarsest where there are levels.
bool has_own_classes(const Part& part)
{
    std::set<std::uint32_t> classes(part.labels.begin(), part.labels.end());
    for (const auto& levels : part.label_sets)
        if (!levels.empty())
            classes.insert(levels.front());
    return classes.size() == part.size();
}

/// Whether the documents that are ranked for a query differ in grade and in text.
bool can_be_ranked(const Part& corpus, const Judgements& judgements, std::size_t query)
{
    std::unordered_map<std::uint32_t, int> grade_of;
    for (const Judged& one : judgements.of_query[query])
        grade_of[one.document] = std::max(one.grade, 0);
    std::vector<std::uint32_t> all(judgements.candidates.empty() ? corpus.size() : 0);
    std::iota(all.begin(), all.end(), 0U);
    const auto& ranked = all.empty() ? judgements.candidates[query] : all;
    const auto differs = [&](const auto& of) {
        return std::ranges::any_of(ranked, [&](auto one) { return of(one) != of(ranked[0]); });
    };
    return differs([&](std::uint32_t one) { return grade_of.contains(one) ? grade_of[one] : 0; }) &&
           differs([&](std::uint32_t one) { return corpus.first[one].text; });
}

/// Says why vectors do not matter for a tested part; empty: they may.
std::string_view why_no_difference(const Dataset& dataset, const Part& part)
{
    const bool is_learned = dataset.find("train") != nullptr || part.name == "all";
    if (part.judgements) {
        for (std::size_t query = 0; query < part.size(); ++query)
            if (can_be_ranked(dataset.part("corpus"), *part.judgements, query))
                return {};
        return "the documents that are ranked for a query have one grade, or one text";
    }
    if (all_equal(part.label_sets))
        return "all items have the same labels";
    if (is_learned || part.images || part.name == "texts") // which are summarised
        return {};
    if (!part.pairs() && has_own_classes(part))
        return "each item is of a class of its own";
    const bool is_bitext = part.pairs() && part.labels.empty() && part.scores.empty();
    if (are_equal(part.first) && (!part.pairs() || is_bitext || are_equal(part.second)))
        return "all items have the same text";
    if (!is_bitext && std::ranges::equal(part.first, part.second, {}, &text::Sentence::text,
                                         &text::Sentence::text))
        return "the two texts of each pair are equal";
    return {};
}

} // namespace

void warn_of_gold(Dataset& dataset)
{
    look_at_classes(dataset);
    for (const Part& part : dataset.parts) {
        if (!part.tested || part.size() == 0)
            continue;
        if (all_equal(part.labels))
            dataset.warn("gold",
                         "all {} items of the part '{}' are of the class '{}': answering so every "
                         "time is 100 % right",
                         part.size(), part.name, dataset.classes[part.labels.front()]);
        else if (all_equal(part.scores))
            dataset.warn("gold",
                         "all {} gold scores of the part '{}' are {}: nothing correlates with them",
                         part.size(), part.name, part.scores.front());
        else if (const auto why = why_no_difference(dataset, part); !why.empty())
            dataset.warn("gold", "no encoder can differ from another on the part '{}': {}",
                         part.name, why);
    }
}

void warn_of_own_data(Dataset& dataset, double tolerated)
{
    warn_of_texts(dataset);
    warn_of_copies(dataset, tolerated);
}

void warn_of_alike(Dataset& dataset, std::span<const std::string> labels)
{
    std::map<std::string, std::string> seen;
    for (const std::string& label : labels) {
        const auto number = parsed_number(label);
        const std::string read = number ? fmt::format("{}", *number) : data::case_folded(label);
        if (const auto [first, is_new] = seen.try_emplace(read, label); !is_new)
            dataset.warn("case", "the labels {} and {} are classes of their own: write them alike",
                         text::spelled(first->second), text::spelled(label));
    }
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
