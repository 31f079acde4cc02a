#include "embedding/projection.hpp"

#include "base/error.hpp"
#include "stats/counter_stream.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::embedding {
namespace {

/// Eigenvectors of the covariance by falling eigenvalue, as columns: of centred * centred' or, where
/// there are fewer sentences than dimensions, from the smaller centred' * centred.
arma::mat principal_directions(const arma::mat& centred)
{
    const bool few_sentences = centred.n_cols < centred.n_rows;
    const arma::mat products =
        few_sentences ? arma::mat(centred.t() * centred) : arma::mat(centred * centred.t());
    arma::vec values;
    arma::mat vectors;
    if (!arma::eig_sym(values, vectors, products))
        throw base::Error("the principal components of the embeddings were not found: the "
                          "eigenvalue solver did not converge");
    values = arma::reverse(values);
    vectors = arma::fliplr(vectors);
    const double negligible = values.empty() ? 0.0 : values[0] * 1e-10;
    arma::uword rank = 0;
    while (rank < values.n_elem && values[rank] > negligible)
        ++rank;
    vectors = vectors.head_cols(rank);
    return few_sentences ? arma::normalise(arma::mat(centred * vectors)) : vectors;
}

/// Adds by hand: the bits of a product of BLAS depend on the number of columns.
void add(double factor, const float* column, arma::vec& sums)
{
    for (arma::uword i = 0; i < sums.n_elem; ++i)
        sums[i] += factor * static_cast<double>(column[i]);
}

void fix_sign(arma::subview_row<float> component)
{
    const arma::frowvec entries(component);
    if (entries[arma::abs(entries).index_max()] < 0)
        component *= -1.0F;
}

} // namespace

Projection Projection::random(std::size_t from, std::size_t to, std::uint64_t seed)
{
    if (to == 0)
        throw base::Error("a projection needs at least one dimension to project to");
    arma::fmat matrix(to, from);
    const double scale = 1.0 / std::sqrt(static_cast<double>(to));
    for (std::size_t row = 0; row < to; ++row) {
        stats::CounterStream stream(seed, row);
        for (std::size_t column = 0; column < from; ++column)
            matrix(row, column) = static_cast<float>(scale * stream.normal());
    }
    return {std::move(matrix), {}};
}

Projection Projection::principal(const arma::fmat& embeddings, std::size_t to)
{
    if (to == 0 || to > embeddings.n_rows)
        throw base::Error(
            "{} principal components of embeddings with {} dimensions: choose between "
            "1 and {}",
            to, embeddings.n_rows, embeddings.n_rows);
    arma::mat centred = arma::conv_to<arma::mat>::from(embeddings);
    const arma::vec mean = arma::mean(centred, 1);
    centred.each_col() -= mean;
    const arma::mat directions = principal_directions(centred);
    arma::fmat matrix(to, embeddings.n_rows, arma::fill::zeros);
    for (arma::uword row = 0; row < std::min<arma::uword>(to, directions.n_cols); ++row) {
        matrix.row(row) = arma::conv_to<arma::fmat>::from(directions.col(row).t());
        fix_sign(matrix.row(row));
    }
    return {std::move(matrix), mean};
}

arma::fmat Projection::apply(const arma::fmat& embeddings) const
{
    arma::fmat result(matrix_.n_rows, embeddings.n_cols);
    for (arma::uword column = 0; column < embeddings.n_cols; ++column)
        apply({embeddings.colptr(column), embeddings.n_rows}, result.colptr(column));
    return result;
}

void Projection::apply(std::span<const float> vector, float* out) const
{
    if (vector.size() != matrix_.n_cols)
        throw base::Error("a projection from {} dimensions cannot be applied to {}", matrix_.n_cols,
                          vector.size());
    arma::vec sums(matrix_.n_rows, arma::fill::zeros);
    for (std::size_t d = 0; d < vector.size(); ++d)
        add(static_cast<double>(vector[d]) - (mean_.empty() ? 0.0 : mean_[d]), matrix_.colptr(d),
            sums);
    std::transform(sums.begin(), sums.end(), out,
                   [](double sum) { return static_cast<float>(sum); });
}

} // namespace senteval::embedding
