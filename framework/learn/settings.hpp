// settings.hpp -- the classifier on top of the embeddings, as a user configures it.
#pragma once

#include "numeric/kernels.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace senteval::learn {

using numeric::Activation;
enum class LossReduction { mean, sum };

inline constexpr std::array<std::pair<std::string_view, Activation>, 3> activation_names{
    {{"sigmoid", Activation::sigmoid}, {"tanh", Activation::tanh}, {"relu", Activation::relu}}};
inline constexpr std::array<std::pair<std::string_view, LossReduction>, 2> loss_reduction_names{
    {{"mean", LossReduction::mean}, {"sum", LossReduction::sum}}};

/// The hidden layer of an mlp.
struct HiddenLayer {
    std::size_t units = 0;
    double dropout = 0;
};

/// Defaults are the original's default configuration (SentEval README; Conneau & Kiela 2018).
struct Settings {
    std::string classifier = "softmax"; ///< softmax, mlp or logreg-newton
    std::size_t nhid = 0;               ///< hidden units; mlp only
    double dropout = 0.0;               ///< in [0, 1); before the activation
    Activation activation = Activation::sigmoid;
    std::string optim = "adam"; ///< "name" or "name,key=value,..."
    std::size_t batch_size = 64;
    std::size_t tenacity = 5;   ///< stops at non-improvement number tenacity + 1, in total
    std::size_t epoch_size = 4; ///< passes over the data between two looks at the dev score
    std::size_t max_epoch = 200;
    LossReduction loss_reduction = LossReduction::mean;
    std::size_t max_iterations = 10000; ///< of logreg-newton

    friend bool operator==(const Settings&, const Settings&) = default;
};

} // namespace senteval::learn
