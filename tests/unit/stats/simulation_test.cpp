// Do the tests keep their level? Nominal 5 %, between 4 and 6 %.
#include "core/parallel.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "stats/multiple.hpp"
#include "stats/signs.hpp"
#include "stats/williams.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

using namespace senteval;

namespace {

/// Share of the simulations in which `happens(random)` is true, each with a stream of its own.
double rate(std::size_t simulations, const std::function<bool(stats::CounterStream&)>& happens)
{
    std::vector<int> outcome(simulations);
    core::parallel_for(simulations, core::available_threads(), [&](std::size_t i) {
        stats::CounterStream random(20190604, i);
        outcome[i] = happens(random) ? 1 : 0;
    });
    const double share = static_cast<double>(std::accumulate(outcome.begin(), outcome.end(), 0)) /
                         static_cast<double>(simulations);
    MESSAGE(share);
    return share;
}

void check_level(double share)
{
    CHECK(share > 0.04);
    CHECK(share < 0.06);
}

/// Gold scores and two predictions, equally correlated with them, and with each other.
struct Predictions {
    explicit Predictions(stats::CounterStream& random, std::size_t n)
    {
        for (std::size_t i = 0; i < n; ++i) {
            const double truth = random.normal();
            const double shared = random.normal();
            gold.push_back(truth);
            first.push_back(truth + 0.6 * shared + 0.6 * random.normal());
            second.push_back(truth + 0.6 * shared + 0.6 * random.normal());
        }
    }

    std::vector<double> gold;
    std::vector<double> first;
    std::vector<double> second;
};

} // namespace

TEST_CASE("random signs of long-tailed differences keep their level")
{
    check_level(rate(5000, [](auto& random) {
        std::vector<double> differences(50);
        for (double& value : differences)
            value = std::pow(random.normal(), 3.0);
        return stats::sign_flip_p_value(differences) < 0.05;
    }));
}

TEST_CASE("random signs of right and wrong answers keep their level")
{
    check_level(rate(10000, [](auto& random) {
        std::vector<double> differences(150);
        for (double& value : differences) {
            const double u = random.uniform();
            value = u < 0.15 ? 1 : u > 0.85 ? -1 : 0;
        }
        return stats::sign_flip_p_value(differences) < 0.05;
    }));
}

TEST_CASE("Williams' test keeps its level on normal scores")
{
    check_level(rate(20000, [](auto& random) {
        const Predictions p(random, 100);
        return stats::williams(stats::pearson(p.gold, p.first).r,
                               stats::pearson(p.gold, p.second).r,
                               stats::pearson(p.first, p.second).r, 100)
                   .p_value < 0.05;
    }));
}

TEST_CASE("ten tests adjusted by Holm err together as rarely as one")
{
    check_level(rate(10000, [](auto& random) {
        std::vector<double> p(10);
        std::generate(p.begin(), p.end(), [&] { return random.uniform(); });
        const auto adjusted = stats::holm(p);
        return *std::min_element(adjusted.begin(), adjusted.end()) < 0.05;
    }));
}
