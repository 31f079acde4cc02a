#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <array>

namespace senteval::tasks {
namespace {

std::string input_file(const std::string& folder, const std::string& subset)
{
    return fmt::format("{}/STS.input.{}.txt", folder, subset);
}

std::string gold_file(const std::string& folder, const std::string& subset)
{
    return fmt::format("{}/STS.gs.{}.txt", folder, subset);
}

Part read_subset(task::DataFolder& data,
                 const std::string& folder,
                 const std::string& subset,
                 text::Arena& arena)
{
    auto input =
        open_text(data, input_file(folder, subset), text::Encoding::utf8, text::LineEnds::unicode);
    auto gold =
        open_text(data, gold_file(folder, subset), text::Encoding::utf8, text::LineEnds::unicode);
    Part part;
    part.name = subset;
    part.tested = true;
    PartWriter items(part, arena);
    const std::array<text::TextFile*, 2> both = {&input, &gold};
    for (std::size_t lines = 0; next_together(both, lines); ++lines) {
        const auto columns = input.columns(input.line(), 2);
        if (!gold.line().empty())
            items.add(columns[0], columns[1], score(gold, gold.line(), 0, 5));
    }
    require_items(part, gold.name());
    return part;
}

} // namespace

Source sts_source(const std::string& folder, const std::vector<std::string>& subsets)
{
    Source source;
    for (const std::string& subset : subsets) {
        source.files.push_back(input_file(folder, subset));
        source.files.push_back(gold_file(folder, subset));
    }
    source.read = [folder, subsets](task::DataFolder& data) {
        Dataset dataset;
        for (const std::string& subset : subsets) {
            Part& part =
                dataset.parts.emplace_back(read_subset(data, folder, subset, dataset.arena));
            sort_by_length(part);
            add_samples(dataset, part, SampleOrder::sorted);
        }
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
