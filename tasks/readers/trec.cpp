#include "tasks/readers/trec.hpp"

#include "tasks/readers/reading.hpp"

#include <utility>

namespace senteval::tasks {

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

} // namespace senteval::tasks
