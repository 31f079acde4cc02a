#include "random/initialise.hpp"
#include "support/support.hpp"

namespace {

namespace random = senteval::random;
using random::Initialisation;
using random::RandomStream;

arma::fmat draw(Initialisation how, std::size_t outputs = 400, std::size_t columns = 300)
{
    RandomStream stream(5, 0);
    return random::draw_matrix(outputs, columns, how, stream);
}

/// Kolmogorov and Smirnov's distance of the values from a distribution function, times sqrt(n):
/// above 1.95 in one of a thousand draws.
double ks_distance(std::vector<float> values, const std::function<double(double)>& distribution)
{
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = distribution(values[i]);
        distance = std::max({distance, std::abs(expected - static_cast<double>(i) / n),
                             std::abs(expected - static_cast<double>(i + 1) / n)});
    }
    return distance * std::sqrt(n);
}

double from_uniform(const arma::fmat& matrix, double bound)
{
    return ks_distance({matrix.begin(), matrix.end()},
                       [&](double x) { return (x + bound) / (2 * bound); });
}

double from_normal(const std::vector<float>& values, double deviation)
{
    return ks_distance(values,
                       [&](double x) { return 0.5 * std::erfc(-x / deviation / std::sqrt(2.0)); });
}

/// Correlation of neighbours down the columns: near 0 for independent elements.
double neighbour_correlation(const arma::fmat& matrix)
{
    const arma::vec values = arma::conv_to<arma::vec>::from(arma::vectorise(matrix));
    return arma::as_scalar(
        arma::cor(values.head(values.n_elem - 1), values.tail(values.n_elem - 1)));
}

/// A matrix with known eigenvalues: rotations of modulus `moduli`, hidden by a random basis.
arma::fmat with_moduli(const arma::vec& moduli)
{
    const arma::uword n = 2 * moduli.n_elem;
    arma::mat blocks(n, n, arma::fill::zeros);
    for (arma::uword k = 0; k < moduli.n_elem; ++k) {
        const double angle = 0.1 + 0.37 * static_cast<double>(k);
        blocks(2 * k, 2 * k) = blocks(2 * k + 1, 2 * k + 1) = moduli(k) * std::cos(angle);
        blocks(2 * k, 2 * k + 1) = moduli(k) * std::sin(angle);
        blocks(2 * k + 1, 2 * k) = -moduli(k) * std::sin(angle);
    }
    const arma::mat basis = arma::conv_to<arma::mat>::from(draw(Initialisation::orthogonal, n, n));
    return arma::conv_to<arma::fmat>::from(arma::mat(basis * blocks * basis.t()));
}

} // namespace

TEST_CASE("uniform initialisations fill their interval evenly")
{
    for (const auto& [how, bound] : {std::pair{Initialisation::standard, 1 / std::sqrt(300.0)},
                                     {Initialisation::uniform, 0.1},
                                     {Initialisation::kaiming, std::sqrt(6 / 300.0)},
                                     {Initialisation::xavier, std::sqrt(6 / 700.0)}}) {
        const arma::fmat matrix = draw(how);
        CHECK(matrix.n_rows == 400);
        CHECK(matrix.n_cols == 300);
        CHECK(arma::abs(matrix).max() <= static_cast<float>(bound));
        CHECK(from_uniform(matrix, bound) < 1.95);
        CHECK(from_uniform(matrix, 1.05 * bound) > 1.95); // the test can tell
        CHECK(std::abs(neighbour_correlation(matrix)) < 4 / std::sqrt(400.0 * 300));
    }
}

TEST_CASE("the normal initialisation is normal")
{
    const arma::fmat matrix = draw(Initialisation::normal);
    CHECK(from_normal({matrix.begin(), matrix.end()}, 0.1) < 1.95);
    CHECK(from_normal({matrix.begin(), matrix.end()}, 0.105) > 1.95);
    CHECK(std::abs(neighbour_correlation(matrix)) < 4 / std::sqrt(400.0 * 300));
}

TEST_CASE("the sparse initialisation has a tenth of zeros in each column, others normal")
{
    const arma::fmat matrix = draw(Initialisation::sparse, 401);
    std::vector<float> others;
    arma::fvec zeros_of_row(401, arma::fill::zeros);
    for (arma::uword column = 0; column < matrix.n_cols; ++column) {
        std::size_t zeros = 0;
        for (arma::uword row = 0; row < matrix.n_rows; ++row) {
            if (matrix(row, column) == 0) {
                ++zeros;
                ++zeros_of_row(row);
            } else {
                others.push_back(matrix(row, column));
            }
        }
        REQUIRE(zeros == 41); // ceil(40.1)
    }
    CHECK(from_normal(others, 0.01) < 1.95);
    CHECK(zeros_of_row.max() < 60); // 300 columns: 30.7 expected, deviation 5.3
    CHECK(zeros_of_row.min() > 8);
}

TEST_CASE("the orthogonal initialisation has orthonormal columns, or rows")
{
    const arma::fmat tall = draw(Initialisation::orthogonal);
    CHECK(arma::size(tall) == arma::SizeMat(400, 300));
    CHECK(arma::abs(tall.t() * tall - arma::eye<arma::fmat>(300, 300)).max() < 1e-5);
    const arma::fmat wide = draw(Initialisation::orthogonal, 50, 80);
    CHECK(arma::size(wide) == arma::SizeMat(50, 80));
    CHECK(arma::abs(wide * wide.t() - arma::eye<arma::fmat>(50, 50)).max() < 1e-5);
    // Uniform among the orthogonal matrices: the elements of a large one are near normal.
    CHECK(from_normal({tall.begin(), tall.end()}, 1 / std::sqrt(400.0)) < 1.95);
}

TEST_CASE("making a matrix sparse leaves the rest as it was")
{
    RandomStream stream(1, 0);
    const arma::fmat before = random::draw_uniform(10, 4, 1.0, stream);
    for (const auto& [share, zeros] :
         {std::pair{0.0, 0U}, std::pair{0.5, 5U}, std::pair{0.51, 6U}}) {
        arma::fmat after = before;
        random::make_sparse(after, share, stream);
        CHECK(arma::accu(after == 0) == 4 * zeros);
        CHECK(arma::accu(after != before) == 4 * zeros);
    }
}

TEST_CASE("the spectral radius is the largest modulus of an eigenvalue")
{
    CHECK(random::spectral_radius(arma::fmat{{2, 0}, {0, -3}}) == doctest::Approx(3));
    CHECK(random::spectral_radius(arma::fmat{{0, 2}, {-2, 0}}) == doctest::Approx(2)); // +-2i
    CHECK(random::spectral_radius(arma::fmat{{0, 1}, {0, 0}}) == 0);

    // Large ones come from Krylov spaces.
    CHECK(random::spectral_radius(with_moduli(arma::linspace(0.1, 1.5, 200))) ==
          doctest::Approx(1.5).epsilon(1e-4));
    CHECK(random::spectral_radius(2.5F * arma::eye<arma::fmat>(300, 300)) ==
          doctest::Approx(2.5)); // the space ends at once
    RandomStream stream(2, 0);
    const arma::fmat matrix = random::draw_uniform(500, 500, 0.5, stream);
    const double exact = arma::abs(arma::eig_gen(arma::conv_to<arma::mat>::from(matrix))).max();
    CHECK(random::spectral_radius(matrix) == doctest::Approx(exact).epsilon(1e-5));
}
