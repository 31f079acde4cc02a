#include "tasks/custom/inspect.hpp"
#include "tasks/data_warnings.hpp"

#include "base/disguise.hpp"
#include "base/unicode.hpp"
#include "tasks/readers/rows.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace senteval::tasks {
namespace {

/// An item after its label or its score.
std::string shown_item(const Dataset& dataset, const Part& part, std::size_t item)
{
    const std::string target = part.labels.empty() ? fmt::format("{}", part.scores[item])
                                                   : dataset.classes[part.labels[item]];
    return fmt::format("{}  {}{}{}", target, part.first[item].text, part.pairs() ? " | " : "",
                       part.pairs() ? part.second[item].text : "");
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
    found.repeated = part.size() - texts_of(part).size();
    found.in_train = count_in(part, train);
    for (std::size_t item = 0; item < part.size(); ++item) {
        const bool is_empty = base::is_unreadable(part.first[item].text) ||
                              (part.pairs() && base::is_unreadable(part.second[item].text));
        found.empty += is_empty ? 1 : 0;
        if (item < shown)
            found.first_rows.push_back(shown_item(dataset, part, item));
    }
    measure_lengths(part, found);
    count_classes(dataset, part, found);
    if (!part.scores.empty()) {
        const auto [low, high] = std::ranges::minmax(part.scores);
        found.scores = {low, high};
    }
    return found;
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
    task::DataFolder data(task.base);
    Dataset dataset = source_of(task).read(data);
    warn_of_gold(dataset);
    warn_of_own_data(dataset, task.tolerated_copies.value_or(0));
    const Part* const train = dataset.find("train");
    const auto learned = train == nullptr ? std::unordered_set<std::string>() : texts_of(*train);
    Inspection found;
    for (const Part& part : dataset.parts) {
        found.parts.push_back(inspect_part(dataset, part, learned));
        if (&part == train)
            found.parts.back().in_train = 0;
    }
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
    RecordFile opened(data, file, true, task.encoding, task.format, task.separator);
    text::Records& records = opened.records;
    if (opened.form == text::RecordForm::tsv && records.header().size() == 1)
        if (const auto why = base::disguise_of_line(opened.file.line()); !why.empty())
            opened.file.fail("{}", why);
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
