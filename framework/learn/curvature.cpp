#include "learn/curvature.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace senteval::learn {

namespace {

constexpr std::size_t max_block_size = 1536;
constexpr std::size_t max_blocks_numbers = std::size_t{1} << 23;
constexpr double negligible = 1e-3; // of the largest weight of an output

/// A triangular R with R R' = the inverse of `block`, which rounding may leave not quite positive
/// definite.
arma::mat inverse_root(arma::mat block)
{
    const double top = block.diag().max();
    block.diag() += std::max(1e-12 * top, 1e-100);
    arma::mat factor;
    arma::mat root;
    for (double ridge = 1e-10 * top; ridge <= top; ridge *= 100) {
        if (arma::chol(factor, block) && arma::inv(root, arma::trimatu(factor)))
            return root;
        block.diag() += ridge;
    }
    throw core::Error("the features' products are too large for the classifier");
}

} // namespace

Curvature::Curvature(LogisticLoss& loss) : loss_(loss)
{
    const auto items = static_cast<double>(loss.items());
    const auto size = static_cast<double>(loss.size());
    const auto outputs = static_cast<double>(loss.outputs());
    form_ = loss.size() > max_block_size                                      ? Form::diagonal
            : loss.size() * loss.size() * loss.outputs() > max_blocks_numbers ? Form::mean
                                                                              : Form::blocks;
    product_cost_ = 2 * items * size * outputs;
    refresh_cost_ = form_ == Form::diagonal ? product_cost_
                    : form_ == Form::mean   ? items * size * size
                                            : items * size * size * outputs;
    if (form_ == Form::diagonal)
        spent_ = refresh_cost_;
    else
        take_equal();
}

void Curvature::refresh_if_worthwhile()
{
    if (spent_ < refresh_cost_)
        return;
    spent_ = 0;
    if (form_ == Form::diagonal) {
        loss_.diagonal(diagonal_);
        return;
    }
    if (form_ == Form::mean)
        take_mean();
    else
        take_blocks();
    factor();
}

/// The blocks where every class is as probable as the others.
void Curvature::take_equal()
{
    std::vector<std::uint32_t> items(loss_.items());
    std::iota(items.begin(), items.end(), 0U);
    const double p = loss_.outputs() == 1 ? 0.5 : 1 / static_cast<double>(loss_.outputs());
    const std::vector<double> weights(items.size(), p * (1 - p));
    blocks_.assign(1, arma::mat(loss_.size(), loss_.size(), arma::fill::zeros));
    loss_.add_products(items, weights, blocks_[0]);
}

void Curvature::take_blocks()
{
    blocks_.resize(loss_.outputs());
    std::vector<std::uint32_t> items;
    std::vector<double> weights;
    std::vector<double> all(loss_.items());
    double products = 0;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = loss_.weight(i, k);
        const double least = negligible * *std::max_element(all.begin(), all.end());
        items.clear();
        weights.clear();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] > least) {
                items.push_back(static_cast<std::uint32_t>(i));
                weights.push_back(all[i]);
            }
        products += static_cast<double>(items.size());
        blocks_[k].zeros(loss_.size(), loss_.size());
        loss_.add_products(items, weights, blocks_[k]);
    }
    const auto size = static_cast<double>(loss_.size());
    refresh_cost_ = (products + static_cast<double>(blocks_.size()) * size) * size * size;
}

/// The blocks' mean.
void Curvature::take_mean()
{
    std::vector<std::uint32_t> items(loss_.items());
    std::iota(items.begin(), items.end(), 0U);
    std::vector<double> weights(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (std::size_t k = 0; k < loss_.outputs(); ++k)
            weights[i] += loss_.weight(i, k);
        weights[i] /= static_cast<double>(loss_.outputs());
    }
    blocks_.assign(1, arma::mat(loss_.size(), loss_.size(), arma::fill::zeros));
    loss_.add_products(items, weights, blocks_[0]);
}

void Curvature::set_strength(double c)
{
    c_ = c;
    factor();
}

void Curvature::factor()
{
    roots_.clear();
    for (const arma::mat& block : blocks_) {
        arma::mat penalised = block;
        penalised.submat(0, 0, loss_.size() - 2, loss_.size() - 2).diag() += 1 / c_;
        roots_.push_back(inverse_root(std::move(penalised)));
    }
}

void Curvature::precondition(arma::mat& gradient) const
{
    if (form_ == Form::diagonal) {
        arma::mat penalised = diagonal_;
        penalised.head_rows(loss_.size() - 1) += 1 / c_;
        gradient /= penalised;
    } else if (roots_.size() == 1) {
        gradient = roots_[0] * (roots_[0].t() * gradient);
    } else {
        for (std::size_t k = 0; k < roots_.size(); ++k)
            gradient.col(k) = roots_[k] * (roots_[k].t() * gradient.col(k));
    }
    if (loss_.outputs() > 1)
        gradient.row(loss_.size() - 1) -= arma::mean(gradient.row(loss_.size() - 1));
}

} // namespace senteval::learn
