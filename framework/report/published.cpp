#include "report/published.hpp"

#include "core/error.hpp"
#include "report/published_text.hpp"

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace senteval::report {
namespace {

std::string text_at(const toml::table& table, std::string_view key)
{
    return table[key].value_or(std::string());
}

PublishedTable::Row row_of(const toml::table& table)
{
    PublishedTable::Row row{text_at(table, "name"), {}, table["reference"].value_or(false)};
    for (const toml::node& value : *table["values"].as_array())
        row.values.push_back(value.value<double>().value_or(core::nan));
    return row;
}

PublishedTable table_of(const toml::table& table)
{
    PublishedTable result;
    result.title = text_at(table, "title");
    result.source = text_at(table, "source");
    result.note = text_at(table, "note");
    result.decimals = table["decimals"].value_or(1);
    const double scale = table["scale"].value_or(1.0);
    for (const toml::node& node : *table["columns"].as_array()) {
        const toml::table& column = *node.as_table();
        result.columns.push_back(
            {text_at(column, "label"), text_at(column, "task"), text_at(column, "metric"), scale});
    }
    for (const toml::node& node : *table["row"].as_array()) {
        result.rows.push_back(row_of(*node.as_table()));
        if (result.rows.back().values.size() != result.columns.size())
            throw core::Error("data/published.toml: '{}' of '{}' has {} values for {} columns",
                              result.rows.back().name, result.title,
                              result.rows.back().values.size(), result.columns.size());
    }
    return result;
}

} // namespace

std::vector<PublishedTable> published_tables()
{
    const toml::table file = toml::parse(published_text, std::string_view("data/published.toml"));
    std::vector<PublishedTable> tables;
    for (const toml::node& node : *file["table"].as_array())
        tables.push_back(table_of(*node.as_table()));
    return tables;
}

} // namespace senteval::report
