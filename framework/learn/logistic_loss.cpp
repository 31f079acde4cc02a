#include "learn/logistic_loss.hpp"

#include "base/error.hpp"
#include "learn/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::learn {

namespace {

constexpr std::size_t block_numbers = std::size_t{1} << 16; // in double precision
constexpr std::size_t max_block_rows = 256;

} // namespace

std::size_t ShiftedRows::block_rows(const DesignMatrix& matrix)
{
    const std::size_t rows = block_numbers / matrix.stride() / line_floats * line_floats;
    return std::clamp(rows, line_floats, max_block_rows);
}

ShiftedRows::ShiftedRows(const DesignMatrix& matrix, std::span<const double> shift)
    : batch_(matrix, block_rows(matrix)), shift_(shift.begin(), shift.end())
{
    shift_.resize(matrix.inputs() + 1); // that of the 1 is 0
}

const arma::mat& ShiftedRows::load(std::span<const std::uint32_t> rows)
{
    batch_.load(rows);
    block_.set_size(shift_.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float* const row = batch_.rows().rows[i];
        double* const out = block_.colptr(i);
        for (std::size_t f = 0; f < shift_.size(); ++f)
            out[f] = static_cast<double>(row[f]) - shift_[f];
    }
    return block_;
}

namespace {

arma::vec mean_of(const Examples& train)
{
    const std::size_t block = ShiftedRows::block_rows(*train.matrix);
    ShiftedRows rows(*train.matrix);
    arma::vec sum(train.matrix->inputs() + 1, arma::fill::zeros);
    for (std::size_t first = 0; first < train.rows.size(); first += block)
        sum += arma::sum(
            rows.load(train.rows.subspan(first, std::min(block, train.rows.size() - first))), 1);
    return sum.head(train.matrix->inputs()) / static_cast<double>(train.rows.size());
}

std::span<const double> view(const arma::vec& values)
{
    return {values.memptr(), values.n_elem};
}

} // namespace

LogisticLoss::LogisticLoss(const Examples& train,
                           std::span<const std::uint32_t> codes,
                           std::size_t classes,
                           std::stop_token stop,
                           std::size_t max_kept)
    : rows_(train.rows),
      codes_(codes),
      stop_(std::move(stop)),
      size_(train.matrix->inputs() + 1),
      stride_(train.matrix->stride()),
      outputs_(classes == 2 ? 1 : classes),
      block_(ShiftedRows::block_rows(*train.matrix)),
      mean_(mean_of(train)),
      shifted_(*train.matrix, view(mean_)),
      pointers_(block_),
      probability_((rows_.size() + block_ - 1) / block_ * block_ * outputs_),
      doubt_(rows_.size()),
      direction_(stride_ * outputs_),
      scores_(block_ * outputs_),
      partial_(stride_ * outputs_),
      top_(block_),
      total_(block_)
{
    const bool keeps = stride_ * rows_.size() <= max_kept;
    kept_.resize(keeps ? stride_ * (rows_.size() + line_floats) : 0);
    formed_.resize(keeps ? 0 : stride_ * block_);
    if (keeps)
        each_block([&](const arma::mat& x, std::size_t first) {
            for (std::size_t i = 0; i < x.n_cols; ++i)
                std::transform(x.begin_col(i), x.end_col(i), kept_.data() + (first + i) * stride_,
                               [](double value) { return static_cast<float>(value); });
        });
}

void LogisticLoss::check_stop() const
{
    if (stop_.stop_requested())
        throw base::Cancelled();
}

template <typename Use>
void LogisticLoss::each_block(const Use& use)
{
    for (std::size_t first = 0; first < rows_.size(); first += block_) {
        check_stop();
        use(shifted_.load(rows_.subspan(first, std::min(block_, rows_.size() - first))), first);
    }
}

