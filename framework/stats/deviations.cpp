#include "stats/deviations.hpp"

#include <utility>

namespace senteval::stats {

double mean_of(const std::vector<Fit>& fits)
{
    double sum = 0;
    for (const Fit& fit : fits)
        sum += fit.value;
    return sum / static_cast<double>(fits.size());
}

Column mean_influence(const std::vector<Fit>& fits)
{
    Column mean(fits.front().influence.size());
    for (const Fit& fit : fits)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += fit.influence[i];
    for (double& value : mean)
        value /= static_cast<double>(fits.size());
    return mean;
}

std::vector<std::uint64_t> keys_of(const std::vector<Fit>& fits)
{
    std::vector<std::uint64_t> keys;
    keys.reserve(fits.size());
    for (const Fit& fit : fits)
        keys.push_back(fit.seed);
    return keys;
}

std::vector<Keyed> score_deviations(const std::vector<Fit>& fits, double scale)
{
    std::vector<Keyed> all;
    all.reserve(fits.size());
    const double mean = mean_of(fits);
    for (const Fit& fit : fits)
        all.push_back({fit.seed, {(fit.value - mean) * scale}, {}});
    return all;
}

std::vector<Keyed>
influence_deviations(const std::vector<Fit>& fits, double scale, const Products& product)
{
    std::vector<Keyed> all;
    const Column mean = mean_influence(fits);
    for (const Fit& fit : fits) {
        Keyed one{fit.seed, fit.influence, {}};
        for (std::size_t i = 0; i < mean.size(); ++i)
            one.column[i] = (one.column[i] - mean[i]) * scale;
        one.sums = product.sums(one.column);
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Fit> complements_of(const std::vector<Fit>& halves)
{
    std::vector<Fit> all;
    for (const Fit& first : halves)
        for (const Fit& second : halves)
            if (first.seed % 2 == 1 && second.seed == first.seed + 1) {
                all.push_back({second.seed / 2, (first.value - second.value) / 2, first.influence});
                for (std::size_t i = 0; i < first.influence.size(); ++i)
                    all.back().influence[i] = (first.influence[i] - second.influence[i]) / 2;
            }
    return all;
}

double between(const std::vector<Fit>& fits)
{
    const double mean = mean_of(fits);
    double squares = 0;
    for (const Fit& fit : fits)
        squares += (fit.value - mean) * (fit.value - mean);
    return squares / static_cast<double>(fits.size() - 1);
}

} // namespace senteval::stats
