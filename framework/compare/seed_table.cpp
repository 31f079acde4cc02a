#include "compare/seed_table.hpp"

#include "compare/seed_table_text.hpp"
#include "core/table.hpp"
#include "stats/power.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>

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
            training_settings(core::parse_json(table.text("settings"))),
            true,
            static_cast<std::size_t>(table.required("items").integer()),
            table.required("seeds").real(),
            numbers(table, "by_seed"),
            numbers(table, "beside_items"),
            numbers(table, "item_deviations"),
            table.required("headline").boolean(),
            table.text("unit"),
            static_cast<int>(table.required("digits").integer())};
}

SeedTable read_seed_table()
{
    const auto file = core::Table::parse(seed_table_text, "data/seed_variance.toml");
    SeedTable table{file.text("measured_with"), {}};
    for (const core::Table& one : file.tables("measurement"))
        table.measurements.push_back(measurement_of(one));
    return table;
}

std::vector<double> logarithms(const std::vector<double>& variances)
{
    std::vector<double> values;
    values.reserve(variances.size());
    for (const double variance : variances)
        values.push_back(std::log(variance));
    return values;
}

/// Variance of the logarithm between encoders on one task, and its degrees of freedom. Of the headlines: a
/// task's further metrics are of the same fits.
stats::SeedVariance between_encoders(const std::vector<SeedMeasurement>& measurements)
{
    double squares = 0;
    double freedom = 0;
    for (const SeedMeasurement& one : measurements) {
        if (one.by_seed.size() < 2 || !one.headline)
            continue;
        const auto values = logarithms(one.by_seed);
        const double mean = stats::summarise(values).mean;
        for (const double value : values)
            squares += (value - mean) * (value - mean);
        freedom += static_cast<double>(values.size()) - 1;
    }
    return {squares / freedom, 0, freedom};
}

} // namespace

std::string training_settings(const core::Json& protocol_settings)
{
    auto settings = nlohmann::json::parse(core::to_text(protocol_settings)); // in order of keys
    settings.erase("seed");
    settings.erase("resample");
    return settings.dump();
}

const SeedMeasurement* SeedTable::find(std::string_view task,
                                       std::string_view metric,
                                       std::string_view settings,
                                       std::size_t items) const
{
    const auto at = std::find_if(measurements.begin(), measurements.end(), [&](const auto& one) {
        return one.headline && one.task == task && one.metric == metric &&
               one.settings == settings && one.items == items;
    });
    return at == measurements.end() ? nullptr : &*at;
}

stats::SeedVariance SeedTable::expected(const SeedMeasurement& measured) const
{
    constexpr double two_sided = 0.02; // 1 % above
    const stats::SeedVariance spread = between_encoders(measurements);
    const double mean = stats::summarise(logarithms(measured.by_seed)).mean;
    const auto encoders = static_cast<double>(measured.by_seed.size());
    const double above =
        stats::t_quantile(two_sided, spread.freedom) * std::sqrt(spread.total * (1 + 1 / encoders));
    double share = 0; // the largest that the items do not show
    for (std::size_t i = 0; i < measured.by_seed.size(); ++i)
        share = std::max(share, measured.beside_items[i] / measured.by_seed[i]);
    const double total = std::exp(mean + above);
    return {total, total * share, measured.seeds - 1};
}

const SeedTable& seed_table()
{
    static const SeedTable table = read_seed_table();
    return table;
}

stats::SeedVariance SeedMeasurement::typical() const
{
    return {stats::summarise(by_seed).mean, stats::summarise(beside_items).mean, seeds - 1};
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