/// The same in single precision, as rows for the kernels.
template <typename Use>
void LogisticLoss::each_single_block(const Use& use)
{
    if (!kept_.empty()) {
        for (std::size_t first = 0; first < rows_.size(); first += block_) {
            check_stop();
            const std::size_t count = std::min(block_, rows_.size() - first);
            for (std::size_t i = 0; i < padded(count); ++i)
                pointers_[i] = kept_.data() + (first + i) * stride_;
            use(RowPointers{pointers_.data(), count, stride_}, first);
        }
        return;
    }
    for (std::size_t i = 0; i < block_; ++i)
        pointers_[i] = formed_.data() + i * stride_;
    each_block([&](const arma::mat& x, std::size_t first) {
        for (std::size_t i = 0; i < x.n_cols; ++i)
            std::transform(x.begin_col(i), x.end_col(i), formed_.data() + i * stride_,
                           [](double value) { return static_cast<float>(value); });
        use(RowPointers{pointers_.data(), x.n_cols, stride_}, first);
    });
}

double LogisticLoss::evaluate(double c, const arma::mat& w, arma::mat& gradient)
{
    gradient = w / c;
    gradient.row(size_ - 1).zeros();
    double loss = arma::accu(arma::square(w.head_rows(size_ - 1))) / (2 * c);
    each_block([&](const arma::mat& x, std::size_t first) {
        arma::mat z = x.t() * w;
        loss += losses(z, first);
        gradient += x * z;
    });
    return loss;
}

/// Turns the scores (items x outputs) into the gradient of their losses by them; returns the losses.
double LogisticLoss::losses(arma::mat& z, std::size_t first)
{
    return outputs_ == 1 ? sigmoid_losses(z.memptr(), first, z.n_rows) : softmax_losses(z, first);
}

double LogisticLoss::sigmoid_losses(double* z, std::size_t first, std::size_t count)
{
    double loss = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const bool positive = codes_[first + i] == 1;
        const double margin = positive ? z[i] : -z[i];
        const double e = std::exp(-std::fabs(margin));
        const double wrong = (margin > 0 ? e : 1.0) / (1 + e); // probability of the other class
        z[i] = positive ? -wrong : wrong;
        loss += std::log1p(e) + std::max(-margin, 0.0);
        probability_[place(first + i, 0)] = static_cast<float>(e / ((1 + e) * (1 + e)));
    }
    return loss;
}

double LogisticLoss::softmax_losses(arma::mat& z, std::size_t first)
{
    const std::size_t count = z.n_rows;
    std::copy_n(z.colptr(0), count, top_.data());
    for (std::size_t c = 1; c < outputs_; ++c)
        for (std::size_t i = 0; i < count; ++i)
            top_[i] = std::max(top_[i], z(i, c));
    double loss = 0;
    for (std::size_t i = 0; i < count; ++i)
        loss += top_[i] - z(i, codes_[first + i]);
    std::fill_n(total_.data(), count, 0.0);
    for (std::size_t c = 0; c < outputs_; ++c)
        for (std::size_t i = 0; i < count; ++i)
            total_[i] += z(i, c) = std::exp(z(i, c) - top_[i]);
    for (std::size_t c = 0; c < outputs_; ++c) {
        float* const p = probability_.data() + place(first, c);
        for (std::size_t i = 0; i < count; ++i)
            p[i] = static_cast<float>(z(i, c) /= total_[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        loss += std::log(total_[i]);
        // 1 - p as the sum of the others keeps its digits where p is nearly 1.
        double others = 0;
        for (std::size_t c = 0; c < outputs_; ++c)
            others += c == codes_[first + i] ? 0 : z(i, c);
        z(i, codes_[first + i]) = -others;
        doubt_[first + i] = static_cast<float>(others);
    }
    return loss;
}

namespace {

/// Scores s of a direction become diag(p) s - p p' s, item by item. Taken less that of the item's own
/// class, on which the sum does not depend, they do not cancel where its p is nearly 1.
void apply_softmax_curvature(float* scores,
                             const float* probability,
                             std::size_t outputs,
                             std::size_t stride,
                             std::span<const std::uint32_t> codes)
{
    alignas(64) float own[max_block_rows];
    alignas(64) float mean[max_block_rows] = {};
    for (std::size_t i = 0; i < codes.size(); ++i)
        own[i] = scores[codes[i] * stride + i];
    for (std::size_t c = 0; c < outputs; ++c)
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const std::size_t at = c * stride + i;
            scores[at] -= own[i];
            mean[i] += probability[at] * scores[at];
        }
    for (std::size_t c = 0; c < outputs; ++c)
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const std::size_t at = c * stride + i;
            scores[at] = probability[at] * (scores[at] - mean[i]);
        }
}

} // namespace

