// The datasets whose lines are items: one file for each part, or for each class.
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <utility>

namespace senteval::tasks {
namespace {

Source sst_source(const std::string& folder, LineFormat format)
{
    return line_source({{"train", folder + "/sentiment-train"},
                        {"dev", folder + "/sentiment-dev"},
                        {"test", folder + "/sentiment-test"}},
                       std::move(format));
}

Source sick_source(const std::string& folder, LineFormat format)
{
    format.header = true;
    return line_source({{"train", folder + "/SICK_train.txt"},
                        {"dev", folder + "/SICK_trial.txt"},
                        {"test", folder + "/SICK_test_annotated.txt"}},
                       std::move(format));
}

} // namespace

Source sst2_source(const std::string& folder)
{
    LineFormat format;
    format.classes = {"negative", "positive"};
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const auto columns = file.columns(line, 2);
        items.add(columns[0], numbered_class(file, columns[1], 2));
    };
    return sst_source(folder, std::move(format));
}

Source sst5_source(const std::string& folder)
{
    LineFormat format;
    format.classes = {"very negative", "negative", "neutral", "positive", "very positive"};
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos)
            file.fail("expected a label, a space and a sentence, found {}", text::quote(line));
        items.add(line.substr(space + 1), numbered_class(file, line.substr(0, space), 5));
    };
    return sst_source(folder, std::move(format));
}

Source trec_source(const std::string& folder)
{
    LineFormat format;
    format.encoding = text::Encoding::latin1;
    format.classes = {"ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"};
    format.read_line = [classes = format.classes](text::TextFile& file, std::string_view line,
                                                  PartWriter& items) {
        const std::size_t colon = line.find(':');
        const std::size_t space = line.find(' ', colon == std::string_view::npos ? 0 : colon);
        if (colon == std::string_view::npos || space == std::string_view::npos)
            file.fail("expected 'LABEL:detail question', found {}", text::quote(line));
        items.add(line.substr(space + 1), class_index(file, line.substr(0, colon), classes));
    };
    return line_source(
        {{"train", folder + "/train_5500.label"}, {"test", folder + "/TREC_10.label"}},
        std::move(format));
}

Source mrpc_source(const std::string& folder)
{
    LineFormat format;
    format.header = true;
    format.classes = {"different", "paraphrase"};
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const auto columns = file.columns(line, 5);
        items.add(columns[3], columns[4], numbered_class(file, columns[0], 2));
    };
    return line_source({{"train", folder + "/msr_paraphrase_train.txt"},
                        {"test", folder + "/msr_paraphrase_test.txt"}},
                       std::move(format));
}

Source sick_entailment_source(const std::string& folder)
{
    LineFormat format;
    format.classes = {"CONTRADICTION", "NEUTRAL", "ENTAILMENT"};
    format.read_line = [classes = format.classes](text::TextFile& file, std::string_view line,
                                                  PartWriter& items) {
        const auto columns = file.columns(line, 5);
        items.add(columns[1], columns[2], class_index(file, columns[4], classes));
    };
    return sick_source(folder, std::move(format));
}

Source sick_relatedness_source(const std::string& folder)
{
    LineFormat format;
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const auto columns = file.columns(line, 5);
        items.add(columns[1], columns[2], score(file, columns[3], 1, 5));
    };
    return sick_source(folder, std::move(format));
}

Source sts_benchmark_source(const std::string& folder)
{
    LineFormat format;
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const auto columns = file.columns(line, 7);
        items.add(columns[5], columns[6], score(file, columns[4], 0, 5));
    };
    return line_source({{"train", folder + "/sts-train.csv"},
                        {"dev", folder + "/sts-dev.csv"},
                        {"test", folder + "/sts-test.csv"}},
                       std::move(format));
}

namespace {

void read_class(task::DataFolder& data,
                const std::string& relative,
                std::uint32_t label,
                PartWriter& items)
{
    auto file = open_text(data, relative, text::Encoding::latin1, text::LineEnds::unicode);
    std::size_t lines = 0;
    for (; file.next(); ++lines)
        items.add(file.line(), label);
    if (lines == 0)
        throw base::Error("{}: there are no items in it", file.name());
}

} // namespace

Source binary_source(const ClassFile& class_1, const ClassFile& class_0)
{
    return make_source({class_1.file, class_0.file},
                       [class_1, class_0](task::DataFolder& data, Dataset& dataset) {
                           dataset.classes = {class_0.name, class_1.name};
                           Part& part = dataset.parts.emplace_back("all", true);
                           PartWriter items(part, dataset.arena);
                           read_class(data, class_1.file, 1, items);
                           read_class(data, class_0.file, 0, items);
                           sort_by_length(part);
                           add_samples(dataset, part);
                       });
}

} // namespace senteval::tasks
