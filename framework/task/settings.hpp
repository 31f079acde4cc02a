// settings.hpp -- what a user can choose about the evaluation itself.
#pragma once

#include "embedding/normalise.hpp"
#include "embedding/projection.hpp"
#include "embedding/variant.hpp"
#include "encoder/identity.hpp"
#include "encoder/prompted.hpp"
#include "learn/settings.hpp"
#include "task/chunks.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace senteval::task {

using encoder::Similarity;
using encoder::similarity_names;

inline constexpr std::uint32_t default_seed = 1111;

struct Settings {
    std::uint32_t seed = default_seed;
    /// The first seed that the user gave; none: protocols after MTEB then take its 42.
    std::optional<std::uint32_t> first_seed;
    /// Number of a random half of the training part, which is all that is learned from; 0: the whole. The
    /// half depends on this number and the part's size only: it is the same for every encoder.
    std::uint32_t resample = 0;
    std::size_t kfold = 10;         ///< folds of the (nested) cross-validations
    learn::Settings classifier;     ///< the head of the supervised tasks
    bool names_classifier = false;  ///< it is the user's choice: own data does not take its own
    std::vector<std::size_t> nhids; ///< of an mlp, to choose from on dev scores; empty: the
                                    ///< classifier's
    std::vector<double> dropouts;   ///< likewise
    std::optional<Similarity> similarity; ///< of the unsupervised tasks, as the user chose
    Similarity own_similarity = Similarity::cosine; ///< that the encoder states

    encoder::Prompts prompts; ///< of a task for an encoder

    /// Similarity of protocols after MTEB; others take the cosine where the user chose nothing.
    [[nodiscard]] Similarity followed_similarity() const
    {
        return similarity.value_or(own_similarity);
    }
    /// Projection of embeddings before anything else is done with them; none: as they are.
    std::optional<embedding::ProjectionSettings> projection;
    embedding::Variant variant; ///< the form of the vectors; never beside a projection
    Chunks chunks;              ///< of a search's documents; never beside a projection or a variant
    /// Normalisation for the unsupervised tasks, fitted on the set that is scored.
    embedding::Normalisation normalise = embedding::Normalisation::none;
    /// Normalisation for the supervised tasks: one, or several to choose from on dev scores.
    std::vector<embedding::Normalisation> normalisations = {embedding::Normalisation::none};

    /// Treatment of the vectors that a protocol is given: normalised, then stored in the variant's precision.
    [[nodiscard]] embedding::Treatment treatment() const { return {normalise, variant.precision}; }
    [[nodiscard]] std::vector<embedding::Treatment> treatments() const
    {
        std::vector<embedding::Treatment> all;
        for (const embedding::Normalisation kind : normalisations)
            all.emplace_back(kind, variant.precision);
        return all;
    }

    friend bool operator==(const Settings&, const Settings&) = default;
};

} // namespace senteval::task
