#include "compare/seed_table.hpp"

#include "compare/seed_table_text.hpp"
#include "core/table.hpp"

#include <algorithm>

namespace senteval::compare {
namespace {

std::vector<double> numbers(const core::Table& table, std::string_view key)
{
    std::vector<double> values;
    for (const core::Value& value : table.required(key).elements())
        values.push_back(value.real());
    return values;
}

SeedMeasurement measurement_of(const core::Table& table)
{
    return {table.text("task"),
            table.text("metric"),
            table.text("classifier"),
            static_cast<std::size_t>(table.required("items").integer()),
            table.required("seeds").real(),
            numbers(table, "by_seed"),
            numbers(table, "beside_items"),
            numbers(table, "item_deviations")};
}

SeedTable read_seed_table()
{
    const auto file = core::Table::parse(seed_table_text, "data/seed_variance.toml");
    SeedTable table{file.text("measured_with"), {}};
    for (const core::Table& one : file.tables("measurement"))
        table.measurements.push_back(measurement_of(one));
    return table;
}

} // namespace

const SeedMeasurement*
SeedTable::find(std::string_view task, std::string_view metric, std::string_view classifier) const
{
    const auto at = std::find_if(measurements.begin(), measurements.end(), [&](const auto& one) {
        return one.task == task && one.metric == metric && one.classifier == classifier;
    });
    return at == measurements.end() ? nullptr : &*at;
}

const SeedTable& seed_table()
{
    static const SeedTable table = read_seed_table();
    return table;
}

stats::SeedVariance SeedMeasurement::expected() const
{
    std::vector<stats::SeedVariance> variances;
    for (std::size_t i = 0; i < by_seed.size(); ++i)
        variances.push_back({by_seed[i], beside_items[i], seeds - 1});
    return expected_of(variances);
}

stats::SeedVariance expected_of(std::span<const stats::SeedVariance> variances)
{
    stats::SeedVariance largest =
        *std::max_element(variances.begin(), variances.end(),
                          [](const auto& a, const auto& b) { return a.total < b.total; });
    if (variances.size() < 3) {
        largest.total *= 2;
        largest.beside_items *= 2;
    }
    return largest;
}

} // namespace senteval::compare
