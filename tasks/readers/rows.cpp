#include "tasks/readers/rows.hpp"

#include "base/unicode.hpp"
#include "tasks/readers/reading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

namespace senteval::tasks {

RecordFile::RecordFile(task::DataFolder& data,
                       const std::string& name,
                       bool has_header,
                       text::Encoding encoding,
                       std::optional<text::RecordForm> given,
                       std::optional<char> separator)
    : file(open_text(data, name, encoding, text::LineEnds::newlines, true)),
      form(given.value_or(separator ? text::RecordForm::csv : text::record_form_of(name))),
      records(file, form, has_header, separator)
{
}

void CsvQuotes::add(std::string_view value)
{
    value = base::strip(value);
    const bool is_quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
    if (is_quoted)
        value = value.substr(1, value.size() - 2);
    ++values_;
    quoted_ += is_quoted ? 1 : 0;
    for (auto at = value.find('"'); at != std::string_view::npos; at = value.find('"', at + 2))
        has_bare_mark_ |= !is_quoted || !value.substr(at).starts_with("\"\"");
}

void CsvQuotes::warn(Dataset& dataset, const std::string& file, std::string_view column) const
{
    if (quoted_ > 1 && !has_bare_mark_)
        dataset.warn("quotes",
                     "{}: {} of {} values of the column '{}' begin and end with '\"', which counts "
                     "as text: set "
                     "format = \"excel-tab\", or write the file without CSV's quotes",
                     file, quoted_, values_, column);
}

std::optional<double> parsed_number(std::string_view text)
{
    text = base::strip(text);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::optional<bool> parsed_flag(std::string_view text)
{
    if (text == "true" || text == "false" || text == "True" || text == "False")
        return text.ends_with("rue");
    const auto number = parsed_number(text);
    return number == 0 || number == 1 ? std::optional(number == 1) : std::nullopt;
}

std::size_t NamedFields::find(std::string_view field) const
{
    const auto& names = row_.header();
    return static_cast<std::size_t>(std::ranges::find(names, field) - names.begin());
}

bool NamedFields::has(std::string_view field) const
{
    return !std::holds_alternative<std::monostate>(row_.value(find(field)));
}

bool NamedFields::is_list(std::string_view field) const
{
    return std::holds_alternative<std::vector<std::string>>(row_.value(find(field)));
}

std::size_t NamedFields::number_of(std::string_view field) const
{
    const std::size_t number = find(field);
    if (number == row_.header().size())
        fail("there is no '{}'; its fields are {}", field, fmt::join(row_.header(), ", "));
    return number;
}

std::string NamedFields::text(std::string_view field) const
{
    return std::string(row_.field(number_of(field)));
}

std::string NamedFields::text_or_nothing(std::string_view field) const
{
    return has(field) ? text(field) : std::string();
}

const std::vector<std::string>& NamedFields::texts(std::string_view field) const
{
    return row_.list(number_of(field));
}

double NamedFields::number_in(std::string_view field, std::string_view text) const
{
    if (const auto number = parsed_number(text))
        return *number;
    fail("'{}' is {}, no number", field, text::quote(base::strip(text)));
}

double NamedFields::number(std::string_view field) const
{
    return number_in(field, text(field));
}

std::vector<double> NamedFields::numbers(std::string_view field) const
{
    std::vector<double> all;
    for (const std::string& text : texts(field))
        all.push_back(number_in(field, text));
    return all;
}

bool RecordFile::next()
{
    if (!records.next())
        return false;
    if (records.size() > records.header().size())
        records.fail("this row has {} fields and the header line {}: a TAB or separator within "
                     "a text ends the text",
                     records.size(), records.header().size());
    return true;
}

void each_row(task::DataFolder& data,
              Dataset& dataset,
              const std::string& name,
              const std::function<void(const NamedFields&)>& read)
{
    RecordFile opened(data, name);
    const auto& names = opened.records.header();
    for (auto one = names.begin(); one != names.end(); ++one)
        if (!one->empty() && std::count(one + 1, names.end(), *one) > 0)
            throw base::Error("{}: the header has two columns '{}'", opened.file.name(), *one);
    if (!opened.next())
        throw base::Error("{}: there is no row", opened.file.name());
    std::vector<CsvQuotes> quotes(opened.form == text::RecordForm::tsv ? names.size() : 0);
    do {
        read(NamedFields(opened.records));
        for (std::size_t at = 0; at < std::min(quotes.size(), opened.records.size()); ++at)
            quotes[at].add(opened.records.field(at));
    } while (opened.next());
    for (std::size_t at = 0; at < quotes.size(); ++at)
        quotes[at].warn(dataset, opened.file.name(), names[at]);
}

Source row_source(std::vector<std::string> files,
                  const std::function<void(task::DataFolder&, Dataset&)>& fill)
{
    std::erase(files, "");
    return make_source(std::move(files), [fill](task::DataFolder& data, Dataset& dataset) {
        fill(data, dataset);
        for (Part& part : dataset.parts) {
            keep_order(part);
            if (part.name != "texts") // those that summaries are of
                add_samples(dataset, part);
        }
    });
}

} // namespace senteval::tasks
