#include "stats/ranking.hpp"

#include "core/error.hpp"
#include "stats/correlation.hpp"

#include <cmath>
#include <limits>

namespace senteval::stats {

TaskCorrelation task_correlation(std::span<const std::vector<double>> values)
{
    const std::size_t tasks = values.size();
    TaskCorrelation result{tasks, std::vector<double>(tasks * tasks),
                           std::vector<std::size_t>(tasks * tasks)};
    for (std::size_t a = 0; a < tasks; ++a) {
        for (std::size_t b = 0; b < tasks; ++b) {
            if (values[a].size() != values[b].size())
                throw core::Error("every task needs one value for each encoder: {} and {}",
                                  values[a].size(), values[b].size());
            std::vector<double> x;
            std::vector<double> y;
            for (std::size_t encoder = 0; encoder < values[a].size(); ++encoder) {
                if (std::isnan(values[a][encoder]) || std::isnan(values[b][encoder]))
                    continue;
                x.push_back(values[a][encoder]);
                y.push_back(values[b][encoder]);
            }
            result.n[a * tasks + b] = x.size();
            result.r[a * tasks + b] =
                x.size() < 3 ? std::numeric_limits<double>::quiet_NaN() : spearman(x, y).r;
        }
    }
    return result;
}

} // namespace senteval::stats
