#include "embedding/normalise.hpp"

#include "core/error.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace senteval::embedding {
namespace {

constexpr std::array<std::pair<Normalisation, std::string_view>, 5> names = {{
    {Normalisation::none, "none"},
    {Normalisation::mean, "mean"},
    {Normalisation::l2, "l2"},
    {Normalisation::z, "z"},
    {Normalisation::z_l2, "z+l2"},
}};

arma::vec row_means(const arma::fmat& embeddings)
{
    arma::vec sum(embeddings.n_rows, arma::fill::zeros);
    for (arma::uword column = 0; column < embeddings.n_cols; ++column)
        for (arma::uword row = 0; row < embeddings.n_rows; ++row)
            sum[row] += static_cast<double>(embeddings(row, column));
    return sum / static_cast<double>(embeddings.n_cols);
}

/// 1 / standard deviation of each dimension, or 0. The mean of equal floats may be off by rounding,
/// so a constant dimension is recognised by its values.
arma::vec inverse_deviations(const arma::fmat& embeddings, const arma::vec& mean)
{
    arma::vec squares(embeddings.n_rows, arma::fill::zeros);
    std::vector<bool> varies(embeddings.n_rows);
    for (arma::uword column = 0; column < embeddings.n_cols; ++column) {
        for (arma::uword row = 0; row < embeddings.n_rows; ++row) {
            const double offset = static_cast<double>(embeddings(row, column)) - mean[row];
            squares[row] += offset * offset;
            if (embeddings(row, column) != embeddings(row, 0))
                varies[row] = true;
        }
    }
    arma::vec result(embeddings.n_rows);
    for (arma::uword row = 0; row < embeddings.n_rows; ++row)
        result[row] =
            varies[row] ? std::sqrt(static_cast<double>(embeddings.n_cols) / squares[row]) : 0.0;
    return result;
}

void scale_to_unit_length(arma::fmat& embeddings)
{
    for (arma::uword column = 0; column < embeddings.n_cols; ++column) {
        double squares = 0;
        for (arma::uword row = 0; row < embeddings.n_rows; ++row)
            squares += static_cast<double>(embeddings(row, column)) *
                       static_cast<double>(embeddings(row, column));
        if (squares > 0)
            embeddings.col(column) *= static_cast<float>(1.0 / std::sqrt(squares));
    }
}

} // namespace

Normalisation parse_normalisation(std::string_view text)
{
    for (const auto& [kind, known] : names)
        if (known == text)
            return kind;
    throw core::UsageError("there is no normalisation '{}': use none, mean, l2, z or z+l2", text);
}

std::string_view name(Normalisation kind)
{
    return names[static_cast<std::size_t>(kind)].second;
}

Normaliser::Normaliser(Normalisation kind, const arma::fmat& embeddings) : kind_(kind)
{
    if (kind == Normalisation::none || kind == Normalisation::l2)
        return;
    if (embeddings.n_cols == 0)
        throw core::Error("the normalisation '{}' needs embeddings to be fitted on", name(kind));
    mean_ = row_means(embeddings);
    if (kind != Normalisation::mean)
        scale_ = inverse_deviations(embeddings, mean_);
}

void Normaliser::apply(arma::fmat& embeddings) const
{
    if (!mean_.empty()) {
        if (embeddings.n_rows != mean_.n_elem)
            throw core::Error("a normalisation fitted on {} dimensions cannot be applied to {}",
                              mean_.n_elem, embeddings.n_rows);
        for (arma::uword column = 0; column < embeddings.n_cols; ++column) {
            for (arma::uword row = 0; row < embeddings.n_rows; ++row) {
                const double centred = static_cast<double>(embeddings(row, column)) - mean_[row];
                embeddings(row, column) =
                    static_cast<float>(scale_.empty() ? centred : centred * scale_[row]);
            }
        }
    }
    if (kind_ == Normalisation::l2 || kind_ == Normalisation::z_l2)
        scale_to_unit_length(embeddings);
}

} // namespace senteval::embedding
