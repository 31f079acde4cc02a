#include "tasks/readers/rows.hpp"

#include "core/error.hpp"
#include "tasks/readers/reading.hpp"
#include "text/records.hpp"
#include "text/unicode.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace senteval::tasks {
namespace {

std::string text_of(const core::Json& value)
{
    return value.is_string() ? value.get<std::string>() : core::to_text(value);
}

bool is_text(const core::Json& value)
{
    return value.is_string() || value.is_number() || value.is_boolean();
}

} // namespace

const core::Json& NamedFields::at(std::string_view field) const
{
    const auto found = fields_.find(field);
    if (found == fields_.end())
        fail("there is no '{}'", field);
    return *found;
}

bool NamedFields::has(std::string_view field) const
{
    return fields_.contains(field);
}

bool NamedFields::is_list(std::string_view field) const
{
    return has(field) && at(field).is_array();
}

std::string NamedFields::text(std::string_view field) const
{
    if (!is_text(at(field)))
        fail("'{}' is no text", field);
    return text_of(at(field));
}

std::string NamedFields::text_or_nothing(std::string_view field) const
{
    return has(field) && !at(field).is_null() ? text(field) : std::string();
}

std::vector<std::string> NamedFields::texts(std::string_view field) const
{
    std::vector<std::string> all;
    if (!at(field).is_array())
        fail("'{}' is no list", field);
    for (const core::Json& value : at(field)) {
        if (!is_text(value))
            fail("'{}' is no list of texts", field);
        all.push_back(text_of(value));
    }
    return all;
}

double NamedFields::number(std::string_view field) const
{
    const core::Json& value = at(field);
    if (value.is_number())
        return value.get<double>();
    const std::string text(text::strip(this->text(field)));
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        fail("'{}' is {}, no number", field, text::quote(text));
    return number;
}

std::vector<double> NamedFields::numbers(std::string_view field) const
{
    std::vector<double> all;
    for (const core::Json& value : at(field)) {
        if (!value.is_number())
            fail("'{}' is no list of numbers", field);
        all.push_back(value.get<double>());
    }
    return all;
}

void each_row(task::DataFolder& data,
              const std::string& file,
              const std::function<void(const NamedFields&)>& read)
{
    auto opened = open_text(data, file, text::Encoding::utf8, text::LineEnds::newlines, true);
    const auto place = [&](std::size_t line) { return fmt::format("{}:{}", opened.name(), line); };
    std::size_t rows = 0;
    const text::RecordForm form = text::record_form_of(file);
    if (form == text::RecordForm::json_lines) {
        while (opened.next()) {
            if (text::strip(opened.line()).empty())
                continue;
            core::Json fields;
            try {
                fields = core::parse_json(opened.line());
            } catch (const core::Error& e) {
                opened.fail("this is no JSON: {}", e.what());
            }
            if (!fields.is_object())
                opened.fail("this is no JSON object");
            read(NamedFields(fields, place(opened.line_number())));
            ++rows;
        }
    } else {
        text::Records records(opened, form, true);
        while (records.next()) {
            core::Json fields = core::Json::object();
            for (std::size_t i = 0; i < records.size() && i < records.header().size(); ++i)
                fields[records.header()[i]] = std::string(records.field(i));
            read(NamedFields(fields, place(records.line_number())));
            ++rows;
        }
    }
    if (rows == 0)
        throw core::Error("{}: there is no row", opened.name());
}

} // namespace senteval::tasks
