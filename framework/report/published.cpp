#include "report/published.hpp"

#include "core/table.hpp"
#include "report/published_text.hpp"

#include <algorithm>

namespace senteval::report {
namespace {

PublishedTable::Row row_of(const core::Table& table)
{
    PublishedTable::Row row{table.text("name"), {}};
    for (const core::Value& value : table.required("values").elements())
        row.values.push_back(value.is_list() ? base::nan : value.real());
    return row;
}

PublishedTable table_of(const core::Table& table)
{
    PublishedTable result;
    result.title = table.text("title");
    result.source = table.text("source");
    result.note = table.text("note");
    result.decimals = static_cast<int>(table.required("decimals").integer());
    const double scale = table.required("scale").real();
    for (const core::Table& column : table.tables("columns"))
        result.columns.push_back(
            {column.text("label"), column.text("task"), column.text("metric"), scale});
    for (const core::Table& row : table.tables("row")) {
        result.rows.push_back(row_of(row));
        if (result.rows.back().values.size() != result.columns.size())
            row.fail("'{}' has {} values for {} columns", result.rows.back().name,
                     result.rows.back().values.size(), result.columns.size());
    }
    return result;
}

} // namespace

const std::vector<PublishedTable>& published_tables()
{
    static const std::vector<PublishedTable> all = [] {
        const auto file = core::Table::parse(published_text, "data/published.toml");
        std::vector<PublishedTable> tables;
        for (const core::Table& table : file.tables("table"))
            tables.push_back(table_of(table));
        return tables;
    }();
    return all;
}

bool is_published_set(const compare::TaskComparison& task)
{
    return std::ranges::all_of(task.entries, [](const compare::Entry& entry) {
        return entry.data_warnings.empty() && entry.trained_on.empty();
    });
}

} // namespace senteval::report
