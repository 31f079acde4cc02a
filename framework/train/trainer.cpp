#include "train/trainer.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "learn/random.hpp"
#include "train/checkpoint.hpp"
#include "train/epoch_losses.hpp"
#include "train/stepper.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace senteval::train {

namespace {

template <typename T>
std::string_view as_bytes(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

const TrainSettings& checked(const TrainSettings& settings, const Corpus& corpus)
{
    require_possible(settings, corpus.pairs());
    return settings;
}

core::Json to_json(const EpochReport& report)
{
    core::Json json = {
        {"epoch", report.epoch}, {"loss", report.loss}, {"separation", report.separation}};
    if (report.dev)
        json["dev"] = *report.dev;
    if (report.is_collapsed)
        json["collapsed"] = true;
    if (report.is_worse)
        json["worse"] = true;
    return json;
}

EpochReport report_of(const core::Json& json)
{
    EpochReport report;
    report.epoch = json.at("epoch").get<std::size_t>();
    report.loss = json.at("loss").get<double>();
    report.separation = json.at("separation").get<double>();
    if (json.contains("dev"))
        report.dev = json.at("dev").get<double>();
    report.is_collapsed = json.value("collapsed", false);
    report.is_worse = json.value("worse", false);
    return report;
}

} // namespace

class Trainer::Work {
public:
    Work(const Corpus& corpus,
         const StartVectors& vectors,
         const TrainSettings& settings,
         TrainOptions options)
        : corpus_(corpus),
          settings_(settings),
          options_(std::move(options)),
          stepper_(corpus, vectors, checked(settings, corpus), options_.threads)
    {
        const ModelState start = stepper_.state();
        first_step_ =
            train::first_step(settings, settings.fixed_words ? start.parameters : start.words);
        core::Json key = to_json(settings);
        key["pairs"] = core::fingerprint(as_bytes(corpus.tokens)) +
                       core::fingerprint(as_bytes(corpus.begin)) +
                       core::fingerprint(as_bytes(corpus.scores));
        key["start"] = core::fingerprint(as_bytes(start.words));
        key["universal"] = core::fingerprint(as_bytes(settings.universal));
        key["dev"] = options_.dev != nullptr;
        key.erase("epochs"); // may be more or fewer when it is resumed
        key_ = core::fingerprint(core::to_text(key));
    }

    bool resume()
    {
        const auto found =
            options_.checkpoint.empty() ? std::nullopt : read_checkpoint(options_.checkpoint);
        if (!found)
            return false;
        if (found->about.value("training", std::string()) != key_)
            throw core::UsageError(
                "{}: is the checkpoint of another training: other pairs, start vectors or "
                "settings; go on with the same, or start without --resume",
                options_.checkpoint.string());
        restore(*found);
        if (epoch_ > settings_.epochs || (epoch_ == settings_.epochs && begin_ > 0))
            throw core::UsageError("{}: has passed epoch {} already; take more --epochs, or start "
                                   "without --resume",
                                   options_.checkpoint.string(), settings_.epochs);
        return true;
    }

    ModelState train()
    {
        std::vector<std::uint32_t> order;
        while (epoch_ < settings_.epochs) {
            shuffle(order);
            run_epoch(order);
            finish_epoch();
        }
        return best_epoch_ > 0 ? std::move(best_) : stepper_.state();
    }

    [[nodiscard]] const std::vector<EpochReport>& reports() const { return reports_; }
    [[nodiscard]] std::size_t chosen_epoch() const
    {
        return best_epoch_ > 0 ? best_epoch_ : settings_.epochs;
    }
    [[nodiscard]] double pairs_per_second() const { return spent_ > 0 ? trained_ / spent_ : 0; }
    [[nodiscard]] double first_step() const { return first_step_; }

private:
    /// The order of the pairs depends on seed and epoch alone, so that nothing of it is to be kept.
    void shuffle(std::vector<std::uint32_t>& order) const
    {
        order.resize(corpus_.pairs());
        std::iota(order.begin(), order.end(), 0U);
        learn::NumpyRandom random(settings_.seed * 1'000'003U + static_cast<std::uint32_t>(epoch_));
        random.shuffle(order);
        if (order.size() % settings_.batch == 1) // it would be alone in its batch
            order.pop_back();
    }

