// train_command.hpp -- the arguments of `senteval train paragram`, and the files that it reads.
#pragma once

#include "annex/corpus.hpp"
#include "annex/model.hpp"
#include "annex/pair_file.hpp"
#include "annex/start_vectors.hpp"
#include "annex/trainer.hpp"
#include "base/json.hpp"
#include "task/task.hpp"

#include <CLI/App.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::annex {

/// Names of objectives, and whether their pairs are judged.
inline constexpr std::array<std::pair<std::string_view, bool>, 2> objective_names{{
    {"margin", false},
    {"similarity", true},
}};

struct TrainArguments {
    std::vector<std::string> pairs;
    std::string init;
    std::string model = "word";
    std::string activation = "tanh";
    std::size_t outputs = 0;
    std::size_t layers = 1;
    std::string output;
    std::string checkpoint; ///< empty: OUTPUT.checkpoint
    std::size_t checkpoint_every = 0;
    bool resume = false;
    std::vector<std::string> exclude_overlap;
    std::string data;
    std::string dev;
    std::string objective = "margin";
    std::string negatives; ///< empty: as fits the model
    TrainSettings settings;
    unsigned threads = 0;
    bool quiet = false;
};

/// Adds the options that fill `arguments`, which must live as long as the command.
void add_train_options(CLI::App& command, TrainArguments& arguments);

/// Throws base::UsageError where an option was given that has no effect beside the others.
void refuse_idle_options(const CLI::App& command, const TrainArguments& arguments);

/// The sentences of the tasks that are to be kept apart, and of those of the group "similarity" whose data is
/// there, which are counted. Throws base::UsageError on an unknown task or without the data of one to
/// be excluded.
EvaluatedSentences evaluated_sentences(const std::vector<std::string>& excluded,
                                       const std::filesystem::path& data);

/// The pairs of all files, and a note on them.
struct TrainingPairs {
    Corpus corpus;
    CorpusCounts counts;
    base::Json files = base::Json::array();
};

/// Says of every file what was read, and of what was left out why. `data` is the folder of the
/// evaluated sentences; it may be empty.
TrainingPairs read_training_pairs(const std::vector<PairSource>& sources,
                                  const StartVectors& vectors,
                                  const EvaluatedSentences& evaluated,
                                  const std::filesystem::path& data,
                                  const std::function<void(const std::string&)>& say);

/// Scores models on a development set: Pearson's r of the cosines with the scores of a file (two
/// sentences and a score, separated by TABs), or the metric devpearson, devacc, ... of a task with a
/// development part.
std::function<double(const ModelState& model)>
development_score(const std::string& name,
                  const std::filesystem::path& data,
                  const paragram::Architecture& architecture,
                  const Vocabulary& vocabulary,
                  const StartVectors& vectors,
                  unsigned threads,
                  const std::stop_token& stop);

} // namespace senteval::annex
