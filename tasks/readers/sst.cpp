#include "tasks/readers/sst.hpp"

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

} // namespace senteval::tasks
