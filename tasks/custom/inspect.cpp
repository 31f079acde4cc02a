#include "tasks/custom/inspect.hpp"
#include "tasks/data_warnings.hpp"

#include "base/unicode.hpp"
#include "tasks/custom/columns.hpp"
#include "text/disguise.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace senteval::tasks {
namespace {

std::string text_of_item(const Part& part, std::size_t item)
{
    std::string text(part.first[item].text);
    if (part.pairs())
        text.append(" | ").append(part.second[item].text);
    return text;
}

/// What is told of an item: its label or its score.
std::string told_of_item(const Dataset& dataset, const Part& part, std::size_t item)
{
    return part.labels.empty() ? fmt::format("{}", part.scores[item])
                               : dataset.classes[part.labels[item]];
}

void count_classes(const Dataset& dataset, const Part& part, PartInspection& found)
{
    std::map<std::string, std::size_t> counts;
    for (const std::uint32_t label : part.labels)
        ++counts[dataset.classes[label]];
    found.classes.assign(counts.begin(), counts.end());
    std::ranges::stable_sort(found.classes, std::greater(),
                             [](const auto& one) { return one.second; });
}

void measure_lengths(const Part& part, PartInspection& found)
{
    std::vector<std::size_t> words;
    for (const auto* side : {&part.first, &part.second})
        for (const text::Sentence& sentence : *side)
            words.push_back(sentence.tokens);
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
    std::nth_element(words.begin(), middle, words.end());
    found.median_words = *middle;
    found.most_words = std::ranges::max(words);
}

PartInspection
inspect_part(const Dataset& dataset, const Part& part, const std::unordered_set<std::string>& train)
{
    constexpr std::size_t shown = 3;
    PartInspection found;
    found.name = part.name;
    found.items = part.size();
    std::unordered_set<std::string> seen;
    for (std::size_t item = 0; item < part.size(); ++item) {
        const std::string text = text_of_item(part, item);
        found.repeated += seen.insert(text).second ? 0 : 1;
        found.in_train += train.contains(text) ? 1 : 0;
        found.empty += base::is_unreadable(part.first[item].text) ||
                               (part.pairs() && base::is_unreadable(part.second[item].text))
                           ? 1
                           : 0;
        if (item < shown)
            found.first_rows.push_back(told_of_item(dataset, part, item) + "  " + text);
    }
    measure_lengths(part, found);
    count_classes(dataset, part, found);
    if (!part.scores.empty()) {
        const auto [low, high] = std::ranges::minmax(part.scores);
        found.scores = {low, high};
    }
    return found;
}

std::unordered_set<std::string> train_texts(const Dataset& dataset)
{
    std::unordered_set<std::string> texts;
    if (const Part* const train = dataset.find("train"))
        for (std::size_t item = 0; item < train->size(); ++item)
            texts.insert(text_of_item(*train, item));
    return texts;
}

std::string shown_value(const text::Field& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return fmt::format("'{}'", sdk::printable_line(*text, 40));
    if (const auto* list = std::get_if<std::vector<std::string>>(&value))
        return fmt::format("[{}]",
                           sdk::printable_line(fmt::format("{}", fmt::join(*list, ", ")), 40));
    return "-";
}

} // namespace

Inspection inspect(const CustomTask& task)
{
    const auto checked = make_custom_task(task); // refuses what contradicts itself
    task::DataFolder data(task.base);
    Dataset dataset = source_of(task).read(data);
    warn_of_own_data(dataset);
    const auto train = train_texts(dataset);
    Inspection found;
    for (const Part& part : dataset.parts)
        found.parts.push_back(
            inspect_part(dataset, part, part.name == "train" ? decltype(train){} : train));
    for (const DataWarning& warning : dataset.data_warnings)
        found.data_warnings.push_back(fmt::format("{}: {}", warning.name, warning.text));
    found.description = "[[task]]\n";
    const base::Json keys = to_json(task).at("keys");
    for (const auto& [key, value] : keys.items())
        if (value != false && value != "utf-8") // the defaults
            found.description += fmt::format("{} = {}\n", key, base::to_text(value));
    return found;
}

std::vector<std::pair<std::string, std::string>> columns_of(const CustomTask& task,
                                                            const std::string& file)
{
    task::DataFolder data(task.base);
    text::TextFile lines = open_text(data, file, task.encoding, text::LineEnds::newlines, true);
    const text::RecordForm form = task.format ? *task.format : text::record_form_of(file);
    text::Records records(lines, form, true);
    if (form == text::RecordForm::tsv && records.header().size() == 1)
        if (const auto why = text::disguise_of_line(lines.line()); !why.empty())
            lines.fail("{}", why);
    std::vector<std::pair<std::string, std::string>> columns;
    for (const std::string& name : records.header())
        columns.emplace_back(name, "");
    constexpr int shown = 3;
    for (int row = 0; row < shown && records.next(); ++row)
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i].second += (row > 0 ? ", " : "") + shown_value(records.value(i));
    return columns;
}

} // namespace senteval::tasks