    void run_epoch(const std::vector<std::uint32_t>& order)
    {
        while (begin_ < order.size()) {
            if (options_.stop.stop_requested()) {
                save();
                throw core::Cancelled();
            }
            std::size_t batches = Stepper::window;
            if (const std::size_t every = options_.checkpoint_every; every > 0)
                batches = std::min(batches, every - begin_ / settings_.batch % every);
            const std::size_t count = std::min(batches * settings_.batch, order.size() - begin_);
            const auto from = std::chrono::steady_clock::now();
            const auto losses = stepper_.run(std::span(order).subspan(begin_, count));
            spent_ +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
            trained_ += static_cast<double>(count);
            begin_ += count;
            const EpochTotals some = add(losses);
            tell(some, order.size());
            if (options_.checkpoint_every > 0 && begin_ < order.size() &&
                begin_ / settings_.batch % options_.checkpoint_every == 0)
                save();
        }
    }

    /// To the totals; those of these batches alone.
    EpochTotals add(std::span<const BatchLoss> losses)
    {
        EpochTotals some;
        for (const BatchLoss& batch : losses) {
            if (!std::isfinite(batch.loss) || !std::isfinite(batch.separation))
                fail_diverged(totals_.batches + 1, "the loss is no finite number");
            if (epoch_ == 0 && totals_.batches == 0)
                first_loss_ = batch.loss;
            some.add(batch);
            totals_.add(batch);
            recent_.add(batch);
        }
        return some;
    }

    /// Training is the same again, so that it can be had up to the last sound epoch.
    [[noreturn]] void fail_diverged(std::uint64_t batch, const char* what) const
    {
        std::string advice = "take a smaller lr in --optim, or --clip 1";
        if (epoch_ > 0)
            advice += fmt::format("; --epochs {} gives the last sound model", epoch_);
        throw core::Error("epoch {}, minibatch {}: {}, so no model was written: the steps are too "
                          "large; {}",
                          epoch_ + 1, batch, what, advice);
    }

    void tell(const EpochTotals& totals, std::size_t pairs) const
    {
        if (!options_.progress)
            return;
        TrainProgress progress;
        progress.epoch = epoch_ + 1;
        progress.pairs = std::uint64_t{epoch_} * pairs + begin_;
        progress.of_pairs = std::uint64_t{settings_.epochs} * pairs;
        progress.loss = totals.loss / static_cast<double>(totals.batches);
        progress.pairs_per_second = pairs_per_second();
        progress.seconds_left =
            static_cast<double>(progress.of_pairs - progress.pairs) / pairs_per_second();
        options_.progress(progress);
    }

    void finish_epoch()
    {
        if (!stepper_.is_finite())
            fail_diverged(totals_.batches, "a parameter is too large to compute with");
        EpochReport report;
        report.epoch = epoch_ + 1;
        report.loss = totals_.loss / static_cast<double>(totals_.batches);
        report.separation = totals_.separation / static_cast<double>(totals_.batches);
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
        report.is_collapsed = settings_.scores.empty() && recent_.are_collapsed(settings_.margin);
        constexpr double much = 1.25; // more than the first minibatch's chance
        report.is_worse =
            !report.is_collapsed && first_loss_ && recent_.loss() > much * *first_loss_;
        reports_.push_back(report);
        ++epoch_;
        begin_ = 0;
        totals_ = {};
        recent_.clear();
        save();
        if (options_.finished_epoch)
            options_.finished_epoch(report);
    }

