#include "tasks/custom/column_file.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "text/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace senteval::tasks {

ColumnFile::ColumnFile(task::DataFolder& data,
                       const std::string& relative,
                       const ColumnFormat& format)
    : file_(open_text(data, relative, format.encoding, text::LineEnds::newlines)),
      names_{format.first, format.second, format.target}
{
    if (format.header) {
        if (!file_.next())
            throw core::Error("{}: there are no items in it", file_.name());
        for (const std::string_view name : file_.columns(file_.line(), 1))
            header_.emplace_back(text::strip(name));
    }
    for (std::size_t key = 0; key < keys; ++key)
        at_[key] = names_[key].empty() ? at_[first_key] : find(names_[key]);
    require_different();
    needed_ = 1 + *std::max_element(at_.begin(), at_.end());
}

bool ColumnFile::next()
{
    if (!file_.next() || is_rest_empty())
        return false;
    columns_ = file_.columns(file_.line(), needed_);
    for (std::size_t key = 0; key < keys; ++key)
        if (!names_[key].empty())
            quotes_[key].add(text::strip(columns_[at_[key]]));
    if (!header_.empty())
        look_for_wide_line();
    return true;
}

/// Empty lines may end a file; one between items has no columns.
bool ColumnFile::is_rest_empty()
{
    if (!file_.line().empty())
        return false;
    const std::size_t first = file_.line_number();
    while (file_.next())
        if (!file_.line().empty())
            throw core::Error("{}:{}: this line is empty, and items follow it", file_.name(),
                              first);
    return true;
}

/// TABs at the end of a line cut nothing.
void ColumnFile::look_for_wide_line()
{
    const bool is_wide =
        columns_.size() > header_.size() &&
        std::any_of(columns_.begin() + static_cast<std::ptrdiff_t>(header_.size()), columns_.end(),
                    [](std::string_view value) { return !text::strip(value).empty(); });
    if (is_wide && ++wide_.count == 1) {
        wide_.first = file_.line_number();
        wide_.columns = columns_.size();
    }
}

std::string_view ColumnFile::target() const
{
    return text::strip(columns_[at_[target_key]]);
}

std::string ColumnFile::target_name() const
{
    return at_[target_key] < header_.size() ? header_[at_[target_key]] : std::string{};
}

std::size_t ColumnFile::find(const std::string& column)
{
    const auto found = std::find(header_.begin(), header_.end(), column);
    const auto number = static_cast<std::size_t>(found - header_.begin()) + 1;
    if (is_column_number(column)) {
        std::size_t wanted = 0;
        std::from_chars(column.data(), column.data() + column.size(), wanted);
        if (found != header_.end() && number != wanted)
            warnings_.push_back(
                fmt::format("{}:{}: '{}' was read as the number of a column, though "
                            "column number {} has this name",
                            file_.name(), file_.line_number(), column, number));
        return wanted - 1;
    }
    if (found == header_.end())
        file_.fail("the header has no column '{}'.{}", column, core::did_you_mean(column, header_));
    const auto other = std::find(found + 1, header_.end(), column);
    if (other != header_.end())
        file_.fail(
            "the header has two columns '{}', number {} and number {}: give the number of the "
            "one that is meant in place of the name",
            column, number, other - header_.begin() + 1);
    return number - 1;
}

/// Names that are alike were refused with the description: here a number meets a name.
void ColumnFile::require_different() const
{
    for (std::size_t one = 0; one < keys; ++one)
        for (std::size_t other = one + 1; other < keys; ++other)
            if (at_[one] == at_[other] && !names_[one].empty() && !names_[other].empty())
                file_.fail("'{}' = '{}' and '{}' = '{}' are the same column, number {}",
                           column_keys[one], names_[one], column_keys[other], names_[other],
                           at_[one] + 1);
}

void ColumnFile::Quotes::add(std::string_view value)
{
    if (value.empty())
        return;
    ++values;
    if (value.size() < 2 || value.front() != '"' || value.back() != '"')
        return;
    ++quoted;
    std::string_view within = value.substr(1, value.size() - 2);
    std::size_t pairs = 0;
    for (std::size_t at = within.find('"'); at != std::string_view::npos; at = within.find('"')) {
        if (!within.substr(at).starts_with("\"\""))
            return;
        ++pairs;
        within.remove_prefix(at + 2);
    }
    doubled += pairs > 0 ? 1 : 0;
}

/// Text may begin and end with a quote of its own, but seldom nearly all of it, and hardly with all quotes
/// within doubled.
bool ColumnFile::Quotes::are_noticeable() const
{
    return (quoted > 1 && quoted * 10 >= values * 9) || doubled > 0;
}

std::string ColumnFile::warning_of_quotes() const
{
    std::vector<std::string> found;
    for (std::size_t key = 0; key < keys; ++key)
        if (const Quotes& quotes = quotes_[key]; quotes.are_noticeable())
            found.push_back(fmt::format("{} of {} values of the column '{}' ('{}')", quotes.quoted,
                                        quotes.values, names_[key], column_keys[key]));
    if (found.empty())
        return {};
    return fmt::format(
        "{}: {} begin and end with '\"', which counts as text: TABs alone separate "
        "columns, and CSV's quotes are not read. Write the file without them, unless "
        "they are meant",
        file_.name(), fmt::join(found, " and "));
}

std::string ColumnFile::warning_of_wide_lines() const
{
    if (wide_.count == 0)
        return {};
    return fmt::format(
        "{}:{}: this line has {} columns and the header line {}{}: a TAB within a text "
        "ends the text and shifts what follows",
        file_.name(), wide_.first, wide_.columns, header_.size(),
        wide_.count == 1 ? "" : fmt::format(" ({} lines are so)", wide_.count));
}

std::vector<std::string> ColumnFile::data_warnings() const
{
    std::vector<std::string> all = warnings_;
    for (std::string warning : {warning_of_quotes(), warning_of_wide_lines()})
        if (!warning.empty())
            all.push_back(std::move(warning));
    return all;
}

} // namespace senteval::tasks
