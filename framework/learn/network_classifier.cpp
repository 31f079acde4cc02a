#include "learn/network_classifier.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "learn/rounding.hpp"
#include "numeric/denormals.hpp"

#include <algorithm>

namespace senteval::learn {

namespace {

/// The part of the training items that the original holds out where it has no dev items.
constexpr double held_out_share = 0.05;

struct Parts {
    std::vector<std::uint32_t> train;
    std::vector<std::uint32_t> dev;
    Examples dev_examples;
};

/// The first draw after seeding chooses the held-out items.
void hold_out(const FitRequest& request, NumpyRandom& random, Parts& parts)
{
    const std::span<const std::uint32_t> rows = request.train.rows;
    const auto held = static_cast<std::size_t>(held_out_share * static_cast<double>(rows.size()));
    if (held == 0)
        throw TooFewItems(
            "{} training items are too few: 5 % of them are held out to decide when to "
            "stop, so there must be at least 20",
            rows.size());
    const std::vector<std::uint32_t> order = random.permutation(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        (i < held ? parts.dev : parts.train).push_back(rows[order[i]]);
    parts.dev_examples = {request.train.matrix, request.train.labels, parts.dev};
}

Parts divide(const FitRequest& request, NumpyRandom& random)
{
    Parts parts;
    if (request.dev.rows.empty()) {
        hold_out(request, random, parts);
    } else {
        parts.train.assign(request.train.rows.begin(), request.train.rows.end());
        parts.dev_examples = request.dev;
    }
    return parts;
}

/// Rows of a set of examples, in batches.
class Batches {
public:
    Batches(const Examples& examples, std::size_t batch_size)
        : examples_(examples),
          batch_size_(batch_size),
          batch_(*examples.matrix, batch_size, DesignMatrix::Batch::Form::sparse),
          rows_(batch_size),
          next_(batch_size),
          labels_(padded(batch_size))
    {
    }

    /// Calls use(rows, labels) for consecutive batches; item i is examples.rows[order[i]], or
    /// examples.rows[i] without an order.
    template <typename Use>
    void each(std::span<const std::uint32_t> order, const Use& use)
    {
        const std::size_t size = examples_.rows.size();
        std::size_t count = select(order, 0, next_);
        for (std::size_t begin = 0; begin < size; begin += batch_size_) {
            std::swap(rows_, next_);
            const std::size_t next_count = select(order, begin + count, next_);
            for (std::size_t i = 0; i < count; ++i)
                labels_[i] = examples_.labels[rows_[i]];
            batch_.load(std::span(rows_).first(count), std::span(next_).first(next_count));
            use(batch_.rows(), labels_.data());
            count = next_count;
        }
    }

private:
    /// Rows of the batch that begins there; returns their number.
    std::size_t select(std::span<const std::uint32_t> order,
                       std::size_t begin,
                       std::vector<std::uint32_t>& rows) const
    {
        const std::size_t count = std::min(batch_size_, examples_.rows.size() - begin);
        for (std::size_t i = 0; i < count; ++i)
            rows[i] = examples_.rows[order.empty() ? begin + i : order[begin + i]];
        return count;
    }

    Examples examples_;
    std::size_t batch_size_;
    DesignMatrix::Batch batch_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> labels_;
};

/// The models of one fit, and what is known of each so far. Those that stopped leave the network.
class Stack {
public:
    Stack(Network network, std::size_t tenacity)
        : network_(std::move(network)), fits_(network_.models()), best_(network_.models())
    {
        for (std::size_t model = 0; model < network_.models(); ++model) {
            running_.push_back(model);
            stopping_.emplace_back(tenacity);
        }
    }

    [[nodiscard]] bool empty() const noexcept { return running_.empty(); }
    Network& network() noexcept { return network_; }

    /// Scores the running models and drops those that stop.
    void score(Batches& dev, std::size_t dev_size, std::size_t passes)
    {
        const std::vector<std::size_t> correct = count_correct(dev);
        for (std::size_t place = running_.size(); place-- > 0;) {
            const std::size_t model = running_[place];
            fits_[model].passes = passes;
            if (stopping_[model].improves(static_cast<double>(correct[place]) /
                                          static_cast<double>(dev_size)))
                best_[model] = network_.weights(place);
            else if (stopping_[model].stops())
                drop(place);
        }
    }

    std::vector<Fit> finish(const NetworkShape& shape, const Kernels& kernels)
    {
        for (std::size_t model = 0; model < fits_.size(); ++model) {
            fits_[model].accuracy = stopping_[model].best();
            fits_[model].model =
                std::make_unique<NetworkModel>(shape, std::move(best_[model]), kernels);
        }
        return std::move(fits_);
    }

private:
    std::vector<std::size_t> count_correct(Batches& dev)
    {
        std::vector<std::size_t> correct(running_.size());
        std::vector<std::uint32_t> predicted;
        dev.each({}, [&](const RowPointers& batch, const std::uint32_t* labels) {
            predicted.resize(padded(batch.count));
            network_.forward(batch);
            for (std::size_t place = 0; place < running_.size(); ++place) {
                network_.classify(place, batch.count, predicted.data());
                for (std::size_t i = 0; i < batch.count; ++i)
                    correct[place] += predicted[i] == labels[i] ? 1 : 0;
            }
        });
        return correct;
    }

    void drop(std::size_t place)
    {
        network_.remove(place);
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
    }

    Network network_;
    std::vector<Fit> fits_;
    std::vector<NetworkWeights> best_;
    std::vector<EarlyStopping> stopping_;
    std::vector<std::size_t> running_; ///< model at each place of the network
};

void check(const Settings& settings)
{
    const bool is_mlp = settings.classifier == "mlp";
    if (is_mlp && settings.nhid == 0)
        throw base::UsageError("classifier mlp needs nhid, its number of hidden units");
    if (!is_mlp && settings.nhid > 0)
        throw base::UsageError("classifier {} has no hidden units: for nhid = {} choose classifier "
                               "mlp",
                               settings.classifier, settings.nhid);
    if (!(settings.dropout >= 0 && settings.dropout < 1))
        throw base::UsageError("dropout = {} is out of range: at least 0 and below 1",
                               settings.dropout);
    if (settings.batch_size == 0)
        throw base::UsageError("the classifier's batch_size must be at least 1");
    if (settings.epoch_size == 0)
        throw base::UsageError("epoch_size must be at least 1");
}

} // namespace

NetworkClassifier::NetworkClassifier(const Settings& settings, const Kernels& kernels)
    : settings_(settings), kernels_(&kernels)
{
    check(settings);
    training_.optimizer = Optimizer(settings.optim);
    training_.loss_reduction = settings.loss_reduction;
    training_.dropout = settings.nhid > 0 ? settings.dropout : 0;
}

std::vector<double> NetworkClassifier::strengths(Protocol /*protocol*/, bool regularised) const
{
    if (!regularised)
        return {1e-9};
    return {1e-5, 1e-4, 1e-3, 1e-2};
}

double NetworkClassifier::percent(double accuracy) const
{
    return round_python(100 * accuracy);
}

std::vector<Fit> NetworkClassifier::fit(const FitRequest& request) const
{
    if (!request.train.matrix->sparse())
        return fit_stack(request);
    // Sparse rows are soon read: what counts is that the weights of one model stay in the cache.
    std::vector<Fit> fits;
    for (const double& strength : request.strengths) {
        FitRequest one = request;
        one.strengths = {&strength, 1};
        fits.push_back(std::move(fit_stack(one).front()));
    }
    return fits;
}

std::vector<Fit> NetworkClassifier::fit_stack(const FitRequest& request) const
{
    const numeric::FlushDenormals flush;
    const DesignMatrix& matrix = *request.train.matrix;
    const NetworkShape shape{matrix.inputs(), matrix.stride(), settings_.nhid, request.classes,
                             settings_.activation};
    NumpyRandom random(request.seed);
    const Parts parts = divide(request, random);
    Network::Training training =
        training_; // no batch is larger than its part: memory is for what there is
    training.batch_size = std::min(settings_.batch_size,
                                   std::max(parts.train.size(), parts.dev_examples.rows.size()));
    Batches train({&matrix, request.train.labels, parts.train}, training.batch_size);
    Batches dev(parts.dev_examples, training.batch_size);
    Stack stack(Network(shape, training, request.strengths, request.seed, *kernels_),
                settings_.tenacity);

    std::vector<std::uint32_t> order(parts.train.size());
    for (std::size_t passes = 0; !stack.empty() && passes <= settings_.max_epoch;) {
        for (std::size_t pass = 0; pass < settings_.epoch_size; ++pass) {
            random.permutation(order);
            train.each(order, [&](const RowPointers& batch, const std::uint32_t* labels) {
                if (request.stop.stop_requested())
                    throw base::Cancelled();
                stack.network().train(batch, labels);
            });
        }
        passes += settings_.epoch_size;
        stack.score(dev, parts.dev_examples.rows.size(), passes);
    }
    return stack.finish(shape, *kernels_);
}

NetworkModel::NetworkModel(const NetworkShape& shape,
                           NetworkWeights weights,
                           const Kernels& kernels)
    : shape_(shape),
      weights_(std::move(weights)),
      differences_(class_differences(weights_.output, shape.classes)),
      kernels_(&kernels)
{
}

std::vector<Prediction> NetworkModel::predict(const DesignMatrix& matrix,
                                              std::span<const std::uint32_t> rows) const
{
    constexpr std::size_t batch_size = 64;
    Forward forward(shape_, 1, batch_size, *kernels_);
    DesignMatrix::Batch batch(matrix, batch_size, DesignMatrix::Batch::Form::sparse);
    std::vector<std::uint32_t> labels(batch_size);
    std::vector<Prediction> predictions;
    predictions.reserve(rows.size());
    for (std::size_t begin = 0; begin < rows.size(); begin += batch_size) {
        batch.load(rows.subspan(begin, std::min(batch_size, rows.size() - begin)));
        forward.run(batch.rows(), 1, weights_.hidden.data(), differences_.data(), nullptr);
        float* const logits = forward.logits(0);
        const std::size_t stride = forward.row_stride();
        kernels_->argmax(logits, shape_.classes, stride, batch.size(), labels.data());
        kernels_->softmax(logits, shape_.classes, stride, batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            double first = 1;
            for (std::size_t c = 0; c + 1 < shape_.classes; ++c)
                first -= static_cast<double>(logits[c * stride + i]);
            const Label label = labels[i];
            predictions.push_back(
                {label, label == 0 ? std::max(first, 0.0)
                                   : static_cast<double>(logits[(label - 1) * stride + i])});
        }
    }
    return predictions;
}

} // namespace senteval::learn
