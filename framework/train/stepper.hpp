// stepper.hpp -- one minibatch after the other: loss, gradient, and a step of every parameter.
#pragma once

#include "core/aligned.hpp"
#include "learn/optimizer.hpp"
#include "train/batch.hpp"
#include "train/objective.hpp"
#include "train/parameter_state.hpp"
#include "train/sentence_encoder.hpp"
#include "train/similarity_head.hpp"
#include "train/team.hpp"
#include "train/train_settings.hpp"
#include "train/word_table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::train {

/// Of a batch, before its step.
struct BatchLoss {
    double loss = 0;
    double separation = 0; ///< no number, where a vector is none
};

class Stepper {
public:
    Stepper(const Corpus& corpus,
            const StartVectors& vectors,
            const TrainSettings& settings,
            unsigned threads);

    /// A step for each batch: pairs [i * batch, (i + 1) * batch) of `pairs`, the last one what is left. At most
    /// `window` of them. Their losses, valid until the next call.
    std::span<const BatchLoss> run(std::span<const std::uint32_t> pairs);

    static constexpr std::size_t window = 32;

    /// The model's parameters as they are, all penalties paid.
    ModelState state();

    /// Whether all parameters are numbers, also their squares.
    [[nodiscard]] bool is_finite() const;

    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

    /// All that changes, for a checkpoint.
    void save(const std::function<void(std::string_view)>& sink);
    [[nodiscard]] std::size_t saved_bytes();
    void load(std::string_view bytes, std::uint64_t steps);

private:
    void work(unsigned member, std::size_t batches, std::span<const std::uint32_t> pairs);
    void step(unsigned member, const Batch& batch, std::uint64_t number);
    void gather_parameter_gradient(const Batch& batch, std::size_t first, std::size_t last);
    float clip(unsigned member, const Batch& batch, std::size_t first, std::size_t last);

    /// The part of `count` things, in units of `unit`, that is a member's.
    [[nodiscard]] std::pair<std::size_t, std::size_t>
    share(unsigned member, std::size_t count, std::size_t unit) const;

    const Corpus& corpus_;
    TrainSettings settings_;
    learn::Optimizer optimiser_;
    Team team_;
    std::optional<SimilarityHead<float>> head_;
    Objective<float> objective_;
    WordTable words_;
    ParameterState parameters_;
    std::vector<BatchMaker> makers_;          ///< of each member
    std::vector<core::FloatBlock> gradients_; ///< of a word, of each member
    std::vector<Batch> batches_;
    std::vector<double> squares_;   ///< of each word's gradient, where they are clipped
    std::vector<BatchLoss> losses_; ///< of the batches that were run last
    std::uint64_t steps_ = 0;
};

} // namespace senteval::train
