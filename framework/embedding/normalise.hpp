// normalise.hpp -- what is done to embeddings before they are compared or learned from.
#pragma once

#include "embedding/quantise.hpp"

#include <armadillo>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace senteval::embedding {

/// `centre`: the mean of each dimension is subtracted. `l2`: each sentence is scaled to length 1.
/// `z`: each dimension is brought to mean 0 and deviation 1. `z_l2`: z, then l2 (Eger, Rücklé &
/// Gurevych 2019, "Pitfalls in the Evaluation of Sentence Embeddings", section 3, note 1).
enum class Normalisation { none, centre, l2, z, z_l2 };

inline constexpr std::array<std::pair<std::string_view, Normalisation>, 5> normalisation_names{{
    {"none", Normalisation::none},
    {"centre", Normalisation::centre},
    {"l2", Normalisation::l2},
    {"z", Normalisation::z},
    {"z+l2", Normalisation::z_l2},
}};

constexpr std::string_view name(Normalisation kind)
{
    return normalisation_names[static_cast<std::size_t>(kind)].first;
}

/// Whether it depends on other sentences than the one it is applied to.
constexpr bool is_fitted(Normalisation kind)
{
    return kind != Normalisation::none && kind != Normalisation::l2;
}

/// A normalisation, and the precision that its values are stored in.
struct Treatment {
    Normalisation normalise = Normalisation::none;
    Precision precision = Precision::float32;

    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): one is the other at full precision
    constexpr Treatment(Normalisation kind = Normalisation::none,
                        Precision stored = Precision::float32)
        : normalise(kind), precision(stored)
    {
    }
    friend constexpr bool operator==(const Treatment&, const Treatment&) = default;
};

constexpr bool is_fitted(const Treatment& treatment)
{
    return is_fitted(treatment.normalise) || treatment.precision == Precision::int8;
}

/// A treatment fitted on one set of embeddings and applied to any. For similarity tasks both are
/// the whole set (transductive, as in the paper's table 2); for supervised ones it is fitted on the
/// training part (the paper's note 2).
class Normaliser {
public:
    /// Vectors of `dimension` floats; they are not kept. Throws base::Error where a fitted
    /// treatment has none to be fitted on.
    Normaliser(Treatment treatment, std::span<const float* const> vectors, std::size_t dimension);

    /// `embeddings`: dimension x n, one sentence per column.
    Normaliser(Treatment treatment, const arma::fmat& embeddings);

    /// Writes the treated `vector` to `out`, which may be the same. A dimension without deviation
    /// becomes 0 when normalised, a vector of zeros stays as it is. Both are of the dimension of the fit.
    void apply(std::span<const float> vector, float* out) const;

    /// Every column, in place. Throws base::Error where the dimension is not that of the fit.
    void apply(arma::fmat& embeddings) const;

private:
    void normalise(std::span<const float> vector, float* out) const;

    Normalisation kind_;
    std::size_t dimension_;
    arma::vec mean_;  ///< of each dimension; empty where it is not subtracted
    arma::vec scale_; ///< 1 / deviation (over n); 0 where there is none; empty where not used
    Quantiser quantiser_;
};

} // namespace senteval::embedding
