#include "tasks/readers/mrpc.hpp"

#include "tasks/readers/reading.hpp"

#include <utility>

namespace senteval::tasks {

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

} // namespace senteval::tasks
