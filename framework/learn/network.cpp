#include "learn/network.hpp"

#include <algorithm>

namespace senteval::learn {

AlignedVector<float> class_differences(std::span<const float> weights, std::size_t classes)
{
    const std::size_t stride = weights.size() / classes;
    AlignedVector<float> differences(weights.size() - stride);
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i] = weights[stride + i] - weights[i % stride];
    return differences;
}

Forward::Forward(const NetworkShape& shape,
                 std::size_t models,
                 std::size_t batch_size,
                 const Kernels& kernels)
    : shape_(shape),
      kernels_(&kernels),
      row_stride_(padded(batch_size)),
      logits_(models * (shape.classes - 1) * row_stride_),
      activations_(models * shape.hidden * row_stride_),
      constants_(shape.hidden == 0 ? 0 : 2 * row_stride_)
{
    if (shape.hidden == 0)
        return;
    std::fill_n(constants_.begin(), row_stride_, 1.0F);
    for (std::size_t model = 0; model < models; ++model) {
        for (std::size_t h = 0; h < shape.hidden; ++h)
            rows_.push_back(activations(model) + h * row_stride_);
        rows_.push_back(constants_.data());
        rows_.resize((model + 1) * shape.output_stride(), constants_.data() + row_stride_);
    }
}

RowPointers Forward::hidden_rows(std::size_t model) const
{
    return {rows_.data() + model * shape_.output_stride(), shape_.hidden + 1, row_stride_};
}

void Forward::run(const RowPointers& batch,
                  std::size_t models,
                  const float* hidden,
                  const float* differences,
                  const float* mask)
{
    const std::size_t outputs = shape_.classes - 1;
    if (shape_.hidden == 0) {
        kernels_->dot(batch, differences, shape_.input_stride, models * outputs, logits(0),
                      row_stride_);
        return;
    }
    kernels_->dot(batch, hidden, shape_.input_stride, models * shape_.hidden, activations(0),
                  row_stride_);
    for (std::size_t model = 0; model < models; ++model) {
        kernels_->activate(shape_.activation, activations(model), mask,
                           shape_.hidden * row_stride_);
        const std::size_t stride = shape_.output_stride();
        kernels_->combine(hidden_rows(model), {differences + model * outputs * stride, stride, 1},
                          outputs, logits(model), row_stride_);
    }
}

Network::Layer::Layer(std::size_t models,
                      std::size_t model_size_,
                      std::size_t gradient_size_,
                      float initial_square)
    : model_size(model_size_),
      gradient_size(gradient_size_),
      weights(models * model_size),
      gradient(models * gradient_size),
      first(models * model_size),
      second(models * model_size, initial_square)
{
}

ParameterBlock Network::Layer::block(std::size_t model)
{
    const std::size_t at = model * model_size;
    return {model_size, weights.data() + at, gradient.data() + model * gradient_size,
            first.data() + at, second.data() + at};
}

void Network::Layer::remove(std::size_t model)
{
    for (auto* values : {&weights, &first, &second}) {
        const auto at = values->begin() + static_cast<std::ptrdiff_t>(model * model_size);
        values->erase(at, at + static_cast<std::ptrdiff_t>(model_size));
    }
}

Network::Network(const NetworkShape& shape,
                 const Training& training,
                 std::span<const double> strengths,
                 std::uint32_t seed,
                 const Kernels& kernels)
    : shape_(shape),
      training_(training),
      kernels_(&kernels),
      random_(seed),
      hidden_(strengths.size(),
              shape.hidden * shape.input_stride,
              shape.hidden * shape.input_stride,
              training.optimizer.initial_square()),
      output_(strengths.size(),
              shape.classes * shape.output_stride(),
              (shape.classes - 1) * shape.output_stride(),
              training.optimizer.initial_square()),
      forward_(shape, strengths.size(), training.batch_size, kernels),
      hidden_delta_(strengths.size() * shape.hidden * forward_.row_stride()),
      mask_(training.dropout > 0 ? shape.hidden * forward_.row_stride() : 0),
      kept_(training.dropout > 0 ? shape.hidden * training.batch_size : 0),
      delta_rows_(padded(shape.classes - 1))
{
    for (const double strength : strengths)
        strengths_.push_back(static_cast<float>(strength));
    if (shape.hidden > 0)
        random_.linear(shape.inputs, shape.hidden, hidden_.weights.data(), shape.input_stride);
    random_.linear(shape.hidden > 0 ? shape.hidden : shape.inputs, shape.classes,
                   output_.weights.data(), shape.output_stride());
    for (Layer* layer : {&hidden_, &output_})
        for (std::size_t model = 1; model < models(); ++model)
            std::copy_n(layer->weights.data(), layer->model_size,
                        layer->weights.data() + model * layer->model_size);
    const auto one =
        class_differences(std::span(output_.weights).first(output_.model_size), shape.classes);
    for (std::size_t model = 0; model < models(); ++model)
        differences_.insert(differences_.end(), one.begin(), one.end());
}

