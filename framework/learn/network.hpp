// network.hpp -- softmax regression and networks with one hidden layer, trained in stacks.
//
// Models that differ in their L2 strength alone start from the same weights and see the same batches.
// Their weight matrices lie below each other, so one product serves all of them; each model's numbers
// are the same, bit for bit, as if it were trained alone.
#pragma once

#include "learn/aligned.hpp"
#include "learn/design_matrix.hpp"
#include "learn/kernels.hpp"
#include "learn/optimizer.hpp"
#include "learn/random.hpp"
#include "learn/settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

struct NetworkShape {
    std::size_t inputs = 0;
    std::size_t input_stride = 0; ///< of the design matrix: features, 1, zeros
    std::size_t hidden = 0;       ///< 0: softmax regression
    std::size_t classes = 2;
    Activation activation = Activation::sigmoid;

    /// Length of a row of output weights: hidden units (or inputs), bias, zeros.
    [[nodiscard]] std::size_t output_stride() const
    {
        return hidden == 0 ? input_stride : padded(hidden + 1);
    }
};

/// Weights of one model, one row for each unit: weights, bias, zeros.
struct NetworkWeights {
    AlignedVector<float> hidden; ///< hidden x input_stride
    AlignedVector<float> output; ///< classes x output_stride
};

/// The logits of a batch under every model of a stack, as the kernels define them: classes - 1 rows of
/// row_stride() values for each model.
class Forward {
public:
    Forward(const NetworkShape& shape,
            std::size_t models,
            std::size_t batch_size,
            const Kernels& kernels);

    /// `differences` are of the output weights, as the kernels define them. `mask` (hidden x
    /// row_stride()) multiplies the hidden units' inputs; may be null.
    void run(const RowPointers& batch,
             std::size_t models,
             const float* hidden,
             const float* differences,
             const float* mask);

    /// The gradient of the differences of `models` models without hidden units. loss(logits, first,
    /// count) turns a model's logits of the rows from `first` on into their gradient, 0 from `count` up
    /// to padded(count).
    template <typename Loss>
    void differentiate(const RowPointers& batch,
                       std::size_t models,
                       const float* differences,
                       float* gradient,
                       const Loss& loss);

    [[nodiscard]] std::size_t row_stride() const noexcept { return row_stride_; }
    [[nodiscard]] float* logits(std::size_t model) noexcept
    {
        return logits_.data() + model * (shape_.classes - 1) * row_stride_;
    }
    [[nodiscard]] float* activations(std::size_t model) noexcept
    {
        return activations_.data() + model * shape_.hidden * row_stride_;
    }
    /// The hidden units' values and a row of ones, as rows for the kernels.
    [[nodiscard]] RowPointers hidden_rows(std::size_t model) const;

private:
    NetworkShape shape_;
    const Kernels* kernels_;
    std::size_t row_stride_;
    AlignedVector<float> logits_;
    AlignedVector<float> activations_;
    AlignedVector<float> constants_; ///< a row of ones and one of zeros
    std::vector<const float*> rows_; ///< by model: hidden units, ones, zeros up to a line
};

/// A stack of models in training.
class Network {
public:
    struct Training {
        Optimizer optimizer{"adam"};
        LossReduction loss_reduction = LossReduction::mean;
        double dropout = 0;
        std::size_t batch_size = 64;
    };

    /// One model for each strength, all with the initial weights that torch draws from `seed`.
    Network(const NetworkShape& shape,
            const Training& training,
            std::span<const double> strengths,
            std::uint32_t seed,
            const Kernels& kernels);

    [[nodiscard]] std::size_t models() const noexcept { return strengths_.size(); }

    /// One step of the optimiser on a batch of at most batch_size rows. `labels` is readable up to
    /// padded(batch_size).
    void train(const RowPointers& batch, const std::uint32_t* labels);

    /// The most probable class of each row of a batch under a model, after forward().
    void forward(const RowPointers& batch);
    void classify(std::size_t model, std::size_t count, std::uint32_t* labels);

    [[nodiscard]] NetworkWeights weights(std::size_t model) const;

    /// Takes a model off the stack; the later ones move up.
    void remove(std::size_t model);

private:
    /// Parameters of all models of one layer, and what the optimiser keeps of them.
    struct Layer {
        Layer(std::size_t models,
              std::size_t model_size,
              std::size_t gradient_size,
              float initial_square);

        [[nodiscard]] ParameterBlock block(std::size_t model);
        void remove(std::size_t model);

        std::size_t model_size;
        std::size_t gradient_size;
        AlignedVector<float> weights;
        AlignedVector<float> gradient;
        AlignedVector<float> first;
        AlignedVector<float> second;
    };

    void draw_mask(std::size_t count);
    void differentiate_hidden(const RowPointers& batch, const std::uint32_t* labels, float scale);
    void step();
    [[nodiscard]] float* differences(std::size_t model);

    NetworkShape shape_;
    Training training_;
    const Kernels* kernels_;
    std::vector<float> strengths_;
    TorchRandom random_;
    Layer hidden_;
    Layer output_;
    AlignedVector<float> differences_; ///< of the output weights, as the kernels define them
    Forward forward_;
    AlignedVector<float> hidden_delta_;
    AlignedVector<float> mask_;
    std::vector<std::uint8_t> kept_;
    std::vector<const float*> delta_rows_;
    std::size_t steps_ = 0;
};

/// Calls use(rows, first) for pieces of a batch, in order; `first` is the number of a piece's first row.
/// Whoever looks at rows twice does so piece by piece: a batch of long rows would have left the cache
/// before it is looked at again. (Measured: 1.08x of a training step at 4096 floats, 1.15x at 8192.)
template <typename Use>
void each_piece(const RowPointers& batch, const Use& use)
{
    constexpr std::size_t cached = std::size_t{1} << 18; // floats: 1 MB
    if (batch.sparse != nullptr || batch.count * batch.length <= cached)
        return use(batch, std::size_t{0});
    for (std::size_t first = 0; first < batch.count; first += line_floats)
        use(RowPointers{batch.rows + first, std::min(line_floats, batch.count - first),
                        batch.length},
            first);
}

template <typename Loss>
void Forward::differentiate(const RowPointers& batch,
                            std::size_t models,
                            const float* differences,
                            float* gradient,
                            const Loss& loss)
{
    const std::size_t outputs = shape_.classes - 1;
    const std::size_t stride = shape_.input_stride;
    each_piece(batch, [&](const RowPointers& rows, std::size_t first) {
        kernels_->dot(rows, differences, stride, models * outputs, logits(0) + first, row_stride_);
        for (std::size_t model = 0; model < models; ++model)
            loss(logits(model) + first, first, rows.count);
        const auto combine = first == 0 ? kernels_->combine : kernels_->add_combined;
        combine(rows, {logits(0) + first, row_stride_, 1}, models * outputs, gradient, stride);
    });
}

/// Differences of output weights (classes x stride) to those of the first class.
AlignedVector<float> class_differences(std::span<const float> weights, std::size_t classes);

} // namespace senteval::learn
