#include "learn/lbfgs_regression.hpp"

#include "base/parallel.hpp"
#include "learn/design_matrix.hpp"
#include "learn/logistic_loss.hpp"
#include "learn/points.hpp"
#include "learn/principal_axes.hpp"
#include "numeric/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::learn {

namespace {

/// A part of a vector as a matrix, without a copy.
arma::mat part(const arma::vec& v, std::size_t begin, std::size_t rows, std::size_t columns)
{
    return {const_cast<double*>(v.memptr()) + begin, rows, columns, false, true};
}

/// The objective by weights and intercepts: outputs columns of a number for each feature, then the intercepts.
class WeightObjective : public Objective {
public:
    WeightObjective(arma::mat x, const Targets& targets)
        : x_(std::move(x)),
          codes_(targets.codes),
          outputs_(targets.classes.size() == 2 ? 1 : targets.classes.size()),
          penalty_(1 / static_cast<double>(x_.n_cols))
    {
    }

    [[nodiscard]] std::size_t size() const override { return (x_.n_rows + 1) * outputs_; }

    double evaluate(const arma::vec& v, arma::vec& gradient) override
    {
        const arma::mat w = weights(v);
        arma::mat z = x_.t() * w;
        const double loss = derive(z, part(v, w.n_elem, 1, outputs_));
        gradient.set_size(size());
        part(gradient, 0, x_.n_rows, outputs_) = x_ * z + penalty_ * w;
        part(gradient, w.n_elem, 1, outputs_) = arma::sum(z, 0);
        return loss + penalty_ / 2 * arma::dot(w, w);
    }

    [[nodiscard]] double product(const arma::vec& u, const arma::vec& v) const override
    {
        return arma::dot(u, v);
    }

    [[nodiscard]] bool is_small(const arma::vec& v, double limit) const override
    {
        return arma::abs(v).max() <= limit;
    }

    /// features x outputs.
    [[nodiscard]] virtual arma::mat weights(const arma::vec& v) const
    {
        return part(v, 0, x_.n_rows, outputs_);
    }

    [[nodiscard]] arma::rowvec intercepts(const arma::vec& v) const { return v.tail(outputs_).t(); }

protected:
    /// Scores without intercepts become derivatives of the mean loss; gives it.
    double derive(arma::mat& z, const arma::rowvec& intercepts) const
    {
        z.each_row() += intercepts;
        const double sum = logistic_losses(z, codes_);
        z *= penalty_; // 1 / items, too
        return sum * penalty_;
    }

    arma::mat x_; ///< features x items
    const std::vector<std::uint32_t>& codes_;
    std::size_t outputs_;
    double penalty_;
};

/// The same for fewer items than features. The gradient, and with it each weight vector on the way from 0, is a
/// sum of items' features: a vector is kept as the items' shares in that sum, the scores that it gives the items,
/// and the intercepts. The inner product of two is that of the shares of one and the scores of the other.
class ShareObjective : public WeightObjective {
public:
    ShareObjective(arma::mat x, const Targets& targets)
        : WeightObjective(std::move(x), targets), products_(x_.t() * x_)
    {
    }

    [[nodiscard]] std::size_t size() const override { return (2 * x_.n_cols + 1) * outputs_; }

    double evaluate(const arma::vec& v, arma::vec& gradient) override
    {
        const arma::mat a = shares(v);
        const arma::mat scores = part(v, a.n_elem, a.n_rows, outputs_);
        arma::mat z = scores;
        const double square = arma::dot(a, z);
        const double loss = derive(z, intercepts(v));
        gradient.set_size(size());
        part(gradient, 2 * a.n_elem, 1, outputs_) = arma::sum(z, 0);
        z += penalty_ * a;
        part(gradient, 0, a.n_rows, outputs_) = z;
        part(gradient, a.n_elem, a.n_rows, outputs_) = products_ * z;
        return loss + penalty_ / 2 * square;
    }

    [[nodiscard]] double product(const arma::vec& u, const arma::vec& v) const override
    {
        const std::size_t one = x_.n_cols * outputs_;
        return arma::dot(part(u, 0, one, 1), part(v, one, one, 1)) +
               arma::dot(part(u, 2 * one, outputs_, 1), part(v, 2 * one, outputs_, 1));
    }

