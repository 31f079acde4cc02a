// coverage.hpp -- how many of a task's words an encoder knows, as a result's document tells it.
#pragma once

#include "core/json.hpp"

#include <optional>

namespace senteval::run {

/// Share of the words of the task's text that the encoder knows, where the document tells it and it is so
/// small (less than half) that a score says little about the encoder.
inline std::optional<double> low_coverage(const core::Json& document)
{
    constexpr double enough = 0.5;
    if (!document.contains("coverage"))
        return std::nullopt;
    const core::Json& coverage = document.at("coverage");
    const auto all = coverage.at("tokens").get<double>();
    const double share = all > 0 ? coverage.at("tokens_known").get<double>() / all : 1;
    return share < enough ? std::optional(share) : std::nullopt;
}

} // namespace senteval::run