float* Network::differences(std::size_t model)
{
    return differences_.data() + model * output_.gradient_size;
}

void Network::forward(const RowPointers& batch)
{
    forward_.run(batch, models(), hidden_.weights.data(), differences(0), nullptr);
}

void Network::classify(std::size_t model, std::size_t count, std::uint32_t* labels)
{
    kernels_->argmax(forward_.logits(model), shape_.classes, forward_.row_stride(), count, labels);
}

void Network::draw_mask(std::size_t count)
{
    const std::span<std::uint8_t> kept = std::span(kept_).first(count * shape_.hidden);
    random_.keep(training_.dropout, kept);
    const auto scale = static_cast<float>(1 / (1 - training_.dropout));
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t h = 0; h < shape_.hidden; ++h)
            mask_[h * forward_.row_stride() + i] = kept[i * shape_.hidden + h] != 0 ? scale : 0;
}

void Network::train(const RowPointers& batch, const std::uint32_t* labels)
{
    const float scale = training_.loss_reduction == LossReduction::mean
                            ? 1.0F / static_cast<float>(batch.count)
                            : 1.0F;
    if (shape_.hidden > 0)
        differentiate_hidden(batch, labels, scale);
    else
        forward_.differentiate(batch, models(), differences(0), output_.gradient.data(),
                               [&](float* logits, std::size_t first, std::size_t count) {
                                   kernels_->cross_entropy(logits, shape_.classes,
                                                           forward_.row_stride(), count,
                                                           labels + first, scale);
                               });
    step();
}

void Network::differentiate_hidden(const RowPointers& batch,
                                   const std::uint32_t* labels,
                                   float scale)
{
    if (!mask_.empty())
        draw_mask(batch.count);
    forward_.run(batch, models(), hidden_.weights.data(), differences(0),
                 mask_.empty() ? nullptr : mask_.data());
    const std::size_t row_stride = forward_.row_stride();
    const std::size_t outputs = shape_.classes - 1;
    const std::size_t size = shape_.hidden * row_stride;
    for (std::size_t model = 0; model < models(); ++model) {
        float* const delta = forward_.logits(model);
        kernels_->cross_entropy(delta, shape_.classes, row_stride, batch.count, labels, scale);
        // A smaller batch leaves there what the one before it had.
        for (std::size_t c = 0; c < outputs; ++c)
            std::fill(delta + c * row_stride + padded(batch.count), delta + (c + 1) * row_stride,
                      0.0F);
        kernels_->dot(forward_.hidden_rows(model), delta, row_stride, outputs,
                      output_.gradient.data() + model * output_.gradient_size,
                      shape_.output_stride());
        for (std::size_t c = 0; c < outputs; ++c)
            delta_rows_[c] = delta + c * row_stride;
        float* const hidden_delta = hidden_delta_.data() + model * size;
        kernels_->combine({delta_rows_.data(), outputs, row_stride},
                          {differences(model), 1, shape_.output_stride()}, shape_.hidden,
                          hidden_delta, row_stride);
        kernels_->activate_backward(shape_.activation, hidden_delta, forward_.activations(model),
                                    mask_.empty() ? nullptr : mask_.data(), size);
    }
    kernels_->combine(batch, {hidden_delta_.data(), row_stride, 1}, models() * shape_.hidden,
                      hidden_.gradient.data(), shape_.input_stride);
}

void Network::step()
{
    const Method method = training_.optimizer.method();
    const StepConstants constants = training_.optimizer.constants(++steps_);
    for (std::size_t model = 0; model < models(); ++model) {
        if (shape_.hidden > 0)
            kernels_->update(method, constants, strengths_[model], hidden_.block(model));
        ParameterBlock block = output_.block(model);
        block.size = shape_.output_stride();
        kernels_->update_softmax(method, constants, strengths_[model], block, shape_.classes,
                                 differences(model));
    }
}

NetworkWeights Network::weights(std::size_t model) const
{
    const auto part = [&](const Layer& layer) {
        const auto at =
            layer.weights.begin() + static_cast<std::ptrdiff_t>(model * layer.model_size);
        return AlignedVector<float>(at, at + static_cast<std::ptrdiff_t>(layer.model_size));
    };
    return {part(hidden_), part(output_)};
}

void Network::remove(std::size_t model)
{
    hidden_.remove(model);
    output_.remove(model);
    const auto at =
        differences_.begin() + static_cast<std::ptrdiff_t>(model * output_.gradient_size);
    differences_.erase(at, at + static_cast<std::ptrdiff_t>(output_.gradient_size));
    strengths_.erase(strengths_.begin() + static_cast<std::ptrdiff_t>(model));
}

} // namespace senteval::learn
