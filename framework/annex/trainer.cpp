#include "annex/trainer.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "base/names.hpp"
#include "learn/random.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace senteval::annex {

namespace {

constexpr const char* checkpoint_member = "senteval checkpoint";

template <typename T>
std::span<char> bytes_of(std::vector<T>& values)
{
    return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::string fingerprint_of(const std::vector<T>& values)
{
    return base::fingerprint(
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

base::Json to_json(const EpochReport& report)
{
    base::Json json = {{"epoch", report.epoch},
                       {"loss", report.loss},
                       {"separation", report.separation},
                       {"collapsed", report.is_collapsed}};
    if (report.dev)
        json["dev"] = *report.dev;
    return json;
}

EpochReport report_of(const base::Json& json)
{
    EpochReport report;
    report.epoch = json.at("epoch").get<std::size_t>();
    report.loss = json.at("loss").get<double>();
    report.separation = json.at("separation").get<double>();
    if (json.contains("dev"))
        report.dev = json.at("dev").get<double>();
    report.is_collapsed = json.at("collapsed").get<bool>();
    return report;
}

const TrainSettings& checked(const TrainSettings& settings, const Corpus& corpus)
{
    require_possible(settings, corpus.pairs());
    return settings;
}

} // namespace

base::Json to_json(const TrainSettings& settings)
{
    const paragram::Architecture& architecture = settings.architecture;
    return {{"model", base::name_in(paragram::kind_names, architecture.kind)},
            {"activation", base::name_in(paragram::activation_names, architecture.activation)},
            {"inputs", architecture.inputs},
            {"outputs", architecture.outputs},
            {"layers", architecture.layers},
            {"margin", settings.margin},
            {"negatives", base::name_in(negatives_names, settings.negatives)},
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
        throw base::UsageError("--optim: '{}' is none of adam and adagrad", settings.optimiser);
    if (settings.batch < 2)
        throw base::UsageError("--batch: a batch of {} pairs has no negative examples",
                               settings.batch);
    if (settings.l2_words * optimiser.base_rate() >= 1)
        throw base::UsageError(
            "--l2-words: {} times the rate {} is not below 1: every step would throw the words "
            "beyond where they began",
            settings.l2_words, optimiser.base_rate());
    if (pairs < 2)
        throw base::UsageError("--pairs: there {} to train on; two are needed at least",
                               pairs == 1 ? "is one pair" : "is no pair");
    if (settings.fixed_words && settings.architecture.kind == paragram::Kind::word)
        throw base::UsageError("--fixed-words: the model 'word' has nothing else to train");
}

bool may_be_checkpoint(const std::filesystem::path& file)
{
    if (!std::filesystem::exists(file))
        return true;
    return base::MappedFile(file).bytes().starts_with(fmt::format("{{\"{}\":", checkpoint_member));
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
    const ModelState start = stepper_.state();
    base::Json key = to_json(settings);
    key["pairs"] = fingerprint_of(corpus.tokens) + fingerprint_of(corpus.begin) +
                   fingerprint_of(corpus.scores);
    key["start"] = fingerprint_of(start.words) + fingerprint_of(settings.universal);
    key["dev"] = options_.dev != nullptr;
    key.erase("epochs"); // may be more when it is resumed
    key_ = base::fingerprint(base::to_text(key));
}

/// A line of JSON, then the bytes of the stepper and of the best model.
void Trainer::save()
{
    if (options_.checkpoint.empty())
        return;
    base::Json about = {{checkpoint_member, 1},
                        {"training", key_},
                        {"begin", begin_},
                        {"loss", loss_},
                        {"separation", separation_},
                        {"batches", batches_},
                        {"recent", base::Json::array()},
                        {"best_epoch", best_epoch_},
                        {"best_score", best_score_},
                        {"reports", base::Json::array()}};
    for (const BatchLoss& batch : recent_)
        about["recent"].push_back({batch.loss, batch.separation});
    for (const EpochReport& report : reports_)
        about["reports"].push_back(to_json(report));
    auto parts = stepper_.memory();
    parts.push_back(bytes_of(best_.words));
    parts.push_back(bytes_of(best_.parameters));
    base::Replacement file(options_.checkpoint);
    file.write(base::to_text(about) + "\n");
    for (const auto part : parts)
        file.write({part.data(), part.size()});
    file.commit();
}

bool Trainer::resume()
{
    if (options_.checkpoint.empty() || !std::filesystem::exists(options_.checkpoint))
        return false;
    const std::string name = options_.checkpoint.string();
    const base::MappedFile file(options_.checkpoint);
    std::string_view bytes = file.bytes();
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const base::Json about = base::Json::parse(bytes.substr(0, end), nullptr, false);
    if (!about.is_object() || !about.contains(checkpoint_member))
        throw base::Error("{}: is no checkpoint of a training; start without --resume", name);
    if (about.at("training") != key_)
        throw base::UsageError(
            "{}: is the checkpoint of another training: other pairs, start vectors or settings; "
            "go on with the same, or start without --resume",
            name);
    bytes.remove_prefix(end + 1);
    best_epoch_ = about.at("best_epoch").get<std::size_t>();
    if (best_epoch_ > 0)
        best_ = stepper_.state(); // for its sizes
    auto parts = stepper_.memory();
    parts.push_back(bytes_of(best_.words));
    parts.push_back(bytes_of(best_.parameters));
    std::size_t size = 0;
    for (const auto part : parts)
        size += part.size();
    if (bytes.size() != size)
        throw base::Error("{}: is cut short; start without --resume", name);
    for (const auto part : parts) {
        std::copy_n(bytes.begin(), part.size(), part.begin());
        bytes.remove_prefix(part.size());
    }
    for (const base::Json& report : about.at("reports"))
        reports_.push_back(report_of(report));
    for (const base::Json& batch : about.at("recent"))
        recent_.push_back({batch.at(0).get<double>(), batch.at(1).get<double>()});
    begin_ = about.at("begin").get<std::size_t>();
    loss_ = about.at("loss").get<double>();
    separation_ = about.at("separation").get<double>();
    batches_ = about.at("batches").get<std::uint64_t>();
    best_score_ = about.at("best_score").get<double>();
    if (reports_.size() + (begin_ > 0 ? 1 : 0) > settings_.epochs)
        throw base::UsageError("{}: has passed epoch {} already; take more --epochs, or start "
                               "without --resume",
                               name, settings_.epochs);
    return true;
}

ModelState Trainer::train()
{
    std::vector<std::uint32_t> order;
    while (reports_.size() < settings_.epochs) {
        shuffle(order);
        run_epoch(order);
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

void Trainer::run_epoch(std::span<const std::uint32_t> order)
{
    while (begin_ < order.size()) {
        if (options_.stop.stop_requested()) {
            save();
            throw base::Cancelled();
        }
        const std::size_t every = options_.checkpoint_every;
        const std::size_t batches =
            every == 0 ? Stepper::window
                       : std::min(Stepper::window, every - begin_ / settings_.batch % every);
        const std::size_t count = std::min(batches * settings_.batch, order.size() - begin_);
        const auto from = std::chrono::steady_clock::now();
        const auto losses = stepper_.run(order.subspan(begin_, count));
        spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
        trained_ += static_cast<double>(count);
        begin_ += count;
        for (const BatchLoss& batch : losses)
            add(batch);
        tell(order.size());
        if (every > 0 && begin_ < order.size() && begin_ / settings_.batch % every == 0)
            save();
    }
}

void Trainer::add(const BatchLoss& batch)
{
    ++batches_;
    if (!std::isfinite(batch.loss) || !std::isfinite(batch.separation))
        fail_diverged("the loss is no finite number");
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
    throw base::Error("epoch {}, minibatch {}: {}, so no model was written: the steps are too "
                      "large; {}",
                      reports_.size() + 1, batches_, what, advice);
}

void Trainer::tell(std::size_t of_epoch) const
{
    if (!options_.progress)
        return;
    TrainProgress progress;
    progress.epoch = reports_.size() + 1;
    progress.pairs = std::uint64_t{reports_.size()} * of_epoch + begin_;
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
    reports_.push_back(report);
    begin_ = 0;
    loss_ = separation_ = 0;
    batches_ = 0;
    recent_.clear();
    save();
    if (options_.finished_epoch)
        options_.finished_epoch(report);
}

} // namespace senteval::annex
