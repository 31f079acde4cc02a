#include "learn/relatedness.hpp"

#include "base/error.hpp"
#include "learn/aligned.hpp"
#include "learn/design_matrix.hpp"
#include "learn/kernels.hpp"
#include "learn/network.hpp"
#include "learn/optimizer.hpp"
#include "learn/random.hpp"
#include "numeric/denormals.hpp"
#include "stats/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

namespace senteval::learn {

namespace {

// The original's constants; the user's classifier settings do not apply here.
constexpr std::size_t classes = 5; ///< scores 1 ... 5
constexpr std::size_t batch_size = 64;
constexpr std::size_t block_passes = 50;
constexpr std::size_t max_passes = 1000;
constexpr std::size_t most_blocks = max_passes / block_passes + 1;
constexpr std::size_t tenacity = 3;
constexpr std::size_t row_stride = padded(batch_size);

/// The scale of the scores, mapped onto that of the classes and back.
class Scale {
public:
    explicit Scale(const std::optional<ScoreRange>& range)
        : low_(range ? range->low : 1), width_(range ? range->high - range->low : classes - 1)
    {
        if (!(width_ > 0) || !std::isfinite(width_))
            throw base::UsageError(
                "a range of scores needs a lowest below its highest, not {} and {}", low_,
                low_ + width_);
    }

    [[nodiscard]] double to_classes(double score) const
    {
        return 1 + (classes - 1) * (score - low_) / width_;
    }
    [[nodiscard]] double from_classes(double score) const
    {
        return low_ + width_ * (score - 1) / (classes - 1);
    }

private:
    double low_;
    double width_;
};

/// The score's distribution over the classes: shares of the two around it (Tai, Socher and Manning
/// 2015, equation 15). What falls on classes outside 1 ... 5 is dropped.
void encode(double score, float* target)
{
    std::fill_n(target, classes, 0.0F);
    const double low = std::floor(score);
    const auto set = [&](double c, double share) {
        if (c >= 1 && c <= classes)
            target[static_cast<std::size_t>(c) - 1] = static_cast<float>(share);
    };
    set(low, low + 1 - score);
    set(low + 1, score - low);
}

void check(const ScoredDataset& data, const std::optional<ScoreRange>& range, std::string_view part)
{
    if (data.scores.size() != data.features.size() || data.scores.empty())
        throw base::Error(
            "the {} part has {} scores for {} items; it needs one for each of at least "
            "one",
            part, data.scores.size(), data.features.size());
    for (std::size_t i = 0; i < data.scores.size(); ++i) {
        if (!std::isfinite(data.scores[i]))
            throw base::Error("the score of item {} of the {} part is {}", i, part, data.scores[i]);
        if (range && (data.scores[i] < range->low || data.scores[i] > range->high))
            throw base::Error(
                "the score {} of item {} of the {} part is outside the range {} to {}",
                data.scores[i], i, part, range->low, range->high);
    }
}

/// The items of a pass that begin a batch there.
std::span<const std::uint32_t> batch_of(std::span<const std::uint32_t> order, std::size_t begin)
{
    return order.subspan(begin, std::min(batch_size, order.size() - begin));
}

double or_zero(double correlation)
{
    return std::isnan(correlation) ? 0 : correlation;
}

/// The linear layer and its softmax, in training.
class Head {
public:
    Head(const DesignMatrix& matrix, std::uint32_t seed, const Kernels& kernels)
        : kernels_(kernels),
          stride_(matrix.stride()),
          forward_({matrix.inputs(), stride_, 0, classes, {}}, 1, batch_size, kernels_),
          weights_(classes * stride_),
          gradient_((classes - 1) * stride_),
          first_(classes * stride_),
          second_(classes * stride_),
          targets_(classes * row_stride)
    {
        TorchRandom(seed).linear(matrix.inputs(), classes, weights_.data(), stride_);
        differences_ = class_differences(weights_, classes);
    }

    /// `targets` are those of all training items, `rows` the items of the batch.
    void train(const DesignMatrix::Batch& batch,
               std::span<const float> targets,
               std::span<const std::uint32_t> rows)
    {
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t c = 0; c < classes; ++c)
                targets_[c * row_stride + i] = targets[rows[i] * classes + c];
        const float scale = 2.0F / static_cast<float>(batch.size() * classes);
        forward_.differentiate(batch.rows(), 1, differences_.data(), gradient_.data(),
                               [&](float* logits, std::size_t first, std::size_t count) {
                                   kernels_.squared_error(logits, classes, row_stride, count,
                                                          targets_.data() + first, scale);
                               });
        kernels_.update_softmax(
            adam_.method(), adam_.constants(++steps_), 0,
            {stride_, weights_.data(), gradient_.data(), first_.data(), second_.data()}, classes,
            differences_.data());
    }

    /// Expected class, 1 ... 5, of every item.
    std::vector<double> predict(const DesignMatrix& matrix, const AlignedVector<float>& differences)
    {
        DesignMatrix::Batch batch(matrix, batch_size, DesignMatrix::Batch::Form::sparse);
        std::vector<std::uint32_t> rows;
        std::vector<double> scores;
        for (std::size_t begin = 0; begin < matrix.size(); begin += batch_size) {
            rows.resize(std::min(batch_size, matrix.size() - begin));
            std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
            batch.load(rows);
            forward_.run(batch.rows(), 1, nullptr, differences.data(), nullptr);
            kernels_.softmax(forward_.logits(0), classes, row_stride, batch.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                double score = 1; // of the first class, whose probability is what the others leave
                for (std::size_t c = 1; c < classes; ++c)
                    score += static_cast<double>(forward_.logits(0)[(c - 1) * row_stride + i]) *
                             static_cast<double>(c);
                scores.push_back(score);
            }
        }
        return scores;
    }

