#include "base/error.hpp"
#include "embedding/normalise.hpp"
#include "support/support.hpp"

using namespace senteval;
using embedding::Normalisation;

namespace {

// dimension 3, four sentences; the last dimension is the same everywhere
arma::fmat sample()
{
    return {{1, 2, 3, 4}, {0, 0, 6, 6}, {0.1F, 0.1F, 0.1F, 0.1F}};
}

arma::fmat normalised(Normalisation kind)
{
    arma::fmat embeddings = sample();
    embedding::Normaliser(kind, embeddings).apply(embeddings);
    return embeddings;
}

} // namespace

TEST_CASE("none changes nothing, and centring removes the mean of each dimension")
{
    CHECK(arma::approx_equal(normalised(Normalisation::none), sample(), "absdiff", 0.0F));
    const arma::fmat result = normalised(Normalisation::centre);
    CHECK(result(0, 0) == doctest::Approx(-1.5));
    CHECK(result(1, 3) == doctest::Approx(3));
    CHECK(std::abs(result(2, 0)) < 1e-6);
}

TEST_CASE("z brings each dimension to deviation one, and a constant one to zero")
{
    const arma::fmat result = normalised(Normalisation::z);
    CHECK(result(0, 0) == doctest::Approx(-1.5 / std::sqrt(1.25)));
    CHECK(result(1, 0) == doctest::Approx(-1));
    for (arma::uword column = 0; column < 4; ++column)
        CHECK(result(2, column) == 0.0F);
}

TEST_CASE("l2 scales sentences to length one and leaves zeros alone")
{
    arma::fmat embeddings = {{3, 0}, {4, 0}};
    embedding::Normaliser(Normalisation::l2, embeddings).apply(embeddings);
    CHECK(embeddings(0, 0) == doctest::Approx(0.6));
    CHECK(embeddings(1, 0) == doctest::Approx(0.8));
    CHECK(embeddings(0, 1) == 0.0F);
}

TEST_CASE("z+l2 is z and then l2")
{
    const arma::fmat z = normalised(Normalisation::z);
    const arma::fmat both = normalised(Normalisation::z_l2);
    const double length = std::hypot(z(0, 0), z(1, 0));
    CHECK(both(0, 0) == doctest::Approx(z(0, 0) / length));
    CHECK(arma::norm(both.col(3)) == doctest::Approx(1));
}

TEST_CASE("a normalisation fitted on one set is applied to another")
{
    const embedding::Normaliser fitted(Normalisation::z, sample());
    arma::fmat other = arma::fvec{2.5F, 9, 7};
    fitted.apply(other);
    CHECK(other(0, 0) == doctest::Approx(0));
    CHECK(other(1, 0) == doctest::Approx(2));
    CHECK(other(2, 0) == 0.0F);
    arma::fmat wrong(2, 1, arma::fill::ones);
    CHECK_THROWS_AS(fitted.apply(wrong), base::Error);
    CHECK_THROWS_AS(embedding::Normaliser(Normalisation::z, arma::fmat(3, 0)), base::Error);
}

TEST_CASE("normalisations have names, and tell whether they learn from other sentences")
{
    for (const auto& [name, kind] : embedding::normalisation_names)
        CHECK(embedding::name(kind) == name);
    CHECK(embedding::name(Normalisation::z_l2) == "z+l2");
    CHECK_FALSE(embedding::is_fitted(Normalisation::none));
    CHECK_FALSE(embedding::is_fitted(Normalisation::l2));
    CHECK(embedding::is_fitted(Normalisation::centre));
    CHECK(embedding::is_fitted(Normalisation::z_l2));
}

TEST_CASE("a single vector is normalised as it is within a matrix")
{
    for (const auto& named : embedding::normalisation_names) {
        const auto& [name, kind] = named;
        CAPTURE(named.first);
        const arma::fmat embeddings = sample();
        std::vector<float> out(3);
        embedding::Normaliser(kind, embeddings).apply({embeddings.colptr(2), 3}, out.data());
        CHECK(arma::approx_equal(arma::fvec(out), normalised(kind).col(2), "absdiff", 0.0F));
    }
}
