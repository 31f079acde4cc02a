#include "tasks/readers/reading.hpp"

#include "core/error.hpp"

namespace senteval::tasks {

text::TextFile open_text(task::DataFolder& data,
                         const std::string& relative,
                         text::Encoding encoding,
                         text::LineEnds ends)
{
    return {data.path(relative).string(), data.open(relative), encoding, ends};
}

void require_items(const Part& part, const std::string& file)
{
    if (part.size() == 0)
        throw core::Error("{}: no items in it; fetch the file again", file);
}

} // namespace senteval::tasks
