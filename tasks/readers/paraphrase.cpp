// Phrases and tweets with people's scores of how much they mean the same: what Wieting et al. (2016)
// look at beside STS.
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace senteval::tasks {
namespace {

/// Two phrases and a score.
LineFormat phrase_pairs(double lowest, double highest)
{
    LineFormat format;
    format.read_line = [lowest, highest](text::TextFile& file, std::string_view line,
                                         PartWriter& items) {
        const auto columns = file.columns(line, 3);
        items.add(columns[0], columns[1], score(file, columns[2], lowest, highest));
    };
    return format;
}

/// "(3, 2)": three of five people said paraphrase.
double share_of_votes(const text::TextFile& file, std::string_view votes)
{
    constexpr std::size_t people = 5;
    const std::size_t comma = votes.find(", ");
    std::size_t yes = 0;
    std::size_t no = 0;
    const auto take = [](std::string_view digits, std::size_t& number) {
        const char* const last = digits.data() + digits.size();
        return std::from_chars(digits.data(), last, number).ptr == last && !digits.empty();
    };
    if (!votes.starts_with('(') || !votes.ends_with(')') || comma == votes.npos ||
        !take(votes.substr(1, comma - 1), yes) ||
        !take(votes.substr(comma + 2, votes.size() - comma - 3), no) || yes + no != people)
        file.fail("expected the votes of five people, such as '(3, 2)', found {}",
                  text::quote(votes));
    return static_cast<double>(yes) / people;
}

text::TextFile open_lines(task::DataFolder& data, const std::string& file)
{
    return open_text(data, file, text::Encoding::utf8, text::LineEnds::newlines);
}

Part read_dev(task::DataFolder& data, const std::string& file, text::Arena& arena)
{
    Part part;
    part.name = "dev";
    PartWriter items(part, arena);
    auto lines = open_lines(data, file);
    while (lines.next()) {
        const auto columns = lines.columns(lines.line(), 5);
        items.add(columns[2], columns[3], share_of_votes(lines, columns[4]));
    }
    require_items(part, lines.name());
    return part;
}

Part read_test(task::DataFolder& data,
               const std::string& file,
               const std::string& labels,
               text::Arena& arena)
{
    Part part;
    part.name = "test";
    part.tested = true;
    PartWriter items(part, arena);
    auto input = open_lines(data, file);
    auto gold = open_lines(data, labels);
    const std::array<text::TextFile*, 2> both = {&input, &gold};
    for (std::size_t lines = 0; next_together(both, lines); ++lines) {
        const auto columns = input.columns(input.line(), 4);
        items.add(columns[2], columns[3], score(gold, gold.columns(gold.line(), 2)[1], 0, 1));
    }
    require_items(part, gold.name());
    return part;
}

} // namespace

Source annotated_ppdb_source(const std::string& folder)
{
    return line_source(
        {{"dev", folder + "/annotated-ppdb-dev"}, {"test", folder + "/annotated-ppdb-test"}},
        phrase_pairs(1, 5));
}

Source pavlick_source(const std::string& folder)
{
    return line_source({{"test", folder + "/JHUppdb"}}, phrase_pairs(1, 5));
}

Source twitter_similarity_source(const std::string& folder)
{
    Source source;
    source.files = {folder + "/dev.data", folder + "/test.data", folder + "/test.label"};
    source.read = [files = source.files](task::DataFolder& data) {
        Dataset dataset;
        dataset.parts.push_back(read_dev(data, files[0], dataset.arena));
        dataset.parts.push_back(read_test(data, files[1], files[2], dataset.arena));
        for (Part& part : dataset.parts) {
            sort_by_length(part);
            add_samples(dataset, part, SampleOrder::sorted);
        }
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
