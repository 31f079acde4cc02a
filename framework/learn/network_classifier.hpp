// network_classifier.hpp -- softmax regression and the one-hidden-layer network as a Classifier
// (SentEval, tools/classifier.py).
#pragma once

#include "learn/classifier.hpp"
#include "learn/kernels.hpp"
#include "learn/network.hpp"

#include <span>
#include <vector>

namespace senteval::learn {

class NetworkClassifier : public Classifier {
public:
    /// Throws base::UsageError for settings out of range.
    explicit NetworkClassifier(const Settings& settings, const Kernels& kernels = learn::kernels());

    [[nodiscard]] std::vector<double> strengths(Protocol protocol, bool regularised) const override;
    [[nodiscard]] std::vector<Fit> fit(const FitRequest& request) const override;
    [[nodiscard]] double percent(double accuracy) const override;

private:
    /// All strengths at once.
    [[nodiscard]] std::vector<Fit> fit_stack(const FitRequest& request) const;

    Settings settings_;
    Network::Training training_;
    const Kernels* kernels_;
};

/// A trained network.
class NetworkModel : public Model {
public:
    NetworkModel(const NetworkShape& shape, NetworkWeights weights, const Kernels& kernels);

    [[nodiscard]] std::vector<Prediction>
    predict(const DesignMatrix& matrix, std::span<const std::uint32_t> rows) const override;

    [[nodiscard]] const NetworkWeights& weights() const noexcept { return weights_; }

private:
    NetworkShape shape_;
    NetworkWeights weights_;
    AlignedVector<float> differences_;
    const Kernels* kernels_;
};

} // namespace senteval::learn
