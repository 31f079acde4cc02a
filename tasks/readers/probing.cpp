#include "base/unicode.hpp"
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace senteval::tasks {
namespace {

struct Columns {
    std::string_view part, label, sentence;
};

Columns columns_of(text::TextFile& file)
{
    const auto columns = file.columns(base::strip_right(file.line()), 3);
    return {columns[0], columns[1], columns.back()};
}

std::size_t part_index(const text::TextFile& file, std::string_view part)
{
    constexpr std::array<std::string_view, 3> names = {"tr", "va", "te"};
    const auto found = std::find(names.begin(), names.end(), part);
    if (found == names.end())
        file.fail("the first column is {}, and not tr, va or te", text::quote(part));
    return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> training_labels(task::DataFolder& data, const std::string& relative)
{
    auto file = open_text(data, relative);
    std::unordered_map<std::string_view, std::size_t> seen;
    while (file.next())
        if (const Columns columns = columns_of(file); columns.part == "tr")
            ++seen[columns.label];
    std::vector<std::string> labels;
    labels.reserve(seen.size());
    for (const auto& [label, count] : seen)
        labels.emplace_back(label);
    std::sort(labels.begin(), labels.end());
    return labels;
}

void read(task::DataFolder& data, const std::string& relative, Dataset& dataset)
{
    dataset.classes = training_labels(data, relative);
    std::unordered_map<std::string_view, std::uint32_t> index;
    for (const std::string& label : dataset.classes)
        index.emplace(label, static_cast<std::uint32_t>(index.size()));
    for (const char* name : {"train", "dev", "test"})
        dataset.parts.emplace_back(name, name == std::string_view("test"));

    auto file = open_text(data, relative);
    while (file.next()) {
        const Columns columns = columns_of(file);
        PartWriter items(dataset.parts[part_index(file, columns.part)], dataset.arena);
        const auto label = index.find(columns.label);
        if (label == index.end())
            file.fail("the label {} does not occur in the training part (lines that begin with tr)",
                      text::quote(columns.label));
        file.count(columns.part);
        items.add(columns.sentence, label->second);
    }
    for (Part& part : dataset.parts) {
        if (part.size() == 0)
            throw base::Error("{}: there is no {} item in it", file.name(), part.name);
        sort_by_length(part);
        add_samples(dataset, part);
    }
    check_items(dataset.parts.front(), file.name());
}

} // namespace

Source probing_source(const std::string& file)
{
    return make_source(
        {file}, [file](task::DataFolder& data, Dataset& dataset) { read(data, file, dataset); });
}

} // namespace senteval::tasks
