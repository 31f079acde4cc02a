#include "random/weights.hpp"

#include "random/initialise.hpp"
#include "support/support.hpp"

namespace {

namespace random = senteval::random;
namespace numeric = senteval::numeric;

constexpr std::size_t columns = 32;

struct Case {
    arma::fmat matrix;
    arma::fmat vectors;

    Case(std::size_t rows, std::size_t length)
    {
        random::RandomStream stream(5, 0);
        matrix = random::draw_uniform(rows, length, 1.0, stream);
        vectors = random::draw_uniform(length, columns, 1.0, stream);
    }

    [[nodiscard]] arma::fmat product(const numeric::Kernels& kernel) const
    {
        const random::Weights weights(matrix);
        arma::fmat product(weights.output_rows(), columns);
        weights.multiply(vectors.memptr(), columns, product.memptr(), kernel);
        for (std::size_t row = matrix.n_rows; row < product.n_rows; ++row)
            CHECK(arma::all(product.row(row) == 0));
        return product.head_rows(matrix.n_rows);
    }
};

bool same_bits(const arma::fmat& a, const arma::fmat& b)
{
    return a.n_rows == b.n_rows && a.n_cols == b.n_cols && arma::all(arma::vectorise(a == b));
}

/// Sizes around those of a tile and of a panel.
std::vector<Case> cases()
{
    std::vector<Case> all;
    for (const std::size_t rows : {1U, 7U, 47U, 48U, 49U, 96U, 333U})
        for (const std::size_t length : {1U, 2U, 50U, 301U})
            all.emplace_back(rows, length);
    return all;
}

} // namespace

TEST_CASE("a matrix of weights is kept as it is, and a product is that of the matrices")
{
    for (const Case& one : cases()) {
        CHECK(same_bits(random::Weights(one.matrix).matrix(), one.matrix));
        const arma::mat exact = arma::conv_to<arma::mat>::from(one.matrix) *
                                arma::conv_to<arma::mat>::from(one.vectors);
        for (const numeric::Kernels* kernel : numeric::available_kernels()) {
            CAPTURE(kernel->name);
            const arma::mat found = arma::conv_to<arma::mat>::from(one.product(*kernel));
            CHECK(arma::abs(found - exact).max() < 1e-6 * static_cast<double>(one.matrix.n_cols));
        }
    }
}

TEST_CASE("all instruction sets give the same bits")
{
    for (const Case& one : cases())
        for (const numeric::Kernels* kernel : numeric::available_kernels())
            CHECK(same_bits(one.product(*kernel), one.product(numeric::kernels())));
}

TEST_CASE("a vector's product has the same bits at each place and in any company")
{
    for (const Case& one : cases())
        for (const numeric::Kernels* kernel : numeric::available_kernels()) {
            const arma::fmat together = one.product(*kernel);
            Case other = one;
            for (std::size_t column = 0; column < columns; ++column)
                other.vectors.col((column * 5 + 3) % columns) = one.vectors.col(column);
            const arma::fmat moved = other.product(*kernel);
            for (std::size_t column = 0; column < columns; ++column)
                CHECK(same_bits(moved.col((column * 5 + 3) % columns), together.col(column)));

            const random::Weights weights(one.matrix);
            arma::fmat few(weights.output_rows(), random::tile_columns);
            weights.multiply(one.vectors.memptr(), random::tile_columns, few.memptr(), *kernel);
            CHECK(same_bits(few.head_rows(one.matrix.n_rows),
                            together.head_cols(random::tile_columns)));
        }
}
