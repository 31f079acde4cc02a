#include "base/error.hpp"
#include "embedding/projection.hpp"
#include "stats/counter_stream.hpp"
#include "support/support.hpp"

using namespace senteval;
using embedding::Projection;

namespace {

/// Sentences on a line through (1, 2, 3) along (3, 0, 4), with a little spread along (0, 1, 0).
arma::fmat on_a_line(arma::uword n)
{
    arma::fmat result(3, n);
    for (arma::uword i = 0; i < n; ++i) {
        const float along = static_cast<float>(i) - static_cast<float>(n - 1) / 2;
        result.col(i) = arma::fvec{1 + 3 * along, 2 + (i % 2 == 0 ? 0.1F : -0.1F), 3 + 4 * along};
    }
    return result;
}

} // namespace

TEST_CASE("the first principal component of a line is its direction")
{
    const arma::fmat embeddings = on_a_line(8);
    const auto projection = Projection::principal(embeddings, 2);
    CHECK(projection.matrix()(0, 0) == doctest::Approx(0.6).epsilon(1e-3));
    CHECK(std::abs(projection.matrix()(0, 1)) < 0.01);
    CHECK(projection.matrix()(0, 2) == doctest::Approx(0.8).epsilon(1e-3));
    CHECK(projection.matrix()(1, 1) == doctest::Approx(1).epsilon(1e-3));
    const arma::fmat scores = projection.apply(embeddings);
    CHECK(scores(0, 0) == doctest::Approx(-17.5).epsilon(1e-3)); // 3.5 steps of length 5
    CHECK(arma::accu(scores.row(0)) == doctest::Approx(0).scale(1).epsilon(1e-4));
}

TEST_CASE("principal components of fewer sentences than dimensions, and beyond their rank")
{
    const arma::fmat two = on_a_line(2);
    const auto projection = Projection::principal(two, 3);
    CHECK(arma::norm(projection.matrix().row(0)) == doctest::Approx(1));
    CHECK(arma::norm(projection.matrix().row(1)) == 0.0F);
    const arma::fmat scores = projection.apply(two);
    const float distance = arma::norm(two.col(0) - two.col(1));
    CHECK(std::abs(scores(0, 0) - scores(0, 1)) == doctest::Approx(distance).epsilon(1e-5));
}

TEST_CASE("all principal components keep every distance")
{
    stats::CounterStream random(4, 0);
    arma::fmat embeddings(6, 40);
    embeddings.imbue([&] { return static_cast<float>(random.normal()); });
    const arma::fmat rotated = Projection::principal(embeddings, 6).apply(embeddings);
    for (arma::uword i = 1; i < 40; ++i)
        CHECK(arma::norm(rotated.col(i) - rotated.col(0)) ==
              doctest::Approx(arma::norm(embeddings.col(i) - embeddings.col(0))).epsilon(1e-4));
}

TEST_CASE("a random projection keeps squared lengths on average and is its seed's")
{
    const arma::fmat unit(50, 1, arma::fill::value(1 / std::sqrt(50.0F)));
    double sum = 0;
    constexpr int rounds = 400;
    for (int seed = 0; seed < rounds; ++seed) {
        const arma::fmat image =
            Projection::random(50, 20, static_cast<std::uint64_t>(seed)).apply(unit);
        sum += static_cast<double>(arma::dot(image, image));
    }
    // a mean of 400 scaled chi squares with 20 degrees: standard error 0.016
    CHECK(sum / rounds == doctest::Approx(1).epsilon(0.05));
    const auto matrix = [](std::uint64_t seed) { return Projection::random(4, 3, seed).matrix(); };
    CHECK(arma::approx_equal(matrix(1), matrix(1), "absdiff", 0.0F));
    CHECK_FALSE(arma::approx_equal(matrix(1), matrix(2), "absdiff", 0.1F));
}

TEST_CASE("the image of a sentence does not depend on the sentences beside it")
{
    stats::CounterStream random(5, 0);
    arma::fmat embeddings(37, 21);
    embeddings.imbue([&] { return static_cast<float>(random.normal()); });
    for (const auto& projection :
         {Projection::random(37, 11, 3), Projection::principal(embeddings, 11)}) {
        const arma::fmat together = projection.apply(embeddings);
        for (arma::uword i = 0; i < embeddings.n_cols; ++i)
            CHECK(arma::approx_equal(projection.apply(embeddings.cols(i, i)), together.col(i),
                                     "absdiff", 0.0F));
    }
}

TEST_CASE("projections check their dimensions")
{
    const arma::fmat embeddings = on_a_line(4);
    CHECK_THROWS_AS(Projection::random(3, 0, 1), base::Error);
    CHECK_THROWS_AS(Projection::principal(embeddings, 0), base::Error);
    CHECK_THROWS_AS(Projection::principal(embeddings, 4), base::Error);
    CHECK_THROWS_AS((void)Projection::random(4, 2, 1).apply(embeddings), base::Error);
}
