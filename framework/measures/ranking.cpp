#include "measures/ranking.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace senteval::measures {
namespace {

double gain(int grade, std::size_t rank)
{
    return grade / std::log2(static_cast<double>(rank + 1));
}

} // namespace

void rank(std::span<Retrieved> documents)
{
    if (std::ranges::any_of(documents, [](const Retrieved& one) { return std::isnan(one.score); }))
        throw core::Error("a document's score is not a number");
    std::ranges::sort(documents, [](const Retrieved& a, const Retrieved& b) {
        return a.score != b.score ? a.score > b.score : a.id > b.id;
    });
}

RankingMeasures
ranking_measures(std::span<const int> ranked, std::span<const int> judged, std::size_t k)
{
    if (k == 0)
        throw core::Error("a ranking is measured on one document at least");
    std::vector<int> relevant;
    std::ranges::copy_if(judged, std::back_inserter(relevant), [](int grade) { return grade > 0; });
    RankingMeasures result;
    if (relevant.empty())
        return result;
    std::ranges::sort(relevant, std::greater());
    double ideal = 0;
    for (std::size_t i = 0; i < std::min(k, relevant.size()); ++i)
        ideal += gain(relevant[i], i + 1);
    double hits = 0;
    for (std::size_t i = 0; i < std::min(k, ranked.size()); ++i)
        if (ranked[i] > 0) {
            const auto position = static_cast<double>(i + 1);
            if (++hits == 1)
                result.mrr = 1 / position;
            result.map += hits / position;
            result.ndcg += gain(ranked[i], i + 1);
        }
    const auto count = static_cast<double>(relevant.size());
    result.ndcg /= ideal;
    result.map /= count;
    result.recall = hits / count;
    result.precision = hits / static_cast<double>(k);
    result.hit_rate = hits > 0 ? 1 : 0;
    return result;
}

} // namespace senteval::measures
