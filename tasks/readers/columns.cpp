#include "tasks/readers/columns.hpp"

#include "core/names.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace senteval::tasks {
namespace {

/// A file whose columns have been found.
class ColumnFile {
public:
    ColumnFile(task::DataFolder& data, const std::string& relative, const ColumnFormat& format)
        : file_(open_text(data, relative, format.encoding, text::LineEnds::newlines))
    {
        std::vector<std::string> header;
        if (format.header && file_.next())
            for (const std::string_view name : file_.columns(file_.line(), 1))
                header.emplace_back(text::strip(name));
        first_ = find(format.first, header);
        second_ = format.second.empty() ? first_ : find(format.second, header);
        target_ = find(format.target, header);
        needed_ = 1 + std::max({first_, second_, target_});
    }

    bool next()
    {
        if (!file_.next())
            return false;
        columns_ = file_.columns(file_.line(), needed_);
        return true;
    }

    [[nodiscard]] const text::TextFile& file() const { return file_; }
    [[nodiscard]] std::string_view first() const { return columns_[first_]; }
    [[nodiscard]] std::string_view second() const { return columns_[second_]; }
    [[nodiscard]] std::string_view target() const { return text::strip(columns_[target_]); }

private:
    [[nodiscard]] std::size_t find(const std::string& column,
                                   const std::vector<std::string>& header) const
    {
        std::size_t number = 0;
        if (is_column_number(column)) {
            std::from_chars(column.data(), column.data() + column.size(), number);
            return number - 1;
        }
        const auto found = std::find(header.begin(), header.end(), column);
        if (found == header.end())
            file_.fail("the header has no column '{}'.{}", column,
                       core::did_you_mean(column, header));
        return static_cast<std::size_t>(found - header.begin());
    }

    text::TextFile file_;
    std::size_t first_ = 0;
    std::size_t second_ = 0;
    std::size_t target_ = 0;
    std::size_t needed_ = 0;
    std::span<const std::string_view> columns_;
};

std::vector<std::string>
labels_in(task::DataFolder& data, const std::string& relative, const ColumnFormat& format)
{
    ColumnFile file(data, relative, format);
    std::set<std::string> labels;
    while (file.next())
        labels.emplace(file.target());
    if (format.binary && labels.size() != 2)
        throw core::Error("{}: F1 is for two classes, and there are {}", file.file().name(),
                          labels.size());
    return {labels.begin(), labels.end()};
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
        if (format.scored)
            items.add(file.first(), file.second(), file.file().number(file.target(), "score"));
        else if (format.second.empty())
            items.add(file.first(), class_index(file.file(), file.target(), dataset.classes));
        else
            items.add(file.first(), file.second(),
                      class_index(file.file(), file.target(), dataset.classes));
    }
    require_items(part, file.file().name());
    if (source.part == "train" || source.part == "all")
        require_two_classes(part, file.file().name());
    sort_by_length(part);
    return part;
}

} // namespace

bool is_column_number(std::string_view column)
{
    const bool digits =
        std::all_of(column.begin(), column.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !column.empty() && column.size() <= 6 && column.front() != '0';
}

Source column_source(std::vector<PartFile> files, ColumnFormat format)
{
    Source source;
    for (const PartFile& file : files)
        source.files.push_back(file.file);
    source.read = [files = std::move(files), format = std::move(format)](task::DataFolder& data) {
        Dataset dataset;
        dataset.classes = format.classes;
        if (!format.scored && dataset.classes.empty())
            dataset.classes = labels_in(data, files.front().file, format);
        for (const PartFile& file : files) {
            dataset.parts.push_back(read_part(data, file, format, dataset));
            add_samples(dataset, dataset.parts.back());
        }
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
