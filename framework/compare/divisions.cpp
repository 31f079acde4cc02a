#include "compare/divisions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::compare {
namespace {

constexpr std::size_t most_classes = 20;

/// Index of the first upper edge that is not below the value; the last bin has none.
std::size_t bin_of(double value, const std::vector<double>& upper_edges)
{
    return static_cast<std::size_t>(
        std::lower_bound(upper_edges.begin(), upper_edges.end(), value) - upper_edges.begin());
}

/// Bins of a trait; items where it is NaN belong to none.
Division binned(std::string by,
                std::vector<std::string> parts,
                std::vector<double> upper_edges,
                std::function<double(const run::ItemTraits&)> trait)
{
    return {std::move(by), std::move(parts),
            [upper_edges = std::move(upper_edges), trait = std::move(trait)](
                const run::Items& items, std::size_t row) -> std::optional<std::size_t> {
                const double value = trait(items.traits[row]);
                if (std::isnan(value))
                    return std::nullopt;
                return bin_of(value, upper_edges);
            },
            false};
}

double longest(const run::ItemTraits& traits)
{
    return std::max(traits.tokens_first, traits.tokens_second);
}

/// Wieting et al. (2016, table 7) divide pairs of short sentences, by single tokens up to ten. Where three
/// in four are longer, all would be in their last part.
bool are_short(const run::Items& items)
{
    const auto count = std::count_if(items.traits.begin(), items.traits.end(),
                                     [](const auto& traits) { return longest(traits) >= 10; });
    return 4 * static_cast<std::size_t>(count) < 3 * items.traits.size();
}

Division by_length(const run::Items& items, bool pairs)
{
    const std::string by =
        pairs ? "length of the longer sentence, tokens" : "sentence length, tokens";
    if (pairs && are_short(items))
        return binned(by, {"≤ 4", "5", "6", "7", "8", "9", "≥ 10"}, {4, 5, 6, 7, 8, 9}, longest);
    return binned(by, {"≤ 4", "5–9", "10–14", "15–19", "20–29", "≥ 30"}, {4, 9, 14, 19, 29},
                  longest);
}

Division by_unknown_words()
{
    // Edges are shares of small integers, stored as float: a little slack keeps 1/10 below 10 %.
    return binned("share of unknown words, %", {"0", "≤ 10", "10–25", "25–50", "> 50"},
                  {0, 10.00001, 25.00001, 50.00001},
                  [](const run::ItemTraits& traits) { return 100.0 * double{traits.unknown}; });
}

Division by_overlap()
{
    return binned("overlap of the pair, % of its words",
                  {"≤ 20", "20–40", "40–60", "60–80", "> 80"},
                  {20.00001, 40.00001, 60.00001, 80.00001},
                  [](const run::ItemTraits& traits) { return 100.0 * double{traits.overlap}; });
}

Division by_class(const std::vector<std::string>& classes)
{
    return {"gold class", classes,
            [](const run::Items& items, std::size_t row) {
                return std::optional(static_cast<std::size_t>(items.outcomes.rows[row].gold));
            },
            true};
}

} // namespace

std::vector<Division> divisions_of(const run::Items& items)
{
    const bool pairs =
        std::any_of(items.traits.begin(), items.traits.end(),
                    [](const run::ItemTraits& traits) { return !std::isnan(traits.overlap); });
    std::vector<Division> divisions = {by_length(items, pairs), by_unknown_words()};
    if (pairs)
        divisions.push_back(by_overlap());
    if (items.outcomes.kind == "class" && items.outcomes.classes.size() <= most_classes)
        divisions.push_back(by_class(items.outcomes.classes));
    return divisions;
}

} // namespace senteval::compare
