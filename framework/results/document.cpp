#include "results/document.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace senteval::results {

using base::Json;

Metric headline_of(const Json& document)
{
    const Json& task = document.at("task");
    const auto metrics = metrics_from_json(task.at("metrics"));
    const auto headline = task.at("headline").get<std::string>();
    if (const Metric* found = find_metric(metrics, headline))
        return *found;
    throw base::Error("its metric '{}' is not described", headline);
}

bool same_input(const Json& a, const Json& b)
{
    const auto batch_size = [](const Json& document) {
        return document.at("encoder").value("batch_size", Json());
    };
    return a.at("encoder").at("fingerprint") == b.at("encoder").at("fingerprint") &&
           batch_size(a) == batch_size(b) &&
           a.at("task").at("headline") == b.at("task").at("headline") &&
           a.at("protocol").at("fingerprint") == b.at("protocol").at("fingerprint") &&
           a.at("data").at("files") == b.at("data").at("files") &&
           a.at("data").value("accepted", Json()) == b.at("data").value("accepted", Json());
}

std::string lost_with(const Json& stored, const Json& document)
{
    if (stored.at("data").at("files") == document.at("data").at("files"))
        return "";
    return fmt::format("{} of {}: the result in the store is of other data, and this one takes its "
                       "place (--output FOLDER keeps both)",
                       document.at("task").at("name").get<std::string>(),
                       document.at("encoder").at("label").get<std::string>());
}

bool is_cost(const Json& cost)
{
    constexpr double most = 1e15;
    const auto is_number = [&](const char* key) {
        const double value = cost.at(key).get<double>();
        return value >= 0 && value < most;
    };
    const bool has_speed = cost.is_object() && cost.value("schema", "") == cost_schema &&
                           cost.at("threads").is_number_unsigned() &&
                           cost.at("sentences_per_second") > 0;
    return has_speed && is_number("sentences_per_second") &&
           std::ranges::all_of(
               std::array{"sentences_per_processor_second", "seconds_of_first_call", "peak_bytes"},
               [&](const char* key) { return !cost.contains(key) || is_number(key); }) &&
           (!cost.contains("date") || cost.at("date").is_string());
}

} // namespace senteval::results
