#include "tasks/readers/sick.hpp"

#include "tasks/readers/reading.hpp"

#include <utility>

namespace senteval::tasks {
namespace {

Source sick_source(const std::string& folder, LineFormat format)
{
    format.header = true;
    return line_source({{"train", folder + "/SICK_train.txt"},
                        {"dev", folder + "/SICK_trial.txt"},
                        {"test", folder + "/SICK_test_annotated.txt"}},
                       std::move(format));
}

} // namespace

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
        items.add(columns[1], columns[2], file.number(columns[3], "relatedness score"));
    };
    return sick_source(folder, std::move(format));
}

} // namespace senteval::tasks