    [[nodiscard]] bool is_small(const arma::vec& v, double limit) const override
    {
        const double square = product(v, v);
        if (square <= limit * limit)
            return true;
        const auto components = static_cast<double>((x_.n_rows + 1) * outputs_);
        if (square > limit * limit * components || arma::abs(v.tail(outputs_)).max() > limit)
            return false;
        // The first features decide in most cases.
        constexpr std::size_t block = 64;
        for (std::size_t first = 0; first < x_.n_rows; first += block) {
            const std::size_t last = std::min<std::size_t>(first + block, x_.n_rows) - 1;
            const arma::mat some = x_.rows(first, last) * shares(v);
            if (arma::abs(some).max() > limit)
                return false;
        }
        return true;
    }

    [[nodiscard]] arma::mat weights(const arma::vec& v) const override { return x_ * shares(v); }

private:
    [[nodiscard]] arma::mat shares(const arma::vec& v) const
    {
        return part(v, 0, x_.n_cols, outputs_);
    }

    arma::mat products_; ///< of the items' features
};

} // namespace

LbfgsFit fit_lbfgs(const Examples& train, const LbfgsLimits& limits)
{
    const Targets targets = code_labels(train);
    if (targets.classes.size() < 2)
        throw base::Error("logistic regression needs items of two classes, not {}",
                          targets.classes.size());
    arma::mat x = features_of(*train.matrix, train.rows);
    const std::size_t inputs = x.n_rows;
    std::unique_ptr<WeightObjective> objective;
    if (x.n_cols < x.n_rows)
        objective = std::make_unique<ShareObjective>(std::move(x), targets);
    else
        objective = std::make_unique<WeightObjective>(std::move(x), targets);
    const LbfgsMinimum minimum = minimise(*objective, limits);
    const arma::mat w =
        arma::join_cols(objective->weights(minimum.x), objective->intercepts(minimum.x));
    return {std::make_unique<LogisticModel>(targets.classes, inputs,
                                            std::vector<double>(w.begin(), w.end())),
            minimum.iterations, minimum.converged};
}

namespace {

std::size_t outputs_of(const LogisticModel& model)
{
    return model.classes().size() == 2 ? 1 : model.classes().size();
}

/// The class of one row by its scores, and whether rounding might have chosen it.
std::size_t best_class(const float* scores, std::size_t stride, std::size_t outputs, bool& doubtful)
{
    float best = outputs == 1 ? 0 : scores[0];
    float second = -std::numeric_limits<float>::infinity();
    std::size_t label = 0;
    for (std::size_t c = 1; c < std::max<std::size_t>(outputs, 2); ++c) {
        const float score = scores[(outputs == 1 ? 0 : c) * stride];
        if (score > best)
            label = c;
        second = std::max(second, std::min(best, score));
        best = std::max(best, score);
    }
    constexpr float share = 1e-4F; // more than the products are off by
    doubtful = !(best - second > share * (1 + std::abs(best) + std::abs(second)));
    return label;
}

} // namespace

std::vector<std::vector<Label>> predict_labels(std::span<const LogisticModel* const> models,
                                               const DesignMatrix& matrix,
                                               std::span<const std::uint32_t> rows,
                                               unsigned threads)
{
    AlignedVector<float> columns;
    for (const LogisticModel* const model : models)
        for (const double weight : model->weights())
            columns.push_back(static_cast<float>(weight));
    const std::size_t tile = numeric::tile_columns * (matrix.inputs() + 1);
    columns.resize((columns.size() + tile - 1) / tile * tile);

    std::vector<std::vector<Label>> labels(models.size(), std::vector<Label>(rows.size()));
    constexpr std::size_t block = Panels::group;
    base::parallel_for((rows.size() + block - 1) / block, threads, [&](std::size_t number) {
        const std::span<const std::uint32_t> here =
            rows.subspan(number * block, std::min(block, rows.size() - number * block));
        DesignMatrix::Batch batch(matrix, block);
        batch.load(here);
        AlignedVector<float> scores;
        Panels(matrix.inputs(), {batch.rows().rows, here.size()}).multiply(columns, 0, scores);
        const float* first = scores.data();
        for (std::size_t m = 0; m < models.size(); ++m) {
            const std::size_t outputs = outputs_of(*models[m]);
            for (std::size_t i = 0; i < here.size(); ++i) {
                bool doubtful = false;
                const std::size_t label = best_class(first + i, block, outputs, doubtful);
                labels[m][number * block + i] =
                    doubtful ? models[m]->predict(matrix, here.subspan(i, 1))[0].label
                             : models[m]->classes()[label];
            }
            first += outputs * block;
        }
    });
    return labels;
}

} // namespace senteval::learn
