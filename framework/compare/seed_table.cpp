#include "compare/seed_table.hpp"

#include "compare/seed_table_text.hpp"
#include "core/table.hpp"
#include "stats/expected_variance.hpp"
#include "stats/quantile.hpp"

#include <fmt/format.h>

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

std::vector<MeasuredEncoder> encoders_of(const core::Table& table)
{
    const auto kinds = table.texts("encoders");
    const auto scores = numbers(table, "scores");
    const auto seeds = numbers(table, "seeds");
    const auto by_seed = numbers(table, "by_seed");
    const auto beside_items = numbers(table, "beside_items");
    const auto along = numbers(table, "along");
    const auto norms = numbers(table, "norms");
    std::vector<MeasuredEncoder> encoders;
    for (std::size_t i = 0; i < by_seed.size(); ++i)
        encoders.push_back({kinds.at(i),
                            scores.at(i),
                            {by_seed[i], beside_items.at(i), seeds.at(i) - 1, along.at(i)},
                            norms.at(i)});
    return encoders;
}

SeedMeasurement measurement_of(const core::Table& table)
{
    return {table.text("task"),
            table.text("metric"),
            table.text("classifier"),
            training_settings(core::parse_json(table.text("settings"))),
            true,
            static_cast<std::size_t>(table.required("items").integer()),
            encoders_of(table),
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

/// That tell how far encoders differ on a task.
constexpr std::size_t enough_encoders = 5;

/// Of several encoders on one task.
struct Variances {
    std::vector<double> values;
    std::vector<double> freedom;
    // Sums over the encoders:
    double shares =
        0; ///< what the items do not show; of one that is not known they never show more
    double along = 0;

    void add(const stats::SeedVariance& one)
    {
        if (one.total > 0 && one.freedom > 0) {
            values.push_back(one.total);
            freedom.push_back(one.freedom);
            shares += std::max(0.0, one.beside_items) / one.total;
            along += one.along;
        }
    }
    [[nodiscard]] double count() const { return static_cast<double>(values.size()); }
    [[nodiscard]] double spread() const { return stats::log_spread(values, freedom); }
    [[nodiscard]] double spread_or_none() const { return values.size() < 2 ? 0.0 : spread(); }
};

/// Between encoders on one task, pooled over the tasks. Of the headlines: a task's further metrics are of the
/// same fits.
double pooled_spread(const std::vector<SeedMeasurement>& measurements)
{
    double sum = 0;
    double freedom = 0;
    for (const SeedMeasurement& one : measurements) {
        Variances variances;
        for (const MeasuredEncoder& encoder : one.encoders)
            variances.add(encoder.by_seed);
        if (!one.headline || variances.values.size() < 2)
            continue;
        sum += (variances.count() - 1) * variances.spread();
        freedom += variances.count() - 1;
    }
    return freedom > 0 ? sum / freedom : 0.0;
}

} // namespace

bool are_of_like_norm(double a, double b)
{
    constexpr double usual = 20;
    constexpr double times = 2;
    const auto [shorter, longer] = std::minmax(a, b);
    return longer <= usual || (shorter > usual && longer <= times * shorter);
}

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

std::optional<stats::SeedVariance> SeedTable::expected(const SeedMeasurement* measured,
                                                       std::span<const MeasuredEncoder> here,
                                                       double norm,
                                                       bool is_worse) const
{
    Variances all;
    std::optional<stats::SeedVariance> any;
    const auto add = [&](std::span<const MeasuredEncoder> encoders) {
        for (const MeasuredEncoder& one : encoders)
            if (are_of_like_norm(one.norm, norm)) {
                all.add(one.by_seed);
                any = one.by_seed;
            }
    };
    const bool is_measured = measured != nullptr && measured->tells_of_others(norm);
    if (is_measured)
        add(measured->encoders);
    add(here);
    if (!any)
        return std::nullopt;
    if (all.values.empty()) // seeds change nothing
        return stats::SeedVariance{0, 0, any->freedom};
    // Those of a store may be many copies of one: that they agree says nothing of a further one.
    const double spread = is_measured && !is_worse
                              ? all.spread()
                              : std::max(all.spread_or_none(), pooled_spread(measurements));
    auto expected = stats::expected_variance(all.values, all.freedom, spread);
    if (is_worse)
        expected.variance = std::max(expected.variance, std::ranges::max(all.values));
    return stats::SeedVariance{expected.variance, expected.variance * all.shares / all.count(),
                               expected.freedom, all.along / all.count()};
}

std::string SeedTable::basis(const SeedMeasurement& measured, std::optional<double> norm) const
{
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(measured.encoders, [&](const MeasuredEncoder& one) {
            return !norm || are_of_like_norm(one.norm, *norm);
        }));
    const std::string whose =
        count < measured.encoders.size() ? " with vectors of like length" : "";
    const bool is_all = std::ranges::all_of(
        measurements, [&](const SeedMeasurement& other) { return other.encoders.size() <= count; });
    return is_all ? measured_with
                  : fmt::format("{} encoders on {}{}, among {}", count, measured.task, whose,
                                measured_with);
}

