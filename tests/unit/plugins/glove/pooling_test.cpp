#include "glove/pooling.hpp"
#include "support/support.hpp"

#include <initializer_list>

using namespace senteval::glove;
using senteval::word_vectors::Token;

namespace {

using Values = std::vector<double>;

/// Pools vectors of two values; an empty one is an unknown token.
Values pooled(Pooling pooling, Unknown unknown, const std::vector<Values>& vectors)
{
    std::vector<Token> tokens;
    for (const Values& vector : vectors)
        tokens.push_back({"token", vector.empty() ? nullptr : vector.data(), 0});
    Values out(pooled_dimension(pooling, 2), -99.0);
    pool(pooling, unknown, tokens, out);
    return out;
}

const std::vector<Values> some_words{{1, -2}, {}, {2, 4}, {3, -8}};

} // namespace

TEST_CASE("unknown tokens are skipped")
{
    CHECK(pooled(Pooling::mean, Unknown::skip, some_words) == Values{2, -2});
    CHECK(pooled(Pooling::sum, Unknown::skip, some_words) == Values{6, -6});
    CHECK(pooled(Pooling::max, Unknown::skip, some_words) == Values{3, 4});
    CHECK(pooled(Pooling::min, Unknown::skip, some_words) == Values{1, -8});
}

TEST_CASE("unknown tokens count as zeros")
{
    CHECK(pooled(Pooling::mean, Unknown::zero, some_words) == Values{1.5, -1.5});
    CHECK(pooled(Pooling::sum, Unknown::zero, some_words) == Values{6, -6});
    CHECK(pooled(Pooling::max, Unknown::zero, {{-1, -2}, {}}) == Values{0, 0});
    CHECK(pooled(Pooling::min, Unknown::zero, {{1, -2}, {}}) == Values{0, -2});
    CHECK(pooled(Pooling::max, Unknown::zero, {{-1, -2}}) == Values{-1, -2});
}

TEST_CASE("power means are concatenated and the cube root keeps its sign")
{
    // Cubes: (1 + 8 + 27) / 3 = 12 and (-8 + 64 - 512) / 3 = -152.
    const Values result = pooled(Pooling::pmeans, Unknown::skip, some_words);
    REQUIRE(result.size() == 8);
    CHECK(Values(result.begin(), result.begin() + 6) == Values{2, -2, 3, 4, 1, -8});
    CHECK(result[6] == doctest::Approx(2.2894284851066637).epsilon(1e-14));
    CHECK(result[7] == doctest::Approx(-5.336803297443889).epsilon(1e-14));

    const Values zeros = pooled(Pooling::pmeans, Unknown::zero, {{2, -2}, {}});
    CHECK(Values(zeros.begin(), zeros.begin() + 6) == Values{1, -1, 2, 0, 0, -2});
    CHECK(zeros[6] == doctest::Approx(std::cbrt(4.0)).epsilon(1e-14));
}

TEST_CASE("without a token that counts every pooling is zeros")
{
    for (const Pooling pooling :
         {Pooling::mean, Pooling::max, Pooling::min, Pooling::sum, Pooling::pmeans}) {
        const Values zeros(pooled_dimension(pooling, 2), 0.0);
        CHECK(pooled(pooling, Unknown::skip, {}) == zeros);
        CHECK(pooled(pooling, Unknown::zero, {}) == zeros);
        CHECK(pooled(pooling, Unknown::skip, {{}, {}}) == zeros);
        CHECK(pooled(pooling, Unknown::zero, {{}, {}}) == zeros);
    }
}

TEST_CASE("the mean adds from left to right and divides once")
{
    // (0.1 + 0.2) + 0.3 is another double than 0.1 + (0.2 + 0.3); a third of it another than the sum
    // of thirds. The sign of zero is that of numpy's sum over one row.
    CHECK(pooled(Pooling::mean, Unknown::skip, {{0.1, 1}, {0.2, 1}, {0.3, 1}})[0] ==
          0.6000000000000001 / 3);
    CHECK(std::signbit(pooled(Pooling::mean, Unknown::skip, {{-0.0, 1}})[0]));
}
