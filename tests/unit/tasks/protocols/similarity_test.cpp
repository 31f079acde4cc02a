#include "tasks/protocols/similarity.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace senteval;
using task::Similarity;

TEST_CASE("similarities of two vectors, by hand")
{
    const std::array<float, 3> u = {1, 2, 2};
    const std::array<float, 3> v = {2, 0, 0};
    CHECK(tasks::similarity(Similarity::cosine, u, v) == doctest::Approx(1.0 / 3.0).epsilon(1e-15));
    CHECK(tasks::similarity(Similarity::dot, u, v) == 2.0);
    CHECK(tasks::similarity(Similarity::euclidean, u, v) == -3.0);
    CHECK(tasks::similarity(Similarity::manhattan, u, v) == -5.0);
}

TEST_CASE("the cosine with a zero vector is zero")
{
    const std::array<float, 2> zero = {0, 0};
    const std::array<float, 2> v = {3, 4};
    CHECK(tasks::similarity(Similarity::cosine, zero, v) == 0.0);
    CHECK(tasks::similarity(Similarity::cosine, zero, zero) == 0.0);
}

TEST_CASE("long vectors are summed in double precision")
{
    // 0.1f is not 0.1: a sum in floats would be off by more than a thousandth
    const std::vector<float> u(1000003, 0.1F);
    const double square = double{0.1F} * double{0.1F};
    CHECK(tasks::similarity(Similarity::dot, u, u) ==
          doctest::Approx(square * 1000003).epsilon(1e-12));
    CHECK(tasks::similarity(Similarity::cosine, u, u) == doctest::Approx(1.0).epsilon(1e-12));
}
