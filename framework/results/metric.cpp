#include "results/metric.hpp"

#include "base/error.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace senteval::results {
namespace {

using base::Json;

constexpr std::array<std::pair<std::string_view, Over>, 3> over_names = {
    {{"items", Over::items}, {"groups", Over::groups}, {"weighted groups", Over::weighted_groups}}};

Over over_from(const std::string& name)
{
    for (const auto& [known, over] : over_names)
        if (name == known)
            return over;
    throw base::Error("a metric cannot be taken over '{}'", name);
}

Json to_json(const Metric& metric)
{
    Json json = {{"path", metric.path},
                 {"title", metric.title},
                 {"unit", metric.unit},
                 {"digits", metric.digits},
                 {"higher_is_better", metric.higher_is_better}};
    if (metric.source.statistic.empty())
        return json;
    json["source"] = {{"statistic", metric.source.statistic},
                      {"over", base::name_in(over_names, metric.source.over)}};
    if (!metric.source.series.empty())
        json["source"]["series"] = metric.source.series;
    if (metric.source.fits > 0)
        json["source"]["fits"] = metric.source.fits;
    if (!metric.source.groups.empty())
        json["source"]["groups"] = metric.source.groups;
    return json;
}

Source source_from(const Json& json)
{
    Source source;
    source.statistic = json.at("statistic").get<std::string>();
    source.over = over_from(json.at("over").get<std::string>());
    source.series = json.value("series", "");
    source.fits = std::min<std::size_t>(json.value("fits", std::size_t{0}), 1000);
    if (json.contains("groups"))
        source.groups = json.at("groups").get<std::vector<std::string>>();
    return source;
}

Metric metric_from(const Json& json)
{
    Metric metric;
    metric.path = json.at("path").get<std::string>();
    metric.title = json.at("title").get<std::string>();
    metric.unit = json.at("unit").get<std::string>();
    metric.digits = std::clamp(json.at("digits").get<int>(), 0, 17);
    metric.higher_is_better = json.at("higher_is_better").get<bool>();
    if (json.contains("source"))
        metric.source = source_from(json.at("source"));
    return metric;
}

/// The node at the path. Keys may have dots themselves: whatever key begins the path is tried.
const Json* node_at(const Json& node, std::string_view path)
{
    if (!node.is_object())
        return nullptr;
    for (const auto& [key, below] : node.items()) {
        if (path == key)
            return &below;
        if (path.starts_with(key) && path[key.size()] == '.')
            if (const Json* found = node_at(below, path.substr(key.size() + 1)))
                return found;
    }
    return nullptr;
}

} // namespace

std::string Metric::text(double value) const
{
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::optional<double> Metric::value_in(const Json& metrics) const
{
    const Json* node = node_at(metrics, path);
    if (node == nullptr || !node->is_number() || !std::isfinite(node->get<double>()))
        return std::nullopt;
    return node->get<double>();
}

const Metric* find_metric(std::span<const Metric> metrics, const std::string& path)
{
    const auto at = std::find_if(metrics.begin(), metrics.end(),
                                 [&](const Metric& metric) { return metric.path == path; });
    return at == metrics.end() ? nullptr : &*at;
}

Json to_json(std::span<const Metric> metrics)
{
    Json json = Json::array();
    for (const Metric& metric : metrics)
        json.push_back(to_json(metric));
    return json;
}

std::vector<Metric> metrics_from_json(const Json& json)
{
    std::vector<Metric> metrics;
    for (const Json& element : json)
        metrics.push_back(metric_from(element));
    return metrics;
}

} // namespace senteval::results
