#include "run/official.hpp"

#include "core/table.hpp"
#include "results/metric.hpp"
#include "run/official_text.hpp"

#include <cmath>
#include <vector>

namespace senteval::run {

namespace {

struct Rankings {
    std::string source;
    std::vector<OfficialRanking> all;
};

/// The share of a percentage with one decimal: 71.4 is 0.714, to the last bit.
double share(double percentage)
{
    return std::round(percentage * 10) / 1000;
}

Rankings read_rankings()
{
    const core::Table table = core::Table::parse(official_text, "official.toml");
    Rankings rankings{table.text("source"), {}};
    for (const core::Table& dataset : table.tables("dataset")) {
        const auto values = dataset.required("percentiles").elements();
        if (values.size() != 3)
            dataset.fail("needs median, 75th percentile and best");
        rankings.all.push_back({dataset.text("task"), dataset.text("metric"),
                                share(values[0].real()), share(values[1].real()),
                                share(values[2].real())});
    }
    return rankings;
}

const Rankings& rankings()
{
    static const Rankings read = read_rankings();
    return read;
}

} // namespace

std::span<const OfficialRanking> official_rankings()
{
    return rankings().all;
}

std::string_view place_in(const OfficialRanking& ranking, double pearson)
{
    return pearson > ranking.best              ? "above the best"
           : pearson >= ranking.upper_quartile ? "in the upper quarter"
           : pearson >= ranking.median         ? "in the upper half"
                                               : "below the median";
}

std::optional<results::Standing> standing_of(std::string_view task, const base::Json& metrics)
{
    results::Standing standing{rankings().source, {}, {}};
    for (const OfficialRanking& ranking : official_rankings()) {
        if (ranking.task != task)
            continue;
        results::Metric metric;
        metric.path = ranking.metric;
        if (const auto value = metric.value_in(metrics))
            standing.places.push_back({ranking.metric,
                                       {ranking.median, ranking.upper_quartile, ranking.best,
                                        std::string(place_in(ranking, *value))}});
    }
    return standing.places.empty() ? std::nullopt : std::optional(std::move(standing));
}

} // namespace senteval::run
