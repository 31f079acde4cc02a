// labels.hpp -- the label or score in a line of a dataset's file.
#pragma once

#include "data/manifest.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::data {

/// What stands in the place of the label in line `number` (from 1) of a file: nothing where the
/// format has no labels or the line is a header; an empty view where the line is built wrongly.
std::optional<std::string_view> label_of(Format format, std::string_view line, std::size_t number);

/// The labels of a file, counted.
struct LabelCount {
    std::map<std::string, std::uint64_t> counts;
    std::uint64_t lines = 0;
    std::uint64_t carriage_returns = 0; ///< lines that end in one
    std::size_t first_bad_line = 0;     ///< 0 where every line is built as its format says
    std::string bad_label;              ///< what stands there
};

/// For formats with scores only their range is checked: nothing is counted.
LabelCount count_labels(const File& file, std::string_view bytes);

} // namespace senteval::data