const SeedTable& seed_table()
{
    static const SeedTable table = read_seed_table();
    return table;
}

bool SeedMeasurement::tells_of_others(double norm) const
{
    constexpr double most_spread = 1;
    Variances alike;
    for (const MeasuredEncoder& one : encoders)
        if (are_of_like_norm(one.norm, norm))
            alike.add(one.by_seed);
    return alike.values.size() >= enough_encoders && alike.spread() <= most_spread;
}

bool SeedMeasurement::reaches(double score, double norm) const
{
    return std::ranges::any_of(encoders, [&](const MeasuredEncoder& one) {
        return are_of_like_norm(one.norm, norm) &&
               score >= one.score - 2 * std::sqrt(one.by_seed.total);
    });
}

bool SeedMeasurement::has_few_seeds() const
{
    constexpr double few =
        10; // of chi-squared with one degree of freedom the median is half the mean
    return std::ranges::any_of(
        encoders, [](const MeasuredEncoder& one) { return one.by_seed.freedom < few; });
}

double SeedMeasurement::typical() const
{
    std::vector<double> totals;
    double sum = 0;
    double freedom = 0;
    for (const MeasuredEncoder& one : encoders) {
        totals.push_back(one.by_seed.total);
        sum += one.by_seed.freedom * one.by_seed.total;
        freedom += one.by_seed.freedom;
    }
    return has_few_seeds() ? sum / freedom : stats::quantile(totals, 0.5);
}

std::optional<stats::SeedVariance>
SeedMeasurement::of_encoder(std::string_view kind, double score, double norm) const
{
    for (const MeasuredEncoder& one : encoders)
        if (one.kind == kind && std::abs(score - one.score) <= 3 * std::sqrt(one.by_seed.total) &&
            (norm == 0 || std::abs(norm - one.norm) <= one.norm / 4)) {
            stats::SeedVariance known = one.by_seed;
            known.of_same = true;
            return known;
        }
    return std::nullopt;
}

stats::SeedVariance SeedMeasurement::at_least_of_kind(std::string_view kind,
                                                      const stats::SeedVariance& expected) const
{
    for (const MeasuredEncoder& one : encoders)
        if (one.kind == kind && one.by_seed.total > expected.total) {
            stats::SeedVariance larger = one.by_seed;
            larger.freedom = std::min(larger.freedom, expected.freedom);
            return larger;
        }
    return expected;
}

std::string kind_of(const core::Json& encoder)
{
    const auto given = nlohmann::json::parse(core::to_text(encoder)); // in order of keys
    nlohmann::json parameters = nlohmann::json::object();
    if (given.contains("parameters") && given.at("parameters").is_object())
        for (const auto& [name, value] : given.at("parameters").items())
            if (!given.contains("files") || !given.at("files").contains(name))
                parameters[name] = value;
    const auto text = [&](const char* key) {
        return given.contains(key) ? given.at(key).dump() : std::string();
    };
    return fmt::format("{} {} {}", text("id"), text("dimension"), parameters.dump());
}

} // namespace senteval::compare
