#include "measures/labels.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace senteval::measures {
namespace {

using Row = std::span<const double>;

void require_rows(Row gold, Row predicted, std::size_t labels)
{
    if (gold.size() != predicted.size() || gold.empty() || labels == 0 || gold.size() % labels != 0)
        throw base::Error("rows of {} labels cannot be made of {} gold and {} predicted values",
                          labels, gold.size(), predicted.size());
}

/// of_row() of every row of two matrices.
template <typename OfRow>
Column by_row(Row gold, Row predicted, std::size_t labels, OfRow of_row)
{
    require_rows(gold, predicted, labels);
    Column values;
    for (std::size_t at = 0; at < gold.size(); at += labels)
        values.push_back(of_row(gold.subspan(at, labels), predicted.subspan(at, labels)));
    return values;
}

double ranking_of_row(Row gold, Row scores)
{
    const double wanted = std::accumulate(gold.begin(), gold.end(), 0.0);
    if (wanted == 0 || wanted == static_cast<double>(gold.size()))
        return 1;
    double sum = 0;
    for (std::size_t label = 0; label < gold.size(); ++label) {
        if (gold[label] == 0)
            continue;
        double hits = 0;
        double all = 0;
        for (std::size_t other = 0; other < gold.size(); ++other)
            if (scores[other] >= scores[label]) {
                hits += gold[other];
                ++all;
            }
        sum += hits / all;
    }
    return sum / wanted;
}

} // namespace

Column
exact_matches(std::span<const double> gold, std::span<const double> predicted, std::size_t labels)
{
    return by_row(gold, predicted, labels,
                  [](Row a, Row b) { return std::ranges::equal(a, b) ? 1.0 : 0.0; });
}

Column
label_overlaps(std::span<const double> gold, std::span<const double> predicted, std::size_t labels)
{
    return by_row(gold, predicted, labels, [](Row a, Row b) {
        double both = 0;
        double either = 0;
        for (std::size_t label = 0; label < a.size(); ++label) {
            both += std::min(a[label], b[label]);
            either += std::max(a[label], b[label]);
        }
        return either > 0 ? both / either : 1;
    });
}

Column
label_ranking(std::span<const double> gold, std::span<const double> scores, std::size_t labels)
{
    return by_row(gold, scores, labels, ranking_of_row);
}

stats::Statistic
multilabel_f1(std::span<const double> gold, std::span<const double> predicted, std::size_t labels)
{
    require_rows(gold, predicted, labels);
    const std::size_t rows = gold.size() / labels;
    const auto count = static_cast<double>(labels);
    stats::Statistic mean{0, Column(rows)};
    for (std::size_t label = 0; label < labels; ++label) {
        Column wanted;
        Column said;
        for (std::size_t at = label; at < gold.size(); at += labels) {
            wanted.push_back(gold[at]);
            said.push_back(predicted[at]);
        }
        const stats::Statistic f1 = stats::f1_statistic(wanted, said);
        mean.value += f1.value / count;
        for (std::size_t i = 0; i < rows; ++i)
            mean.influence[i] += f1.influence[i] / count;
    }
    return mean;
}

BitextMeasures bitext_measures(std::span<const std::uint32_t> found)
{
    std::vector<double> finders(found.size());
    for (const std::uint32_t row : found) {
        if (row >= found.size())
            throw base::Error("row {} was found among {}", row, found.size());
        ++finders[row];
    }
    BitextMeasures result;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double right = found[i] == i ? 1 : 0;
        result.accuracy.push_back(right);
        result.precision.push_back(right > 0 ? 1 / finders[i] : 0);
        result.f1.push_back(right * 2 / (1 + finders[i]));
    }
    return result;
}

} // namespace senteval::measures
