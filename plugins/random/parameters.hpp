// parameters.hpp -- the parameters that the random encoders share.
#pragma once

#include "random/initialise.hpp"
#include "random/words.hpp"
#include "word_vectors/parameters.hpp"

#include <senteval/encoder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace senteval::random {

inline constexpr senteval_param_spec case_param =
    sdk::param("case",
               "fallback",
               "Look-up of a token: fallback (as written, then Capitalised, then lower-case) or "
               "exact.");
inline constexpr senteval_param_spec unknown_param =
    sdk::param("unknown",
               "zero",
               "A token without a vector: zero (counts as a zero vector), skip, or normal (a "
               "standard normal vector of its own).");
inline constexpr std::int64_t largest_dimension = 65536;
inline constexpr senteval_param_spec dimension_param =
    sdk::param("dimension",
               4096,
               "Length of the sentence vectors, 1 to 65536; even where two directions share it.");
inline constexpr senteval_param_spec pooling_param =
    sdk::param("pooling", "mean", "Pooling over the tokens: mean, max, min or sum.");
inline constexpr senteval_param_spec activation_param =
    sdk::param("activation", "none", "Activation after pooling: none, relu, tanh or sigmoid.");
inline constexpr senteval_param_spec initialisation_param =
    sdk::param("initialisation",
               "standard",
               "Distribution of the weights: standard (uniform, 1/sqrt(inputs)), orthogonal, "
               "sparse, normal (sd 0.1), uniform (0.1), kaiming or xavier.");
inline constexpr senteval_param_spec bidirectional_param =
    sdk::param("bidirectional", true, "Half of the vector from each direction of reading.");
inline constexpr senteval_param_spec seed_param =
    sdk::param("seed", 1, "Chooses the random weights, 0 or above.");

/// Parameters of every encoder over sequences of word vectors.
inline constexpr auto words_params = word_vectors::joined(
    word_vectors::source_params, std::array{case_param, unknown_param, dimension_param});

/// The value of an integer parameter from 1 to `highest`. Throws sdk::Error where it is not.
std::size_t
size_from(const sdk::Params& params, const char* key, int fallback, std::int64_t highest);

/// The value of a real parameter from `lowest` to `highest`. Throws sdk::Error where it is not.
double real_from(
    const sdk::Params& params, const char* key, double fallback, double lowest, double highest);

std::uint64_t seed_from(const sdk::Params& params);
Pooling pooling_from(const sdk::Params& params);
Activation activation_from(const sdk::Params& params, const char* key = "activation");
Initialisation initialisation_from(const sdk::Params& params);

/// Shape of a recurrent encoder by `bidirectional` and `dimension`.
struct Shape {
    bool bidirectional = true;
    std::size_t units = 0; ///< of each direction
    [[nodiscard]] std::size_t dimension() const noexcept
    {
        return bidirectional ? 2 * units : units;
    }
};
Shape shape_from(const sdk::Params& params);

} // namespace senteval::random
