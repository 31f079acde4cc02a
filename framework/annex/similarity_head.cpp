#include "annex/similarity_head.hpp"

#include "annex/backward.hpp"
#include "base/error.hpp"
#include "paragram_model/elementwise.hpp"
#include "paragram_model/gemm.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::annex {

namespace {

using paragram::Form;
using paragram::Product;

/// The places of the head's parameters.
enum : std::size_t { product_weights, difference_weights, hidden_bias, class_weights, class_bias };

std::vector<paragram::Parameter>
head_parameters(std::size_t width, std::size_t hidden, std::size_t classes)
{
    std::vector<paragram::Parameter> all{{"W_product", hidden, width},
                                         {"W_difference", hidden, width},
                                         {"b_hidden", 1, hidden},
                                         {"W_class", classes, hidden},
                                         {"b_class", 1, classes}};
    for (std::size_t i = 1; i < all.size(); ++i)
        all[i].offset = all[i - 1].offset + all[i - 1].size();
    return all;
}

/// c += a b', for rows of a and of b.
template <typename T>
void add_product(
    const std::vector<T>& a, const T* b, std::size_t m, std::size_t n, std::size_t k, T* c)
{
    paragram::multiply(Product<T>{.form_b = Form::transposed,
                                  .m = m,
                                  .n = n,
                                  .k = k,
                                  .a = a.data(),
                                  .stride_a = k,
                                  .b = b,
                                  .stride_b = k,
                                  .c = c,
                                  .stride_c = n,
                                  .scale_c = 1});
}

/// Logits become probabilities.
template <typename T>
void softmax(std::span<T> logits)
{
    const T largest = *std::ranges::max_element(logits);
    T sum = 0;
    for (T& value : logits)
        sum += value = std::exp(value - largest);
    for (T& value : logits)
        value /= sum;
}

} // namespace

ScoreRange range_of(std::span<const float> scores)
{
    if (scores.empty())
        return {};
    const auto [low, high] = std::ranges::minmax(scores);
    const ScoreRange range{std::floor(static_cast<double>(low)),
                           std::ceil(static_cast<double>(high))};
    if (!(range.highest - range.lowest < 100))
        throw base::UsageError(
            "--objective similarity: scores from {} to {} are too many classes; scale them", low,
            high);
    return range;
}

template <typename T>
SimilarityHead<T>::SimilarityHead(std::size_t width, std::size_t hidden, const ScoreRange& scores)
    : width_(width),
      hidden_(hidden),
      scores_(scores),
      parameters_(head_parameters(width, hidden, scores.classes()))
{
}

template <typename T>
double SimilarityHead<T>::compute(std::span<const T> parameters,
                                  const SentenceRows<const T>& vectors,
                                  std::span<const float> scores,
                                  const SentenceRows<T>& vector_gradient,
                                  std::span<T> parameter_gradient)
{
    read_pairs(vectors);
    forward(parameters, vectors.pairs);
    const double loss = compare(scores);
    backward(parameters, vectors.pairs, parameter_gradient);
    write_gradient(vectors, vector_gradient);
    return loss;
}

template <typename T>
void SimilarityHead<T>::read_pairs(const SentenceRows<const T>& vectors)
{
    products_.resize(vectors.pairs * width_);
    differences_.resize(vectors.pairs * width_);
    for (std::size_t pair = 0; pair < vectors.pairs; ++pair)
        for (std::size_t i = 0; i < width_; ++i) {
            const T u = vectors.row(0, pair)[i];
            const T v = vectors.row(1, pair)[i];
            products_[pair * width_ + i] = u * v;
            differences_[pair * width_ + i] = std::abs(u - v);
        }
}

template <typename T>
void SimilarityHead<T>::forward(std::span<const T> parameters, std::size_t pairs)
{
    const auto at = [&](std::size_t place) {
        return parameters.data() + parameters_[place].offset;
    };
    states_.assign(pairs * hidden_, T{0});
    add_product(products_, at(product_weights), pairs, hidden_, width_, states_.data());
    add_product(differences_, at(difference_weights), pairs, hidden_, width_, states_.data());
    paragram::add_to_rows(at(hidden_bias), hidden_, states_);
    for (T& value : states_)
        value = paragram::sigmoid(value);
    const std::size_t classes = scores_.classes();
    classes_.assign(pairs * classes, T{0});
    add_product(states_, at(class_weights), pairs, classes, hidden_, classes_.data());
    paragram::add_to_rows(at(class_bias), classes, classes_);
    for (std::size_t pair = 0; pair < pairs; ++pair)
        softmax(std::span(classes_).subspan(pair * classes, classes));
}

/// Probabilities become the gradient of the logits: (p - t) / pairs.
template <typename T>
double SimilarityHead<T>::compare(std::span<const float> scores)
{
    const std::size_t classes = scores_.classes();
    double loss = 0;
    for (std::size_t pair = 0; pair < scores.size(); ++pair) {
        const double place = static_cast<double>(scores[pair]) - scores_.lowest;
        const auto below = std::min(static_cast<std::size_t>(place), classes - 2);
        const double above = place - static_cast<double>(below);
        T* const p = classes_.data() + pair * classes;
        const auto target = [&](std::size_t number, double share) {
            if (share > 0)
                loss += share * std::log(share / static_cast<double>(p[number]));
            p[number] -= static_cast<T>(share);
        };
        target(below, 1 - above);
        target(below + 1, above);
        for (std::size_t i = 0; i < classes; ++i)
            p[i] /= static_cast<T>(scores.size());
    }
    return loss / static_cast<double>(scores.size());
}

template <typename T>
void SimilarityHead<T>::backward(std::span<const T> parameters,
                                 std::size_t pairs,
                                 std::span<T> gradient)
{
    const auto at = [&](std::size_t place) {
        return parameters.data() + parameters_[place].offset;
    };
    const auto slope = [&](std::size_t place) {
        return gradient.data() + parameters_[place].offset;
    };
    std::ranges::fill(gradient, T{0});
    const std::size_t classes = scores_.classes();
    sum_rows<T>(classes_, classes, slope(class_bias));
    state_gradient_.resize(states_.size());
    multiply_back(classes_.data(), states_.data(), at(class_weights), pairs, classes, hidden_,
                  slope(class_weights), state_gradient_.data());
    for (std::size_t i = 0; i < states_.size(); ++i)
        state_gradient_[i] *= states_[i] * (1 - states_[i]);
    sum_rows<T>(state_gradient_, hidden_, slope(hidden_bias));
    multiply_back(state_gradient_.data(), products_.data(), at(product_weights), pairs, hidden_,
                  width_, slope(product_weights), products_.data());
    multiply_back(state_gradient_.data(), differences_.data(), at(difference_weights), pairs,
                  hidden_, width_, slope(difference_weights), differences_.data());
}

template <typename T>
void SimilarityHead<T>::write_gradient(const SentenceRows<const T>& vectors,
                                       const SentenceRows<T>& gradient) const
{
    for (std::size_t pair = 0; pair < vectors.pairs; ++pair)
        for (std::size_t i = 0; i < width_; ++i) {
            const T u = vectors.row(0, pair)[i];
            const T v = vectors.row(1, pair)[i];
            const T product = products_[pair * width_ + i];
            const T sign = u > v ? T{1} : u < v ? T{-1} : T{0};
            const T difference = sign * differences_[pair * width_ + i];
            gradient.row(0, pair)[i] = product * v + difference;
            gradient.row(1, pair)[i] = product * u - difference;
        }
}

template class SimilarityHead<float>;
template class SimilarityHead<double>;

} // namespace senteval::annex