void LogisticLoss::hessian_product(double c, const arma::mat& v, arma::mat& product)
{
    for (std::size_t k = 0; k < outputs_; ++k)
        std::transform(v.begin_col(k), v.end_col(k), direction_.data() + k * stride_,
                       [](double value) { return static_cast<float>(value); });
    product = v / c;
    product.row(size_ - 1).zeros();
    const Kernels& kernel = kernels();
    each_single_block([&](const RowPointers& x, std::size_t first) {
        kernel.dot(x, direction_.data(), stride_, outputs_, scores_.data(), block_);
        const float* const p = probability_.data() + place(first, 0);
        if (outputs_ == 1)
            std::transform(p, p + x.count, scores_.data(), scores_.data(), std::multiplies<>());
        else
            apply_softmax_curvature(scores_.data(), p, outputs_, block_,
                                    codes_.subspan(first, x.count));
        kernel.combine(x, {scores_.data(), block_, 1}, outputs_, partial_.data(), stride_);
        for (std::size_t k = 0; k < outputs_; ++k)
            for (std::size_t f = 0; f < size_; ++f)
                product(f, k) += static_cast<double>(partial_[k * stride_ + f]);
    });
}

double LogisticLoss::weight(std::size_t item, std::size_t output) const
{
    const auto p = static_cast<double>(probability_[place(item, output)]);
    if (outputs_ == 1)
        return p;
    return p * (codes_[item] == output ? static_cast<double>(doubt_[item]) : 1 - p);
}

void LogisticLoss::add_products(std::span<const std::uint32_t> items,
                                std::span<const double> weights,
                                arma::mat& sum)
{
    std::vector<std::uint32_t> rows;
    for (std::size_t first = 0; first < items.size(); first += block_) {
        check_stop();
        const std::size_t count = std::min(block_, items.size() - first);
        rows.clear();
        for (const std::uint32_t item : items.subspan(first, count))
            rows.push_back(rows_[item]);
        arma::mat x = shifted_.load(rows);
        for (std::size_t i = 0; i < count; ++i)
            x.col(i) *= std::sqrt(weights[first + i]);
        sum += x * x.t();
    }
}

void LogisticLoss::diagonal(arma::mat& sum)
{
    sum.zeros(size_, outputs_);
    each_block([&](const arma::mat& x, std::size_t first) {
        arma::mat weights(x.n_cols, outputs_);
        for (std::size_t k = 0; k < outputs_; ++k)
            for (std::size_t i = 0; i < x.n_cols; ++i)
                weights(i, k) = weight(first + i, k);
        sum += arma::square(x) * weights;
    });
}

double LogisticLoss::largest(const arma::mat& gradient) const
{
    const arma::mat features = gradient.head_rows(size_ - 1) + mean_ * gradient.row(size_ - 1);
    const double intercepts = arma::abs(gradient.row(size_ - 1)).max();
    return features.empty() ? intercepts : std::max(intercepts, arma::abs(features).max());
}

arma::mat LogisticLoss::unshifted(const arma::mat& w) const
{
    arma::mat result = w;
    result.row(size_ - 1) -= mean_.t() * w.head_rows(size_ - 1);
    if (outputs_ > 1)
        result.row(size_ - 1) -= arma::mean(result.row(size_ - 1));
    return result;
}

} // namespace senteval::learn
