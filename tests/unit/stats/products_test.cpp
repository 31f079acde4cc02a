#include "stats/products.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace senteval;

TEST_CASE("items that hang together by their sources are one cluster")
{
    CHECK(stats::clusters_of({{0, 1, 2}, {0, 1, 2}}).empty()); // nothing is shared
    CHECK(stats::clusters_of({{4, 4, 2, 2, 9}, {4, 4, 2, 2, 9}}) ==
          std::vector<std::uint32_t>{0, 0, 1, 1, 2});
    CHECK(stats::clusters_of({{0, 1, 5, 2}, {1, 2, 6, 3}}) ==
          std::vector<std::uint32_t>{0, 0, 1, 0}); // a chain
}

TEST_CASE("items that share a source are multiplied with each other, once")
{
    const stats::Sources sources{{0, 0, 2}, {1, 1, 3}}; // the first two share both
    const stats::Products product(3, sources);
    const std::vector<double> a = {1, 2, 4};
    const std::vector<double> b = {10, 100, 1000};
    // The sum of the sources' products counts every item twice, once for each of its two sources.
    CHECK(product(a, b, product.sums(a), product.sums(b)) ==
          2 * (1 + 2) * (10 + 100) + 2 * 4 * 1000 - (10 + 200 + 4000));
    const stats::Sources once{{0, 0, 2}, {0, 0, 2}};
    const stats::Products other(3, once);
    CHECK(other(a, b, other.sums(a), other.sums(b)) == (1 + 2) * (10 + 100) + 4 * 1000);
    CHECK(other.effective() == 9.0 / 5);
}
