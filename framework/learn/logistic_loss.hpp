// logistic_loss.hpp -- the objective of L2-regularised logistic regression on one training set, its
// gradient in double precision, and its curvature.
#pragma once

#include "learn/aligned.hpp"
#include "learn/classifier.hpp"
#include "learn/design_matrix.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

/// Rows of a design matrix in double precision, less a shift of the features.
class ShiftedRows {
public:
    /// Blocks of at most this many rows, so that one stays in the nearer caches.
    static std::size_t block_rows(const DesignMatrix& matrix);

    /// `shift`: one number for each feature, or none.
    explicit ShiftedRows(const DesignMatrix& matrix, std::span<const double> shift = {});

    /// The rows as columns, (inputs + 1) x rows.size(), valid until the next call; block_rows at most.
    const arma::mat& load(std::span<const std::uint32_t> rows);

private:
    DesignMatrix::Batch batch_;
    std::vector<double> shift_;
    arma::mat block_;
};

/// The loss of weights W, (inputs + 1) x outputs with the intercepts in the last row:
///     sum over items of -log p(label) + |W without intercepts|^2 / (2 C)
/// with one sigmoid for two classes (W is that of the second), a softmax over all for more.
///
/// The features are taken less their means over the items. That leaves the objective as it is -- the
/// intercepts, which are not penalised, take up the difference -- and makes it far easier to minimise.
///
/// Beside the features it keeps a number for each item and class. Not for several threads at once: even
/// constant functions work in the same memory. Throws base::Cancelled from any long function soon after a stop
/// was requested.
class LogisticLoss {
public:
    static constexpr std::size_t default_max_kept = std::size_t{1} << 25; ///< 128 MiB

    /// `codes`: the class of each row of `train`, from 0. All must outlive the loss. The shifted
    /// features are kept where they are at most max_kept numbers, and formed anew for each product
    /// where they are more.
    LogisticLoss(const Examples& train,
                 std::span<const std::uint32_t> codes,
                 std::size_t classes,
                 std::stop_token stop,
                 std::size_t max_kept = default_max_kept);

    [[nodiscard]] std::size_t items() const noexcept { return rows_.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; } ///< inputs and intercept
    [[nodiscard]] std::size_t outputs() const noexcept { return outputs_; }

    /// The objective at w; writes its gradient. The curvature below is that at this point.
    double evaluate(double c, const arma::mat& w, arma::mat& gradient);

    /// The Hessian times v. The items' part is computed in single precision.
    void hessian_product(double c, const arma::mat& v, arma::mat& product);

    /// The factor by which an item's features enter the Hessian's diagonal block of an output: p (1 - p).
    [[nodiscard]] double weight(std::size_t item, std::size_t output) const;

    /// Adds, for items (numbers among those of training) with these weights, weight x x' to `sum`.
    void add_products(std::span<const std::uint32_t> items,
                      std::span<const double> weights,
                      arma::mat& sum);

    /// Sum over the items of weight x^2, by feature and output.
    void diagonal(arma::mat& sum);

    /// Largest component of a gradient by the weights of the features as they are.
    [[nodiscard]] double largest(const arma::mat& gradient) const;

    /// The weights for the features as they are, intercepts with the sum 0 over a softmax's classes.
    [[nodiscard]] arma::mat unshifted(const arma::mat& w) const;

private:
    /// Calls use(x, first) with the items' features, block by block.
    template <typename Use>
    void each_block(const Use& use);
    template <typename Use>
    void each_single_block(const Use& use);

    double losses(arma::mat& z, std::size_t first);
    double sigmoid_losses(double* z, std::size_t first, std::size_t count);
    double softmax_losses(arma::mat& z, std::size_t first);
    void check_stop() const;
    [[nodiscard]] std::size_t place(std::size_t item, std::size_t output) const
    {
        return (item / block_ * outputs_ + output) * block_ + item % block_;
    }

    std::span<const std::uint32_t> rows_;
    std::span<const std::uint32_t> codes_;
    std::stop_token stop_;
    std::size_t size_;
    std::size_t stride_;
    std::size_t outputs_;
    std::size_t block_; ///< rows
    arma::vec mean_;    ///< of the features
    ShiftedRows shifted_;
    AlignedVector<float> kept_; ///< shifted rows; empty: too many
    AlignedVector<float> formed_;
    std::vector<const float*> pointers_;
    AlignedVector<float> probability_; ///< place(item, output); of one sigmoid p (1 - p)
    std::vector<float> doubt_;         ///< 1 - p of the item's class, exact where p rounds to 1
    AlignedVector<float> direction_;
    AlignedVector<float> scores_;
    AlignedVector<float> partial_;
    std::vector<double> top_;
    std::vector<double> total_;
};

} // namespace senteval::learn
