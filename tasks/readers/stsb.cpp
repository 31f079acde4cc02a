#include "tasks/readers/stsb.hpp"

#include "tasks/readers/reading.hpp"

#include <utility>

namespace senteval::tasks {

Source sts_benchmark_source(const std::string& folder)
{
    LineFormat format;
    format.read_line = [](text::TextFile& file, std::string_view line, PartWriter& items) {
        const auto columns = file.columns(line, 7);
        items.add(columns[5], columns[6], file.number(columns[4], "gold score"));
    };
    return line_source({{"train", folder + "/sts-train.csv"},
                        {"dev", folder + "/sts-dev.csv"},
                        {"test", folder + "/sts-test.csv"}},
                       std::move(format));
}

} // namespace senteval::tasks
