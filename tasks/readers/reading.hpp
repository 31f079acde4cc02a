// reading.hpp -- what the readers share.
#pragma once

#include "task/data_folder.hpp"
#include "tasks/dataset.hpp"
#include "text/text_file.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace senteval::tasks {

/// Opens a text file below the data folder; its errors carry the full path.
text::TextFile open_text(task::DataFolder& data,
                         const std::string& relative,
                         text::Encoding encoding,
                         text::LineEnds ends);

/// Throws core::Error naming the file where nothing was read from it.
void require_items(const Part& part, const std::string& file);

} // namespace senteval::tasks