    void save()
    {
        if (options_.checkpoint.empty())
            return;
        core::Json about = {{checkpoint_member, 1},
                            {"training", key_},
                            {"epoch", epoch_},
                            {"begin", begin_},
                            {"steps", stepper_.steps()},
                            {"loss", totals_.loss},
                            {"separation", totals_.separation},
                            {"batches", totals_.batches},
                            {"recent", recent_.json()},
                            {"best_epoch", best_epoch_},
                            {"best_score", best_score_},
                            {"has_best", !best_.words.empty()},
                            {"reports", core::Json::array()}};
        if (first_loss_)
            about["first_loss"] = *first_loss_;
        for (const EpochReport& report : reports_)
            about["reports"].push_back(to_json(report));
        write_checkpoint(options_.checkpoint, about,
                         [this](const std::function<void(std::string_view)>& sink) {
                             stepper_.save(sink);
                             sink(as_bytes(best_.words));
                             sink(as_bytes(best_.parameters));
                         });
    }

    void restore(const Checkpoint& checkpoint)
    {
        const core::Json& about = checkpoint.about;
        const std::size_t size = stepper_.saved_bytes();
        ModelState best;
        if (about.at("has_best").get<bool>())
            best = stepper_.state(); // for its sizes
        const std::size_t words = as_bytes(best.words).size();
        if (checkpoint.state.size() != size + words + as_bytes(best.parameters).size())
            throw core::Error("{}: has not the size it should have; start without --resume",
                              options_.checkpoint.string());
        epoch_ = about.at("epoch").get<std::size_t>();
        begin_ = about.at("begin").get<std::size_t>();
        totals_ = {about.at("loss").get<double>(), about.at("separation").get<double>(),
                   about.at("batches").get<std::uint64_t>()};
        recent_ = RecentLosses(about.value("recent", core::Json::array()));
        if (about.contains("first_loss")) // else an earlier version of the program wrote it
            first_loss_ = about.at("first_loss").get<double>();
        best_epoch_ = about.at("best_epoch").get<std::size_t>();
        best_score_ = about.at("best_score").get<double>();
        for (const core::Json& report : about.at("reports"))
            reports_.push_back(report_of(report));
        const std::string_view state = checkpoint.state;
        stepper_.load(state.substr(0, size), about.at("steps").get<std::uint64_t>());
        std::copy_n(state.data() + size, words, reinterpret_cast<char*>(best.words.data()));
        std::copy_n(state.data() + size + words, as_bytes(best.parameters).size(),
                    reinterpret_cast<char*>(best.parameters.data()));
        best_ = std::move(best);
    }

    const Corpus& corpus_;
    TrainSettings settings_;
    TrainOptions options_;
    Stepper stepper_;
    std::string key_; ///< of all that the model depends on
    std::size_t epoch_ = 0;
    std::size_t begin_ = 0; ///< pairs of the epoch that are done
    EpochTotals totals_;    ///< of the epoch
    RecentLosses recent_;
    std::optional<double> first_loss_; ///< of the very first minibatch
    double first_step_ = 0;
    std::vector<EpochReport> reports_;
    ModelState best_;
    double best_score_ = 0;
    std::size_t best_epoch_ = 0; ///< from 1; 0: none has a score
    double spent_ = 0;           ///< seconds
    double trained_ = 0;         ///< pairs
};

Trainer::Trainer(const Corpus& corpus,
                 const StartVectors& vectors,
                 const TrainSettings& settings,
                 TrainOptions options)
    : work_(std::make_unique<Work>(corpus, vectors, settings, std::move(options)))
{
}

Trainer::~Trainer() = default;

bool Trainer::resume()
{
    return work_->resume();
}

ModelState Trainer::train()
{
    return work_->train();
}

const std::vector<EpochReport>& Trainer::reports() const
{
    return work_->reports();
}

std::size_t Trainer::chosen_epoch() const
{
    return work_->chosen_epoch();
}

double Trainer::first_step() const
{
    return work_->first_step();
}

double Trainer::pairs_per_second() const
{
    return work_->pairs_per_second();
}

} // namespace senteval::train
