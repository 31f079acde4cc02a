#include "measures/clusters.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace senteval::measures {
namespace {

/// Labels as places in the ascending list of their values, and how often each of these occurs.
std::vector<std::uint32_t> numbered(std::span<const std::uint32_t> labels,
                                    std::vector<double>& counts)
{
    std::vector<std::uint32_t> values(labels.begin(), labels.end());
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    counts.assign(values.size(), 0);
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t label : labels) {
        const auto at = std::ranges::lower_bound(values, label) - values.begin();
        numbers.push_back(static_cast<std::uint32_t>(at));
        ++counts[numbers.back()];
    }
    return numbers;
}

double entropy(std::span<const double> counts, double n)
{
    double sum = 0;
    for (const double count : counts)
        sum -= count / n * std::log(count / n);
    return std::max(sum, 0.0);
}

double pairs_of(double count)
{
    return count * (count - 1) / 2;
}

double pairs_of(std::span<const double> counts)
{
    double sum = 0;
    for (const double count : counts)
        sum += pairs_of(count);
    return sum;
}

/// Mean of x / n * ln(n x / (a b)), where x of the a items of a class fall into a cluster of b by chance: the
/// hypergeometric distribution, as ratios to its mode, so that nothing overflows.
double expected_part(double a, double b, double n)
{
    constexpr double negligible = 1e-20;
    const double least = std::max(0.0, a + b - n);
    const double most = std::min(a, b);
    const double mode = std::clamp(std::floor((a + 1) * (b + 1) / (n + 2)), least, most);
    double weights = 0;
    double sum = 0;
    const auto add = [&](double x, double weight) {
        weights += weight;
        if (x > 0)
            sum += weight * x / n * std::log(n * x / (a * b));
    };
    add(mode, 1);
    double weight = 1;
    for (double x = mode; x < most && weight > negligible; ++x) {
        weight *= (a - x) * (b - x) / ((x + 1) * (n - a - b + x + 1));
        add(x + 1, weight);
    }
    weight = 1;
    for (double x = mode; x > least && weight > negligible; --x) {
        weight *= x * (n - a - b + x) / ((a - x + 1) * (b - x + 1));
        add(x - 1, weight);
    }
    return sum / weights;
}

std::map<double, double> sizes_of(std::span<const double> counts)
{
    std::map<double, double> sizes;
    for (const double count : counts)
        ++sizes[count];
    return sizes;
}

double expected_information(const Contingency& table, double n)
{
    double sum = 0;
    const auto sizes = sizes_of(table.found);
    for (const auto& [a, classes] : sizes_of(table.gold))
        for (const auto& [b, clusters] : sizes)
            sum += classes * clusters * expected_part(a, b, n);
    return sum;
}

} // namespace

Contingency::Contingency(std::span<const std::uint32_t> gold_labels,
                         std::span<const std::uint32_t> found_labels)
{
    if (gold_labels.size() != found_labels.size() || gold_labels.empty())
        throw base::Error("clusters need a class and a cluster for each item, not {} and {}",
                          gold_labels.size(), found_labels.size());
    const auto classes = numbered(gold_labels, gold);
    const auto clusters = numbered(found_labels, found);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> counts;
    for (std::size_t i = 0; i < classes.size(); ++i)
        ++counts[{classes[i], clusters[i]}];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places;
    for (const auto& [pair, count] : counts) {
        places[pair] = static_cast<std::uint32_t>(cells.size());
        cells.push_back({pair.first, pair.second, count});
    }
    for (std::size_t i = 0; i < classes.size(); ++i)
        items.push_back(places[{classes[i], clusters[i]}]);
}

ClusterMeasures cluster_measures(const Contingency& table)
{
    const auto n = static_cast<double>(table.items.size());
    const double classes = entropy(table.gold, n);
    const double clusters = entropy(table.found, n);
    double information = 0;
    double pairs = 0;
    for (const auto& cell : table.cells) {
        information += cell.count / n *
                       std::log(n * cell.count / (table.gold[cell.gold] * table.found[cell.found]));
        pairs += pairs_of(cell.count);
    }
    information = std::max(information, 0.0);

    ClusterMeasures result;
    result.homogeneity = classes > 0 ? information / classes : 1;
    result.completeness = clusters > 0 ? information / clusters : 1;
    const double h = result.homogeneity;
    const double c = result.completeness;
    const double v = h + c > 0 ? 2 * h * c / (h + c) : 0;
    result.v_measure = {v, stats::Column(table.items.size())};

    // V = 2 I / (H + H'). Towards an item of class g and cluster f, H moves by -ln p(g) - H and I by
    // ln(p(g, f) / (p(g) p(f))) - I.
    const double entropies = classes + clusters;
    std::vector<double> of_cell;
    for (const auto& cell : table.cells) {
        const double g = std::log(table.gold[cell.gold] / n);
        const double f = std::log(table.found[cell.found] / n);
        const double informs = std::log(cell.count / n) - g - f - information;
        of_cell.push_back(entropies > 0 ? (2 * informs + v * (g + f + entropies)) / entropies / n
                                        : 0);
    }
    for (std::size_t i = 0; i < table.items.size(); ++i)
        result.v_measure.influence[i] = of_cell[table.items[i]];

    const bool equal =
        table.cells.size() == table.gold.size() && table.cells.size() == table.found.size();
    if (equal) {
        result.adjusted_rand = result.adjusted_mutual_information = 1;
        return result;
    }
    const double gold_pairs = pairs_of(table.gold);
    const double found_pairs = pairs_of(table.found);
    const double chance = gold_pairs * found_pairs / pairs_of(n);
    result.adjusted_rand = (pairs - chance) / ((gold_pairs + found_pairs) / 2 - chance);

    constexpr double least = std::numeric_limits<double>::epsilon();
    const double expected = expected_information(table, n);
    const double room = entropies / 2 - expected;
    result.adjusted_mutual_information =
        (information - expected) / (room < 0 ? std::min(room, -least) : std::max(room, least));
    return result;
}

} // namespace senteval::measures
