// train_settings.hpp -- what a trained model depends on, beside corpus and start vectors.
#pragma once

#include "annex/objective.hpp"
#include "base/json.hpp"
#include "paragram_model/architecture.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace senteval::annex {

struct TrainSettings {
    paragram::Architecture architecture;
    double margin = 0.4;
    Negatives negatives = Negatives::max;
    std::size_t batch = 100; ///< pairs, at least 2
    std::size_t epochs = 10;
    std::string optimiser = "adam,lr=0.001"; ///< adam or adagrad (learn/optimizer.hpp)
    double clip = 0;     ///< largest norm of the gradient of a parameter matrix; 0: any
    double l2 = 0;       ///< strength / 2 * |W_c|^2; the identity-RNN's towards its initial values
    double l2_words = 0; ///< strength / 2 * |W_w - initial W_w|^2 (word_table.hpp)
    bool fixed_words = false;
    /// The range of scores. Not empty: pairs are judged, and a similarity head of so many hidden units is trained above the
    /// sentence vectors (similarity_head.hpp) in place of the margin loss. The head is no part of the
    /// model.
    ScoreRange scores = {};
    std::size_t hidden = 50;
    std::uint32_t seed = 1;
    /// Compositional parameters to begin with, and to which l2 draws back: those of a trained model of the same
    /// architecture. Empty: initial_weights(), drawn to zero, or to the identity.
    std::vector<float> universal = {};
};

base::Json to_json(const TrainSettings& settings);

/// Throws base::UsageError for settings that are impossible, alone or with so many pairs.
void require_possible(const TrainSettings& settings, std::size_t pairs);

} // namespace senteval::annex
