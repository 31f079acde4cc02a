#include "random/initialise.hpp"
#include "support/support.hpp"

using senteval::random::RandomStream;

TEST_CASE("a random stream is given by its seed and number")
{
    RandomStream a(1, 2);
    RandomStream same(1, 2);
    RandomStream other_seed(2, 2);
    RandomStream other_stream(1, 3);
    const double first = a.uniform();
    CHECK(first == same.uniform());
    CHECK(first != other_seed.uniform());
    CHECK(first != other_stream.uniform());
}

TEST_CASE("uniform numbers are uniform and those of different streams independent")
{
    constexpr int n = 100000;
    RandomStream a(7, 0);
    RandomStream b(7, 1);
    double sum = 0;
    double squares = 0;
    double product = 0;
    std::vector<int> tenths(10);
    for (int i = 0; i < n; ++i) {
        const double x = a.uniform();
        REQUIRE(x >= 0);
        REQUIRE(x < 1);
        sum += x;
        squares += x * x;
        product += (x - 0.5) * (b.uniform() - 0.5);
        ++tenths[static_cast<std::size_t>(10 * x)];
    }
    CHECK(std::abs(sum / n - 0.5) < 4 * std::sqrt(1.0 / 12 / n));
    CHECK(std::abs(squares / n - 1.0 / 3) < 4 * std::sqrt(4.0 / 45 / n));
    CHECK(std::abs(product / n) < 4 * (1.0 / 12) / std::sqrt(n));
    double chi_square = 0;
    for (const int count : tenths)
        chi_square += std::pow(count - n / 10.0, 2) / (n / 10.0);
    CHECK(chi_square < 27.9); // 9 degrees of freedom, 0.1 %
}

TEST_CASE("normal numbers have the moments and the tails of the normal distribution")
{
    constexpr int n = 200000;
    RandomStream random(3, 0);
    double moments[5] = {};
    int beyond_two = 0;
    for (int i = 0; i < n; ++i) {
        const double x = random.normal();
        for (int power = 1; power <= 4; ++power)
            moments[power] += std::pow(x, power) / n;
        beyond_two += std::abs(x) > 2 ? 1 : 0;
    }
    CHECK(std::abs(moments[1]) < 4 / std::sqrt(n));
    CHECK(std::abs(moments[2] - 1) < 4 * std::sqrt(2.0 / n));
    CHECK(std::abs(moments[3]) < 4 * std::sqrt(15.0 / n));
    CHECK(std::abs(moments[4] - 3) < 4 * std::sqrt(96.0 / n));
    const double expected = 0.0455003;
    CHECK(std::abs(beyond_two / double(n) - expected) < 4 * std::sqrt(expected / n));
}

TEST_CASE("random indices reach every place equally often")
{
    RandomStream random(11, 0);
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i)
        ++counts[random.index(7)];
    double chi_square = 0;
    for (const int count : counts)
        chi_square += std::pow(count - 10000, 2) / 10000.0;
    CHECK(chi_square < 22.5); // 6 degrees of freedom, 0.1 %
    CHECK(random.index(1) == 0);
}
