// train_arguments.hpp -- what `senteval train paragram` is told.
#pragma once

#include "train/trainer.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace senteval::host {

/// What is minimised, and whether the pairs are judged then.
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
    train::TrainSettings settings;
    unsigned threads = 0;
    bool quiet = false;
};

/// Adds the options that fill `arguments`, which must live as long as the command.
void add_train_options(CLI::App& command, TrainArguments& arguments);

/// Throws core::UsageError where an option was given that has no effect beside the others.
void refuse_idle_options(const CLI::App& command, const TrainArguments& arguments);

} // namespace senteval::host
