#include "tasks/readers/sts.hpp"

#include "tasks/readers/reading.hpp"
#include "text/unicode.hpp"

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

/// Lines still to come, the current one included.
std::size_t count_rest(text::TextFile& file)
{
    std::size_t count = 1;
    while (file.next())
        ++count;
    return count;
}

[[noreturn]] void
fail_on_length(text::TextFile& longer, const text::TextFile& shorter, std::size_t common)
{
    throw core::Error("{} has {} lines, but {} has {}: line n of the one belongs to line n of the "
                      "other; fetch both files again",
                      longer.name(), common + count_rest(longer), shorter.name(), common);
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
    for (std::size_t lines = 0;; ++lines) {
        const bool more_input = input.next();
        const bool more_gold = gold.next();
        if (more_input != more_gold)
            fail_on_length(more_input ? input : gold, more_input ? gold : input, lines);
        if (!more_input)
            break;
        const auto columns = input.columns(input.line(), 2);
        if (gold.line().empty())
            continue;
        part.scores.push_back(gold.number(gold.line(), "gold score"));
        part.first.push_back(text::make_sentence(columns[0], arena));
        part.second.push_back(text::make_sentence(columns[1], arena));
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
