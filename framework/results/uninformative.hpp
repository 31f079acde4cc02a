// uninformative.hpp -- results that say nothing about an encoder, and why.
#pragma once

#include "results/outcomes.hpp"
#include "results/result.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>

namespace senteval::results {

/// Why a result says nothing: every sentence has the same vector, a correlation of so few items is 1 or -1 whatever
/// the encoder, or the headline metric is undefined; empty where it says something. `alike`:
/// encoder::Session::all_alike(). `is_defined`: the headline metric has a value.
inline std::string why_uninformative(std::size_t alike, bool is_defined, const Outcomes& outcomes)
{
    if (alike > 0)
        return fmt::format("its vectors of {} sentences are all equal", alike);
    const std::size_t items = outcomes.rows.size();
    if (outcomes.kind == "score" && items > 0 && items <= 2)
        return fmt::format("there are too few test items ({})", items);
    return is_defined ? "" : "its headline metric is undefined";
}

/// Share of the words of the task's text that the encoder knows, where the result tells it and it is so
/// small (less than half) that a score says little about the encoder.
inline std::optional<double> low_coverage(const Result& result)
{
    constexpr double enough = 0.5;
    if (!result.coverage)
        return std::nullopt;
    const auto all = static_cast<double>(result.coverage->tokens);
    const double share = all > 0 ? static_cast<double>(result.coverage->tokens_known) / all : 1;
    return share < enough ? std::optional(share) : std::nullopt;
}

} // namespace senteval::results
