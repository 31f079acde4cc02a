#include "learn/projection.hpp"

#include "base/parallel.hpp"
#include "learn/kernels.hpp"
#include "numeric/denormals.hpp"

#include <algorithm>

namespace senteval::learn {

namespace {

/// Columns that one job of a product computes.
constexpr std::size_t job_columns = 256;

/// Calls body(first, last) for parts of 0 ... columns - 1, on every thread with the same arithmetic.
void each_part(std::size_t columns, unsigned threads, const auto& body)
{
    base::parallel_for((columns + job_columns - 1) / job_columns, threads, [&](std::size_t job) {
        const numeric::FlushDenormals flush;
        const std::size_t first = job * job_columns;
        body(first, std::min(first + job_columns, columns) - 1);
    });
}

} // namespace

Projection::Projection(std::size_t inputs,
                       std::size_t outputs,
                       TorchRandom& random,
                       unsigned threads)
    : size_(inputs + 1),
      outputs_(outputs),
      threads_(threads),
      weights_(padded(size_ * outputs)),
      gradient_(weights_.size()),
      first_(weights_.size()),
      second_(weights_.size())
{
    random.linear(inputs, outputs, weights_.data(), size_);
}

arma::fmat Projection::view(AlignedVector<float>& values) const
{
    return {values.data(), size_, outputs_, false, true};
}

void Projection::project(const arma::fmat& inputs, Image& image) const
{
    const arma::fmat w(const_cast<float*>(weights_.data()), size_, outputs_, false, true);
    image.unit.set_size(outputs_, inputs.n_cols);
    image.length.set_size(inputs.n_cols);
    each_part(inputs.n_cols, threads_, [&](std::size_t first, std::size_t last) {
        arma::fmat part = w.t() * inputs.cols(first, last);
        const arma::frowvec length = arma::sqrt(arma::sum(arma::square(part), 0));
        part.each_row() /= length;
        image.unit.cols(first, last) = part;
        image.length.cols(first, last) = length;
    });
}

Projection::Image Projection::project(const arma::fmat& inputs) const
{
    Image image;
    project(inputs, image);
    return image;
}

void Projection::step(const arma::fmat& inputs, const Image& image, arma::fmat& gradient)
{
    // Through the division: (g - u (u . g)) / length.
    each_part(inputs.n_cols, threads_, [&](std::size_t first, std::size_t last) {
        const arma::fmat unit = image.unit.cols(first, last);
        arma::fmat part = gradient.cols(first, last);
        part -= unit.each_row() % arma::sum(unit % part, 0);
        part.each_row() /= image.length.cols(first, last);
        gradient.cols(first, last) = part;
    });
    arma::fmat weight_gradient = view(gradient_);
    each_part(outputs_, threads_, [&](std::size_t first, std::size_t last) {
        weight_gradient.cols(first, last) = inputs * gradient.rows(first, last).t();
    });
    kernels().update(
        adam_.method(), adam_.constants(++steps_), 0,
        {weights_.size(), weights_.data(), gradient_.data(), first_.data(), second_.data()});
}

} // namespace senteval::learn
