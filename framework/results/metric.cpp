#include "results/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace senteval::results {
namespace {

using base::Json;

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

std::pair<double, double> Metric::range() const
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (unit == percent)
        return {source.statistic.empty() ? -100 : 0, 100};
    if (unit == correlation)
        return {-1, 1};
    return {higher_is_better ? -infinity : 0, infinity};
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

} // namespace senteval::results
