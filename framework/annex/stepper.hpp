// stepper.hpp -- one minibatch after the other: loss, gradient, and a step of every parameter.
#pragma once

#include "annex/batch.hpp"
#include "annex/model.hpp"
#include "annex/objective.hpp"
#include "annex/similarity_head.hpp"
#include "annex/team.hpp"
#include "annex/train_settings.hpp"
#include "annex/word_table.hpp"
#include "core/aligned.hpp"
#include "learn/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace senteval::annex {

/// The loss of a batch, before its step.
struct BatchLoss {
    double loss = 0;
    double separation = 0; ///< no number, where a vector is none
};

/// The parameters above the words in training, with what the optimiser keeps of each: arrays of whole cache
/// lines; what lies behind size() is 0 and stays so.
class ParameterState {
public:
    /// The penalty draws the first values to those of `origin`, the others to 0.
    ParameterState(std::vector<paragram::Parameter> parameters,
                   std::span<const float> initial,
                   float initial_square,
                   std::span<const float> origin)
        : parameters_(std::move(parameters)),
          size_(initial.size()),
          padded_(core::padded(initial.size())),
          memory_(core::make_float_block(std::max<std::size_t>(4 * padded_, 1))),
          origin_(padded_, 0.0F)
    {
        std::fill_n(memory_.get(), 4 * padded_, 0.0F);
        std::ranges::copy(initial, memory_.get());
        std::fill_n(memory_.get() + 2 * padded_, size_, initial_square);
        std::ranges::copy(origin, origin_.begin());
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t padded() const noexcept { return padded_; }
    [[nodiscard]] std::span<const float> values() const noexcept { return {memory_.get(), size_}; }
    /// Values and the optimiser's state.
    [[nodiscard]] std::span<char> memory() noexcept
    {
        return {reinterpret_cast<char*>(memory_.get()), 3 * padded_ * sizeof(float)};
    }
    [[nodiscard]] float* gradient() noexcept { return memory_.get() + 3 * padded_; }

    /// Adds the gradient of strength / 2 * |W - origin|^2, in [first, last).
    void add_penalty(std::size_t first, std::size_t last, float strength)
    {
        for (std::size_t i = first; i < last && strength > 0; ++i)
            gradient()[i] += strength * (memory_[i] - origin_[i]);
    }

    /// Shrinks the gradient of every matrix whose norm is above `most` to it.
    void clip(double most)
    {
        for (const paragram::Parameter& parameter : parameters_) {
            double square = 0;
            for (std::size_t i = 0; i < parameter.size(); ++i)
                square += std::pow(static_cast<double>(gradient()[parameter.offset + i]), 2);
            if (square <= most * most)
                continue;
            const auto factor = static_cast<float>(most / std::sqrt(square));
            for (std::size_t i = 0; i < parameter.size(); ++i)
                gradient()[parameter.offset + i] *= factor;
        }
    }

    /// A step of [first, last), multiples of a cache line.
    void update(std::size_t first,
                std::size_t last,
                learn::Method method,
                const learn::StepConstants& constants)
    {
        if (first < last)
            learn::kernels().update(method, constants, 0.0F,
                                    {last - first, memory_.get() + first, gradient() + first,
                                     memory_.get() + padded_ + first,
                                     memory_.get() + 2 * padded_ + first});
    }

private:
    std::vector<paragram::Parameter> parameters_;
    std::size_t size_;
    std::size_t padded_;
    core::FloatBlock memory_; ///< values, the optimiser's first and second, gradient
    std::vector<float> origin_;
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

    /// All that steps change: what a checkpoint keeps.
    [[nodiscard]] std::vector<std::span<char>> memory() noexcept;

    /// Whether all parameters are numbers, also their squares.
    [[nodiscard]] bool is_finite() const;

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

} // namespace senteval::annex
