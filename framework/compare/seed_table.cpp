#include "compare/seed_table.hpp"

#include "compare/seed_table_text.hpp"

#include <toml++/toml.h>

#include <algorithm>

namespace senteval::compare {
namespace {

std::vector<double> numbers(const toml::table& table, std::string_view key)
{
    std::vector<double> values;
    for (const toml::node& value : *table[key].as_array())
        values.push_back(value.value_or(0.0));
    return values;
}

SeedMeasurement measurement_of(const toml::table& table)
{
    return {table["task"].value_or(std::string()),
            table["metric"].value_or(std::string()),
            table["classifier"].value_or(std::string()),
            table["items"].value_or(std::size_t{0}),
            table["seeds"].value_or(0.0),
            numbers(table, "by_seed"),
            numbers(table, "beside_items"),
            numbers(table, "item_deviations")};
}

SeedTable read()
{
    const toml::table file = toml::parse(seed_table_text);
    SeedTable table{file["measured_with"].value_or(std::string()), {}};
    for (const toml::node& node : *file["measurement"].as_array())
        table.measurements.push_back(measurement_of(*node.as_table()));
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
    static const SeedTable table = read();
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
