#include "train/trainer.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "learn/random.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace senteval::train {

namespace {

const TrainSettings& checked(const TrainSettings& settings, const Corpus& corpus)
{
    require_possible(settings, corpus.pairs());
    return settings;
}

} // namespace

core::Json to_json(const TrainSettings& settings)
{
    const paragram::Architecture& architecture = settings.architecture;
    return {{"model", core::name_in(paragram::kind_names, architecture.kind)},
            {"activation", core::name_in(paragram::activation_names, architecture.activation)},
            {"inputs", architecture.inputs},
            {"outputs", architecture.outputs},
            {"layers", architecture.layers},
            {"margin", settings.margin},
            {"negatives", core::name_in(negatives_names, settings.negatives)},
            {"batch", settings.batch},
            {"epochs", settings.epochs},
            {"optimiser", settings.optimiser},
            {"clip", settings.clip},
            {"l2", settings.l2},
            {"l2_words", settings.l2_words},
            {"fixed_words", settings.fixed_words},
            {"objective", settings.scores.empty() ? "margin" : "similarity"},
            {"lowest_score", settings.scores.lowest},
            {"highest_score", settings.scores.highest},
            {"hidden", settings.scores.empty() ? 0 : settings.hidden},
            {"seed", settings.seed}};
}

void require_possible(const TrainSettings& settings, std::size_t pairs)
{
    const learn::Optimizer optimiser(settings.optimiser);
    if (optimiser.method() != learn::Method::adam && optimiser.method() != learn::Method::adagrad)
        throw core::UsageError("--optim: '{}' is none of adam and adagrad", settings.optimiser);
    if (settings.batch < 2)
        throw core::UsageError("--batch: a batch of {} pairs has no negative examples",
                               settings.batch);
    if (settings.l2_words * optimiser.base_rate() >= 1)
        throw core::UsageError(
            "--l2-words: {} times the rate {} is not below 1: every step would throw the words "
            "beyond where they began",
            settings.l2_words, optimiser.base_rate());
    if (pairs < 2)
        throw core::UsageError("--pairs: there {} to train on; two are needed at least",
                               pairs == 1 ? "is one pair" : "is no pair");
    if (settings.fixed_words && settings.architecture.kind == paragram::Kind::word)
        throw core::UsageError("--fixed-words: the model 'word' has nothing else to train");
}

Trainer::Trainer(const Corpus& corpus,
                 const StartVectors& vectors,
                 const TrainSettings& settings,
                 TrainOptions options)
    : corpus_(corpus),
      settings_(settings),
      options_(std::move(options)),
      stepper_(corpus, vectors, checked(settings, corpus), options_.threads)
{
}

ModelState Trainer::train()
{
    std::vector<std::uint32_t> order;
    while (reports_.size() < settings_.epochs && !options_.stop.stop_requested()) {
        shuffle(order);
        if (run_epoch(order))
            finish_epoch();
    }
    return best_epoch_ > 0 ? std::move(best_) : stepper_.state();
}

/// The order of the pairs depends on the seed and the epoch alone.
void Trainer::shuffle(std::vector<std::uint32_t>& order) const
{
    order.resize(corpus_.pairs());
    std::iota(order.begin(), order.end(), 0U);
    learn::NumpyRandom random(settings_.seed * 1'000'003U +
                              static_cast<std::uint32_t>(reports_.size()));
    random.shuffle(order);
    if (order.size() % settings_.batch == 1) // it would be alone in its batch
        order.pop_back();
}

/// False where it was stopped.
bool Trainer::run_epoch(std::span<const std::uint32_t> order)
{
    loss_ = 0;
    separation_ = 0;
    batches_ = 0;
    recent_.clear();
    for (std::size_t begin = 0; begin < order.size();) {
        if (options_.stop.stop_requested())
            return false;
        const std::size_t count = std::min(Stepper::window * settings_.batch, order.size() - begin);
        const auto from = std::chrono::steady_clock::now();
        const auto losses = stepper_.run(order.subspan(begin, count));
        spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
        trained_ += static_cast<double>(count);
        begin += count;
        for (const BatchLoss& batch : losses)
            add(batch);
        tell(begin, order.size());
    }
    return true;
}

void Trainer::add(const BatchLoss& batch)
{
    ++batches_;
    if (!std::isfinite(batch.loss) || !std::isfinite(batch.separation))
        fail_diverged("the loss is no finite number");
    if (!first_loss_)
        first_loss_ = batch.loss;
    loss_ += batch.loss;
    separation_ += batch.separation;
    recent_.push_back(batch);
    if (recent_.size() > Stepper::window)
        recent_.pop_front();
}

/// Training is the same again, so that it can be had up to the last sound epoch.
void Trainer::fail_diverged(const char* what) const
{
    std::string advice = "take a smaller lr in --optim, or --clip 1";
    if (!reports_.empty())
        advice += fmt::format("; --epochs {} gives the last sound model", reports_.size());
    throw core::Error("epoch {}, minibatch {}: {}, so no model was written: the steps are too "
                      "large; {}",
                      reports_.size() + 1, batches_, what, advice);
}

void Trainer::tell(std::size_t pairs, std::size_t of_epoch) const
{
    if (!options_.progress)
        return;
    TrainProgress progress;
    progress.epoch = reports_.size() + 1;
    progress.pairs = std::uint64_t{reports_.size()} * of_epoch + pairs;
    progress.of_pairs = std::uint64_t{settings_.epochs} * of_epoch;
    progress.loss = recent_loss();
    progress.pairs_per_second = pairs_per_second();
    progress.seconds_left =
        static_cast<double>(progress.of_pairs - progress.pairs) / pairs_per_second();
    options_.progress(progress);
}

double Trainer::recent_loss() const
{
    double sum = 0;
    for (const BatchLoss& batch : recent_)
        sum += batch.loss;
    return sum / static_cast<double>(recent_.size());
}

/// Minibatches of a training that goes well are hardly ever near it, and never all.
bool Trainer::is_collapsed() const
{
    constexpr double tolerance = 0.02;
    return settings_.scores.empty() && std::ranges::all_of(recent_, [&](const BatchLoss& batch) {
               return std::abs(batch.loss - 2 * settings_.margin) <= tolerance &&
                      std::abs(batch.separation) <= tolerance;
           });
}

void Trainer::finish_epoch()
{
    if (!stepper_.is_finite())
        fail_diverged("a parameter is too large to compute with");
    EpochReport report;
    report.epoch = reports_.size() + 1;
    report.loss = loss_ / static_cast<double>(batches_);
    report.separation = separation_ / static_cast<double>(batches_);
    if (options_.dev) {
        ModelState state = stepper_.state();
        const double score = options_.dev(state);
        if (std::isfinite(score))
            report.dev = score;
        report.is_best = report.dev && (best_epoch_ == 0 || score > best_score_);
        if (report.is_best) {
            best_score_ = score;
            best_epoch_ = report.epoch;
            best_ = std::move(state);
        }
    }
    report.is_collapsed = is_collapsed();
    constexpr double much = 1.25; // more than the first minibatch's chance
    report.is_worse = !report.is_collapsed && recent_loss() > much * *first_loss_;
    reports_.push_back(report);
    if (options_.finished_epoch)
        options_.finished_epoch(report);
}

} // namespace senteval::train
