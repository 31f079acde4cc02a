// trainer.hpp -- training a paraphrastic sentence encoder (Wieting, Bansal, Gimpel and Livescu, ICLR 2016).
#pragma once

#include "annex/corpus.hpp"
#include "annex/start_vectors.hpp"
#include "annex/stepper.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::annex {

/// A finished epoch.
struct EpochReport {
    std::size_t epoch = 0;     ///< from 1
    double loss = 0;           ///< mean over its batches, while they were trained on
    double separation = 0;     ///< mean of 2 cos(x1, x2) - cos(x1, t1) - cos(x2, t2)
    std::optional<double> dev; ///< nothing where it is undefined, too
    bool is_best = false;
    /// Whether in its last batches the loss is twice the margin and the separation 0: all sentences have one
    /// vector, or none.
    bool is_collapsed = false;
};

struct TrainProgress {
    std::size_t epoch = 0; ///< from 1
    std::uint64_t pairs = 0;
    std::uint64_t of_pairs = 0; ///< of all epochs
    double loss = 0;            ///< of the last batches
    double pairs_per_second = 0;
    double seconds_left = 0;
};

struct TrainOptions {
    unsigned threads = 1; ///< the model does not depend on it
    std::stop_token stop;
    /// The score of a model on a development set, no number where it is undefined: the best epoch's is
    /// kept, the last one's where none has a score. Empty: the last one's.
    std::function<double(const ModelState& model)> dev;
    /// The file that keeps the state after every epoch, after `checkpoint_every` batches (0: not then), and where a
    /// stop is requested; empty: nowhere.
    std::filesystem::path checkpoint;
    std::size_t checkpoint_every = 0;
    std::function<void(const TrainProgress&)> progress;
    std::function<void(const EpochReport&)> finished_epoch;
};

/// Whether there is no such file, or it is a checkpoint of a training.
bool may_be_checkpoint(const std::filesystem::path& file);

class Trainer {
public:
    /// The references must outlive it. Throws base::UsageError for settings that cannot be.
    Trainer(const Corpus& corpus,
            const StartVectors& vectors,
            const TrainSettings& settings,
            TrainOptions options);

    /// Goes on from the checkpoint; false where there is none. Throws base::UsageError where it is of another
    /// training, or has passed the last epoch, and base::Error where it is none.
    bool resume();

    /// The model of the best epoch, or the last one without a development score: the same whether the training
    /// was resumed or not. Throws base::Error, naming the batch, where the loss or a parameter is no number any
    /// more, and base::Cancelled.
    ModelState train();

    [[nodiscard]] const std::vector<EpochReport>& reports() const { return reports_; }
    [[nodiscard]] std::size_t chosen_epoch() const ///< from 1; behind train()
    {
        return best_epoch_ > 0 ? best_epoch_ : reports_.size();
    }
    [[nodiscard]] double pairs_per_second() const ///< without development sets
    {
        return spent_ > 0 ? trained_ / spent_ : 0;
    }

private:
    void shuffle(std::vector<std::uint32_t>& order) const;
    void run_epoch(std::span<const std::uint32_t> order);
    void save();
    void add(const BatchLoss& batch);
    [[noreturn]] void fail_diverged(const char* what) const;
    void tell(std::size_t of_epoch) const;
    [[nodiscard]] double recent_loss() const;
    [[nodiscard]] bool is_collapsed() const;
    void finish_epoch();

    const Corpus& corpus_;
    TrainSettings settings_;
    TrainOptions options_;
    Stepper stepper_;
    std::string key_; ///< a fingerprint of all that the model depends on, but the number of epochs
    std::size_t begin_ = 0; ///< pairs of this epoch that are done
    double loss_ = 0;       ///< sum over the batches of this epoch
    double separation_ = 0;
    std::uint64_t batches_ = 0;
    std::deque<BatchLoss> recent_; ///< the last batches of this epoch
    std::vector<EpochReport> reports_;
    ModelState best_;
    double best_score_ = 0;
    std::size_t best_epoch_ = 0; ///< from 1; 0: none has a score
    double spent_ = 0;           ///< seconds
    double trained_ = 0;         ///< pairs
};

} // namespace senteval::annex