    [[nodiscard]] const AlignedVector<float>& differences() const noexcept { return differences_; }

private:
    const Kernels& kernels_;
    std::size_t stride_;
    Forward forward_;
    Optimizer adam_{"adam"};
    std::size_t steps_ = 0;
    AlignedVector<float> weights_;
    AlignedVector<float> gradient_; ///< of the differences
    AlignedVector<float> first_;
    AlignedVector<float> second_;
    AlignedVector<float> differences_;
    AlignedVector<float> targets_; ///< of the batch, by class
};

/// Fits and tests on features that are normalised already.
Relatedness fit_and_test(const ScoredDataset& train,
                         const ScoredDataset& dev,
                         const ScoredDataset& test,
                         const RelatednessOptions& options,
                         const Scale& scale,
                         std::size_t normalisation)
{
    const DesignMatrix x(train.features);
    const DesignMatrix x_dev(dev.features);
    const DesignMatrix x_test(test.features);
    std::vector<float> targets(train.scores.size() * classes);
    for (std::size_t i = 0; i < train.scores.size(); ++i)
        encode(scale.to_classes(train.scores[i]), targets.data() + i * classes);

    Head head(x, options.seed, *options.kernels);
    NumpyRandom random(options.seed);
    std::vector<std::uint32_t> order(x.size());
    DesignMatrix::Batch batch(x, batch_size, DesignMatrix::Batch::Form::sparse);
    EarlyStopping stopping(tenacity);
    AlignedVector<float> best;
    Relatedness result;
    while (!stopping.stops() && result.passes <= max_passes) {
        for (std::size_t pass = 0; pass < block_passes; ++pass) {
            if (options.stop.stop_requested())
                throw base::Cancelled();
            random.permutation(order);
            for (std::size_t begin = 0; begin < order.size(); begin += batch_size) {
                const auto rows = batch_of(order, begin);
                batch.load(rows, batch_of(order, begin + rows.size()));
                head.train(batch, targets, rows);
            }
        }
        result.passes += block_passes;
        const std::vector<double> predicted = head.predict(x_dev, head.differences());
        if (stopping.improves(or_zero(stats::pearson(predicted, dev.scores).r)))
            best = head.differences();
        if (options.progress)
            options.progress(normalisation * most_blocks + result.passes / block_passes,
                             options.normalisations.size() * most_blocks);
    }

    result.devpearson = stopping.best();
    for (const double score : head.predict(x_test, best))
        result.yhat.push_back(scale.from_classes(score));
    measure(result, test.scores);
    return result;
}

ScoredDataset normalised(const ScoredDataset& data,
                         const std::shared_ptr<const embedding::Normaliser>& normaliser)
{
    return {data.features.normalised(normaliser), data.scores};
}

} // namespace

void check_parts(const ScoredDataset& train,
                 const ScoredDataset& dev,
                 const ScoredDataset& test,
                 const RelatednessOptions& options)
{
    check(train, options.range, "training");
    if (!dev.scores.empty())
        check(dev, options.range, "dev");
    check(test, options.range, "test");
    const std::size_t size = train.features.dimension();
    const std::size_t of_dev = dev.scores.empty() ? size : dev.features.dimension();
    if (of_dev != size || test.features.dimension() != size)
        throw base::Error("the parts have {}, {} and {} features; they must have the same", size,
                          of_dev, test.features.dimension());
    if (options.normalisations.empty())
        throw base::UsageError("relatedness needs at least one normalisation: 'none' will do");
}

void measure(Relatedness& result, std::span<const double> gold)
{
    result.pearson = or_zero(stats::pearson(result.yhat, gold).r);
    result.spearman = or_zero(stats::spearman(result.yhat, gold).r);
    for (std::size_t i = 0; i < result.yhat.size(); ++i)
        result.mse += (result.yhat[i] - gold[i]) * (result.yhat[i] - gold[i]);
    result.mse /= static_cast<double>(result.yhat.size());
}

Relatedness relatedness(const ScoredDataset& train,
                        const ScoredDataset& dev,
                        const ScoredDataset& test,
                        const RelatednessOptions& options)
{
    const Scale scale(options.range);
    check(dev, options.range, "dev");
    check_parts(train, dev, test, options);
    const numeric::FlushDenormals flush;
    std::vector<std::uint32_t> rows(train.scores.size());
    std::iota(rows.begin(), rows.end(), 0U);

    Relatedness best;
    std::vector<double> devpearson_of;
    for (std::size_t n = 0; n < options.normalisations.size(); ++n) {
        std::shared_ptr<const embedding::Normaliser> normaliser;
        if (options.normalisations[n] != embedding::Normalisation::none)
            normaliser = train.features.fit(options.normalisations[n], rows);
        Relatedness found = fit_and_test(normalised(train, normaliser), normalised(dev, normaliser),
                                         normalised(test, normaliser), options, scale, n);
        found.normalisation = n;
        devpearson_of.push_back(found.devpearson);
        if (n == 0 || found.devpearson > best.devpearson)
            best = std::move(found);
    }
    best.devpearson_of = std::move(devpearson_of);
    return best;
}

} // namespace senteval::learn
