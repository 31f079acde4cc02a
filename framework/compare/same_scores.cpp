#include "compare/same_scores.hpp"

#include "compare/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::compare {
namespace {

/// Of a float as a vector has them: a few roundings of the numbers and of their norm.
constexpr double last_places = 16 * static_cast<double>(std::numeric_limits<float>::epsilon());

/// The predictions that the source names; nullptr where the items have none of the name.
const std::vector<double>* further_of(const task::Outcomes& outcomes, const std::string& series)
{
    for (const task::Series& further : outcomes.further)
        if (further.name == series)
            return &further.predictions;
    return nullptr;
}

bool same_predictions(const run::Cell& first, const run::Cell& second, const task::Source& source)
{
    if (&first == &second)
        return true;
    const task::Outcomes& a = first.items.outcomes;
    const task::Outcomes& b = second.items.outcomes;
    const auto* further_a = further_of(a, source.series);
    const auto* further_b = further_of(b, source.series);
    if ((further_a == nullptr) != (further_b == nullptr) || a.rows.size() != b.rows.size())
        return false;
    double apart = 0;
    double largest = 0;
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
        if (!takes(source, a.groups[a.rows[row].group]))
            continue;
        const double one = further_a != nullptr ? (*further_a)[row] : a.rows[row].prediction;
        const double two = further_b != nullptr ? (*further_b)[row] : b.rows[row].prediction;
        apart = std::max(apart, std::abs(one - two));
        largest = std::max({largest, std::abs(one), std::abs(two)});
    }
    return apart <= last_places * largest;
}

} // namespace

bool have_same_scores(const Runs& first, const Runs& second, const task::Metric& metric)
{
    const auto are_same = [&](const run::Cell* a, const run::Cell* b) {
        return same_predictions(*a, *b, metric.source);
    };
    const auto are_one = [&](const Runs& runs) { // whatever the seed
        return std::ranges::all_of(
            runs, [&](const run::Cell* run) { return are_same(first.front(), run); });
    };
    return std::ranges::equal(first, second, are_same) || (are_one(first) && are_one(second));
}

bool is_rounding(double first, double second, std::size_t items)
{
    const double largest = std::max(std::abs(first), std::abs(second));
    return std::abs(first - second) <=
           static_cast<double>(items) * std::numeric_limits<double>::epsilon() * largest;
}

double least_p(std::size_t items)
{
    return std::max(std::exp2(-static_cast<double>(items)), std::numeric_limits<double>::min());
}

} // namespace senteval::compare
