// How vectors lie in their space.
#include "embedding/geometry.hpp"
#include "support/support.hpp"

#include <cmath>

using namespace senteval;

TEST_CASE("alignment and uniformity are those of the vectors at length 1")
{
    const arma::fmat vectors = {{2, 0, 1, 0}, {0, 3, 1, -1}};
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> alike = {{0, 2}, {0, 1}};
    const auto found = embedding::geometry_of(vectors, alike);
    const double half = 2 - std::sqrt(2.0); // |x - y|^2 at 45 degrees
    CHECK(found.alignment == doctest::Approx((half + 2) / 2));
    const double wide = 2 + std::sqrt(2.0);
    const double sum =
        2 * std::exp(-2 * half) + 2 * std::exp(-4.0) + std::exp(-8.0) + std::exp(-2 * wide);
    CHECK(found.uniformity == doctest::Approx(std::log(sum / 6)));
    CHECK(found.texts == 4);
    CHECK(found.pairs == 2);
    CHECK(std::isnan(embedding::geometry_of(vectors, {}).alignment));
}

TEST_CASE("the effective rank is the number of equal directions")
{
    CHECK(embedding::geometry_of(arma::eye<arma::fmat>(5, 5), {}).effective_rank ==
          doctest::Approx(5));
    CHECK(embedding::geometry_of(arma::fmat(3, 4, arma::fill::ones), {}).effective_rank ==
          doctest::Approx(1).epsilon(1e-3));
    const arma::fmat two = {{1, 1, 1, 0}, {0, 0, 0, 1}}; // singular values root 3 and 1
    const double p = std::sqrt(3.0) / (1 + std::sqrt(3.0));
    CHECK(embedding::geometry_of(two, {}).effective_rank ==
          doctest::Approx(std::exp(-p * std::log(p) - (1 - p) * std::log(1 - p))));
}

TEST_CASE("hubness is the skewness of how often a text is a neighbour")
{
    CHECK(std::isnan(embedding::geometry_of(arma::eye<arma::fmat>(10, 10), {}).hubness));
    // 12 texts in different directions, and their mean, which is near to all: a hub
    arma::fmat vectors(13, 13, arma::fill::eye);
    vectors.col(12).ones();
    const auto found = embedding::geometry_of(vectors, {});
    // each axis has the hub and nine elevenths of each of the others, the hub ten twelfths of each
    std::vector<double> times(13, 11 * 9.0 / 11 + 10.0 / 12);
    times[12] = 12;
    double square = 0;
    double cube = 0;
    for (const double one : times) {
        square += std::pow(one - 10, 2) / 13;
        cube += std::pow(one - 10, 3) / 13;
    }
    CHECK(found.hubness == doctest::Approx(cube / std::pow(square, 1.5)));
}

TEST_CASE("vectors without a length are no reason to stop")
{
    const auto found = embedding::geometry_of(arma::fmat(3, 12, arma::fill::zeros), {});
    CHECK(std::isnan(found.effective_rank));
    CHECK(found.uniformity == doctest::Approx(0));
}
