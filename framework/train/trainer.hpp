// trainer.hpp -- training a paraphrastic sentence encoder (Wieting, Bansal, Gimpel and Livescu, ICLR 2016).
#pragma once

#include "train/corpus.hpp"
#include "train/sentence_encoder.hpp"
#include "train/start_vectors.hpp"
#include "train/train_settings.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::train {

/// A finished epoch.
struct EpochReport {
    std::size_t epoch = 0;     ///< from 1
    double loss = 0;           ///< mean over its batches, while they were trained on
    double separation = 0;     ///< mean of 2 cos(x1, x2) - cos(x1, t1) - cos(x2, t2)
    std::optional<double> dev; ///< nothing where it is undefined, too
    bool is_best = false;
    /// In its last batches the loss is twice the margin and the separation 0: all sentences have one
    /// vector, or none.
    bool is_collapsed = false;
    /// In its last batches the loss is higher, by a quarter and more, than in the very first batch, before
    /// any step. Not told of one that is collapsed.
    bool is_worse = false;
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
    std::filesystem::path checkpoint; ///< empty: none is written
    std::size_t checkpoint_every = 0; ///< batches; 0: at the end of every epoch only
    /// The score of a model on a development set, no number where it is undefined: the best epoch's is
    /// kept, the last one's where none has a score. Empty: the last one's.
    std::function<double(const ModelState& model)> dev;
    std::function<void(const TrainProgress&)> progress;
    std::function<void(const EpochReport&)> finished_epoch;
};

class Trainer {
public:
    /// The references must outlive it. Throws core::UsageError for settings that cannot be.
    Trainer(const Corpus& corpus,
            const StartVectors& vectors,
            const TrainSettings& settings,
            TrainOptions options);
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;
    Trainer(Trainer&&) = delete;
    Trainer& operator=(Trainer&&) = delete;
    ~Trainer();

    /// Goes on from the checkpoint, if there is one: returns whether. Throws core::UsageError where it
    /// is of another training, not only of more or fewer epochs, or has passed the last epoch;
    /// core::Error where it is damaged.
    bool resume();

    /// Trains to the end. Where a stop is requested, writes a checkpoint and throws core::Cancelled;
    /// where the loss or a parameter is no number any more, core::Error that names the batch. The model
    /// of the best epoch, or of the last one without a development set.
    ModelState train();

    [[nodiscard]] const std::vector<EpochReport>& reports() const;
    [[nodiscard]] std::size_t chosen_epoch() const; ///< from 1

    /// How far the very first step may move a trained value, in units of what these values are to begin
    /// with (root mean square; of the words, or of the other parameters where words are fixed). Far above
    /// 1 nothing is left of them. 0: it is not known.
    [[nodiscard]] double first_step() const;
    [[nodiscard]] double
    pairs_per_second() const; ///< of this process, without checkpoints and development sets

private:
    class Work;
    std::unique_ptr<Work> work_;
};

} // namespace senteval::train
