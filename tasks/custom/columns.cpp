#include "tasks/custom/columns.hpp"

#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "data/ptb_tokeniser.hpp"
#include "tasks/custom/column_file.hpp"
#include "tasks/custom/labels.hpp"
#include "tasks/data_warnings.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace senteval::tasks {
namespace {

std::string prepared(std::string_view text, const ColumnFormat& format)
{
    std::string result(text);
    if (format.tokenise == Tokeniser::ptb)
        result = data::tokenise_ptb(text);
    else if (format.tokenise == Tokeniser::moses)
        result = data::tokenise_moses(text);
    return format.lowercase ? data::lower_case(result) : result;
}

double score_of(const ColumnFile& file, const ColumnFormat& format)
{
    const double value = file.file().number(file.target(), "score");
    if (value < format.lowest_score || value > format.highest_score)
        file.file().fail("the score {} is outside {} to {}{}", file.target(), format.lowest_score,
                         format.highest_score,
                         format.highest_score < 1e100
                             ? ": say with lowest_score and highest_score what the scale is"
                             : "");
    return value;
}

void add_item(const ColumnFile& file,
              const ColumnFormat& format,
              const std::vector<std::string>& classes,
              PartWriter& items)
{
    const std::string first = prepared(file.first(), format);
    if (format.scored) {
        items.add(first, prepared(file.second(), format), score_of(file, format));
        return;
    }
    if (file.target().empty())
        file.file().fail("the label is empty");
    const std::uint32_t label = class_index(file.file(), file.target(), classes);
    if (format.second.empty())
        items.add(first, label);
    else
        items.add(first, prepared(file.second(), format), label);
}

bool is_number(std::string_view text)
{
    double ignored = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

/// A line that is skipped as a header but has a label or a score where those are.
bool header_is_item(const ColumnFile& file, const ColumnFormat& format, const Dataset& dataset)
{
    const std::string name = file.target_name();
    return format.scored ? is_number(name)
                         : std::find(dataset.classes.begin(), dataset.classes.end(), name) !=
                               dataset.classes.end();
}

Part read_part(task::DataFolder& data,
               const PartFile& source,
               const ColumnFormat& format,
               Dataset& dataset)
{
    ColumnFile file(data, source.file, format);
    Part part;
    part.name = source.part;
    part.tested = source.part == "test" || source.part == "all";
    PartWriter items(part, dataset.arena);
    while (file.next()) {
        try {
            add_item(file, format, dataset.classes, items);
        } catch (const core::Error& e) {
            if (file.file().line_number() > 1 || format.header || is_number(file.target()))
                throw;
            throw core::Error("{}; if this line names the columns, set header = true", e.what());
        }
    }
    require_items(part, file.file().name());
    if (source.part == "train" || source.part == "all")
        require_two_classes(part, file.file().name());
    if (format.header && header_is_item(file, format, dataset))
        dataset.data_warnings.push_back(
            fmt::format("{}:1: this line is left out, since header = true, and reads like an item",
                        file.file().name()));
    for (std::string& warning : file.data_warnings())
        dataset.data_warnings.push_back(std::move(warning));
    sort_by_length(part);
    return part;
}

Dataset read(task::DataFolder& data, const std::vector<PartFile>& files, const ColumnFormat& format)
{
    Dataset dataset;
    dataset.classes = format.classes;
    if (!format.scored && dataset.classes.empty())
        dataset.classes = labels_in(data, files.front().file, format, dataset);
    for (const PartFile& file : files) {
        dataset.parts.push_back(read_part(data, file, format, dataset));
        add_samples(dataset, dataset.parts.back());
    }
    warn_of_texts(dataset);
    warn_of_classes(dataset);
    warn_of_copies(dataset);
    if (format.tokenise == Tokeniser::as_is)
        warn_of_tokens(dataset);
    return dataset;
}

} // namespace

bool is_column_number(std::string_view column)
{
    const bool digits =
        std::all_of(column.begin(), column.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !column.empty() && column.size() <= 6 && column.front() != '0';
}

Source
column_source(const std::filesystem::path& base, std::vector<PartFile> files, ColumnFormat format)
{
    Source source;
    source.base = base;
    for (const PartFile& file : files)
        source.files.push_back(file.file);
    source.read = [files = std::move(files), format = std::move(format)](task::DataFolder& data) {
        return read(data, files, format);
    };
    return source;
}

} // namespace senteval::tasks
