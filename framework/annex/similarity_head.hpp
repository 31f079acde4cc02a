// similarity_head.hpp -- a classifier of pairs by how similar they are (Tai, Socher and Manning, ACL
// 2015, section 4.2), for fine-tuning on judged pairs as Wieting et al. (2016, section 4.4) do.
//
// For two sentence vectors u and v, h = sigmoid(W_p (u * v) + W_d |u - v| + b_h),
// p = softmax(W_o h + b_o). The classes are the whole scores from the lowest to the highest one; a score
// between two of them is a distribution t over both, with the score as its mean. The loss is the mean
// over pairs of the Kullback-Leibler divergence KL(t, p).
#pragma once

#include "paragram_model/architecture.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::annex {

/// The range of the scores of judged pairs.
struct ScoreRange {
    double lowest = 0;
    double highest = 0; ///< the same as lowest: there are no scores

    [[nodiscard]] bool empty() const noexcept { return !(highest > lowest); }
    [[nodiscard]] std::size_t classes() const noexcept
    {
        return static_cast<std::size_t>(highest - lowest) + 1;
    }
};

/// The whole numbers around all scores; empty where they are all the same. Throws base::UsageError
/// where there would be more than 100 classes.
ScoreRange range_of(std::span<const float> scores);

/// Sentence vectors of some pairs: the first sentences, then the second ones, each in a row.
template <typename T>
struct SentenceRows {
    T* values = nullptr;
    std::size_t stride = 0;
    std::size_t pairs = 0;

    [[nodiscard]] T* row(std::size_t side, std::size_t pair) const noexcept
    {
        return values + (side * pairs + pair) * stride;
    }
};

/// Not thread-safe.
template <typename T>
class SimilarityHead {
public:
    SimilarityHead(std::size_t width, std::size_t hidden, const ScoreRange& scores);

    /// Matrices and vectors, one after the other from 0.
    [[nodiscard]] const std::vector<paragram::Parameter>& parameters() const noexcept
    {
        return parameters_;
    }
    [[nodiscard]] std::size_t parameter_count() const noexcept
    {
        return parameters_.back().offset + parameters_.back().size();
    }

    /// The loss; its gradient with respect to the vectors and to the parameters replaces what is in
    /// `vector_gradient`, of the same layout, and `parameter_gradient`.
    double compute(std::span<const T> parameters,
                   const SentenceRows<const T>& vectors,
                   std::span<const float> scores,
                   const SentenceRows<T>& vector_gradient,
                   std::span<T> parameter_gradient);

private:
    void read_pairs(const SentenceRows<const T>& vectors);
    void forward(std::span<const T> parameters, std::size_t pairs);
    double compare(std::span<const float> scores);
    void backward(std::span<const T> parameters, std::size_t pairs, std::span<T> gradient);
    void write_gradient(const SentenceRows<const T>& vectors,
                        const SentenceRows<T>& gradient) const;

    std::size_t width_;
    std::size_t hidden_;
    ScoreRange scores_;
    std::vector<paragram::Parameter> parameters_;
    std::vector<T> products_;    ///< u * v, then of its gradient
    std::vector<T> differences_; ///< |u - v|, then of its gradient
    std::vector<T> states_;      ///< h
    std::vector<T> state_gradient_;
    std::vector<T> classes_; ///< p, then the gradient of the logits
};

extern template class SimilarityHead<float>;
extern template class SimilarityHead<double>;

} // namespace senteval::annex
