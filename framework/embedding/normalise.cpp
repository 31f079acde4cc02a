#include "embedding/normalise.hpp"

#include "base/error.hpp"
#include "numeric/denormals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace senteval::embedding {
namespace {

using Vectors = std::span<const float* const>;

arma::vec means(Vectors vectors, std::size_t dimension)
{
    arma::vec sum(dimension, arma::fill::zeros);
    for (const float* vector : vectors)
        for (std::size_t d = 0; d < dimension; ++d)
            sum[d] += static_cast<double>(vector[d]);
    return sum / static_cast<double>(vectors.size());
}

/// 1 / standard deviation of each dimension, or 0. The mean of equal floats may be off by rounding,
/// so a constant dimension is recognised by its values.
arma::vec inverse_deviations(Vectors vectors, const arma::vec& mean)
{
    arma::vec squares(mean.n_elem, arma::fill::zeros);
    std::vector<char> varies(mean.n_elem);
    for (const float* vector : vectors)
        for (std::size_t d = 0; d < mean.n_elem; ++d) {
            const double offset = static_cast<double>(vector[d]) - mean[d];
            squares[d] += offset * offset;
            varies[d] = static_cast<char>(varies[d] | (vector[d] != vectors[0][d] ? 1 : 0));
        }
    arma::vec result(mean.n_elem);
    for (std::size_t d = 0; d < mean.n_elem; ++d)
        result[d] =
            varies[d] != 0 ? std::sqrt(static_cast<double>(vectors.size()) / squares[d]) : 0.0;
    return result;
}

void scale_to_unit_length(std::span<float> vector)
{
    numeric::bring_into_range(vector);
    double squares = 0;
    for (const float x : vector)
        squares += static_cast<double>(x) * static_cast<double>(x);
    if (squares > 0)
        for (float& x : vector)
            x *= static_cast<float>(1.0 / std::sqrt(squares));
}

std::vector<const float*> columns_of(const arma::fmat& embeddings)
{
    std::vector<const float*> columns;
    for (arma::uword column = 0; column < embeddings.n_cols; ++column)
        columns.push_back(embeddings.colptr(column));
    return columns;
}

} // namespace

Normaliser::Normaliser(Treatment treatment, Vectors vectors, std::size_t dimension)
    : kind_(treatment.normalise), dimension_(dimension), quantiser_(treatment.precision)
{
    if (!is_fitted(treatment))
        return;
    if (vectors.empty())
        throw base::Error("the normalisation '{}' needs embeddings to be fitted on",
                          is_fitted(kind_) ? name(kind_) : name(treatment.precision));
    if (is_fitted(kind_))
        mean_ = means(vectors, dimension);
    if (is_fitted(kind_) && kind_ != Normalisation::centre)
        scale_ = inverse_deviations(vectors, mean_);
    std::vector<float> normalised(dimension);
    for (std::size_t i = 0; quantiser_.is_fitted() && i < vectors.size(); ++i) {
        if (kind_ != Normalisation::none)
            normalise({vectors[i], dimension}, normalised.data());
        quantiser_.see({kind_ == Normalisation::none ? vectors[i] : normalised.data(), dimension});
    }
    quantiser_.fit();
}

Normaliser::Normaliser(Treatment treatment, const arma::fmat& embeddings)
    : Normaliser(treatment, columns_of(embeddings), embeddings.n_rows)
{
}

void Normaliser::apply(std::span<const float> vector, float* out) const
{
    normalise(vector, out);
    quantiser_.apply({out, vector.size()});
}

void Normaliser::normalise(std::span<const float> vector, float* out) const
{
    if (mean_.empty() && out != vector.data())
        std::copy(vector.begin(), vector.end(), out);
    if (!mean_.empty() && scale_.empty())
        for (std::size_t d = 0; d < vector.size(); ++d)
            out[d] = static_cast<float>(static_cast<double>(vector[d]) - mean_[d]);
    if (!scale_.empty())
        for (std::size_t d = 0; d < vector.size(); ++d)
            out[d] = static_cast<float>((static_cast<double>(vector[d]) - mean_[d]) * scale_[d]);
    if (kind_ == Normalisation::l2 || kind_ == Normalisation::z_l2)
        scale_to_unit_length({out, vector.size()});
}

void Normaliser::apply(arma::fmat& embeddings) const
{
    if (embeddings.n_rows != dimension_)
        throw base::Error("a normalisation fitted on {} dimensions cannot be applied to {}",
                          dimension_, embeddings.n_rows);
    for (arma::uword column = 0; column < embeddings.n_cols; ++column)
        apply({embeddings.colptr(column), dimension_}, embeddings.colptr(column));
}

} // namespace senteval::embedding
