#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

namespace senteval::tasks {
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
        throw core::Error("{}: there are no items in it", file.name());
}

} // namespace

Source binary_source(const ClassFile& class_1, const ClassFile& class_0)
{
    Source source;
    source.files = {class_1.file, class_0.file};
    source.read = [class_1, class_0](task::DataFolder& data) {
        Dataset dataset;
        dataset.classes = {class_0.name, class_1.name};
        Part& part = dataset.parts.emplace_back();
        part.name = "all";
        part.tested = true;
        PartWriter items(part, dataset.arena);
        read_class(data, class_1.file, 1, items);
        read_class(data, class_0.file, 0, items);
        sort_by_length(part);
        add_samples(dataset, part);
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
