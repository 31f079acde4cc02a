#include "annex/comparison.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

/// Vectors of length 1 for so many pairs.
std::vector<std::vector<double>> made_units(std::size_t pairs, std::size_t width)
{
    std::vector<std::vector<double>> units(2 * pairs, std::vector<double>(width));
    for (std::size_t i = 0; i < units.size(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < width; ++j) {
            const auto x = static_cast<double>(i * width + j);
            units[i][j] = std::sin(x * 1.7) + 0.3 * std::cos(x * x);
            square += units[i][j] * units[i][j];
        }
        for (double& value : units[i])
            value /= std::sqrt(square);
    }
    return units;
}

double product_of(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

template <typename T>
void check_comparison(std::size_t pairs, unsigned members)
{
    constexpr std::size_t width = 19;
    const auto units = made_units(pairs, width);
    annex::Comparison<T> comparison(width, members);
    comparison.reserve(pairs);
    for (std::size_t i = 0; i < 2 * pairs; ++i)
        for (std::size_t j = 0; j < width; ++j)
            comparison.vector(i)[j] = static_cast<T>(3 * units[i][j]);
    comparison.normalise(0, 2 * pairs);
    for (unsigned member = 0; member < members; ++member)
        comparison.compare(member, members, pairs);
    for (std::uint32_t i = 0; i < 2 * pairs; ++i) {
        std::uint32_t nearest = 0;
        double most = -2;
        for (std::uint32_t j = 0; j < 2 * pairs; ++j)
            if (j % pairs != i % pairs && product_of(units[i], units[j]) > most) {
                nearest = j;
                most = product_of(units[i], units[j]);
            }
        const auto found = comparison.nearest(i);
        CHECK(found.sentence == nearest);
        CHECK(found.cosine == doctest::Approx(most));
        CHECK(comparison.cosine(i, nearest) == found.cosine);
        CHECK(comparison.cosine(nearest, i) == found.cosine);
        CHECK(comparison.partner_cosine(i % pairs) ==
              doctest::Approx(product_of(units[i], units[(i + pairs) % (2 * pairs)])));
        CHECK(comparison.inverse_length(i) == doctest::Approx(1.0 / 3));
    }
}

} // namespace

TEST_CASE("a comparison finds the nearest sentence that is no partner, on any number of members")
{
    for (const std::size_t pairs : {2U, 7U, 33U, 100U})
        for (const unsigned members : {1U, 2U, 3U}) {
            CAPTURE(pairs);
            CAPTURE(members);
            check_comparison<float>(pairs, members);
            check_comparison<double>(pairs, members);
        }
}

TEST_CASE("a vector of zeros stays one, and of equally near sentences the first is the nearest")
{
    annex::Comparison<float> comparison(3, 1);
    comparison.reserve(3);
    for (std::size_t i = 1; i < 6; ++i)
        comparison.vector(i)[0] = 2;
    comparison.normalise(0, 6);
    comparison.compare(0, 1, 3);
    CHECK(comparison.inverse_length(0) == 0);
    CHECK(comparison.partner_cosine(0) == 0);
    CHECK(comparison.nearest(1).sentence == 2); // 4 is its partner
    CHECK(comparison.nearest(2).sentence == 1);
    CHECK(comparison.nearest(5).sentence == 1);
    CHECK(comparison.nearest(0).sentence == 1);
    CHECK(comparison.nearest(0).cosine == 0);
}
