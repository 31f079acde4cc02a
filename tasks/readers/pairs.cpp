// Pairs of sentences in several files: the yearly STS tasks, SNLI and MultiNLI, phrases and tweets.
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>

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
    using enum text::LineEnds;
    auto input = open_text(data, input_file(folder, subset), text::Encoding::utf8, unicode);
    auto gold = open_text(data, gold_file(folder, subset), text::Encoding::utf8, unicode);
    Part part(subset, true);
    PartWriter items(part, arena);
    each_line_of({&input, &gold}, [&] {
        const auto columns = input.columns(input.line(), 2);
        if (!gold.line().empty())
            items.add(columns[0], columns[1], score(gold, gold.line(), 0, 5));
    });
    check_items(part, gold.name());
    return part;
}

} // namespace

Source sts_source(const std::string& folder, const std::vector<std::string>& subsets)
{
    std::vector<std::string> files;
    for (const std::string& subset : subsets)
        files.insert(files.end(), {input_file(folder, subset), gold_file(folder, subset)});
    return make_source(files, [folder, subsets](task::DataFolder& data, Dataset& dataset) {
        for (const std::string& subset : subsets) {
            Part& part =
                dataset.parts.emplace_back(read_subset(data, folder, subset, dataset.arena));
            sort_by_length(part);
            add_samples(dataset, part, SampleOrder::sorted);
        }
    });
}

namespace {

const std::vector<std::string>& nli_classes()
{
    static const std::vector<std::string> classes = {"entailment", "neutral", "contradiction"};
    return classes;
}

void sort_as_loaded(Part& part)
{
    order_by(part, [&](std::uint32_t i) {
        return std::tuple(part.second[i].tokens, part.first[i].tokens,
                          std::string_view(nli_classes()[part.labels[i]]));
    });
}

Part read_part(task::DataFolder& data,
               const std::string& name,
               std::span<const std::string> files,
               text::Encoding encoding,
               text::Arena& arena)
{
    auto s1 = open_text(data, files[0], encoding);
    auto s2 = open_text(data, files[1], encoding);
    auto labels = open_text(data, files[2]);
    Part part(name, name == "test");
    PartWriter items(part, arena);
    each_line_of({&s1, &s2, &labels}, [&] {
        items.add(s1.line(), s2.line(), class_index(labels, labels.line(), nli_classes()));
    });
    check_items(part, labels.name());
    sort_as_loaded(part);
    return part;
}

} // namespace

Source nli_source(const std::string& folder,
                  text::Encoding encoding,
                  const std::array<std::string, 3>& endings)
{
    std::vector<std::string> files;
    for (const std::string& ending : endings)
        for (const char* kind : {"/s1.", "/s2.", "/labels."})
            files.push_back(folder + kind + ending);
    return make_source(files, [files, encoding](task::DataFolder& data, Dataset& dataset) {
        dataset.classes = nli_classes();
        std::span<const std::string> left = files;
        for (const char* part : {"train", "dev", "test"}) {
            dataset.parts.push_back(read_part(data, part, left.first(3), encoding, dataset.arena));
            add_samples(dataset, dataset.parts.back(), SampleOrder::sorted);
            left = left.subspan(3);
        }
    });
}

namespace {

/// Lines of two phrases and a score.
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

Part read_dev(task::DataFolder& data, const std::string& file, text::Arena& arena)
{
    Part part("dev", false);
    PartWriter items(part, arena);
    auto lines = open_text(data, file);
    while (lines.next()) {
        const auto columns = lines.columns(lines.line(), 5);
        items.add(columns[2], columns[3], share_of_votes(lines, columns[4]));
    }
    check_items(part, lines.name());
    return part;
}

Part read_test(task::DataFolder& data,
               const std::string& file,
               const std::string& labels,
               text::Arena& arena)
{
    Part part("test", true);
    PartWriter items(part, arena);
    auto input = open_text(data, file);
    auto gold = open_text(data, labels);
    each_line_of({&input, &gold}, [&] {
        const auto columns = input.columns(input.line(), 4);
        items.add(columns[2], columns[3], score(gold, gold.columns(gold.line(), 2)[1], 0, 1));
    });
    check_items(part, gold.name());
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
    const std::vector<std::string> files = {folder + "/dev.data", folder + "/test.data",
                                            folder + "/test.label"};
    return make_source(files, [files](task::DataFolder& data, Dataset& dataset) {
        dataset.parts.push_back(read_dev(data, files[0], dataset.arena));
        dataset.parts.push_back(read_test(data, files[1], files[2], dataset.arena));
        for (Part& part : dataset.parts) {
            sort_by_length(part);
            add_samples(dataset, part, SampleOrder::sorted);
        }
    });
}

} // namespace senteval::tasks
