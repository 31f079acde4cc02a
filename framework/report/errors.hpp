// errors.hpp -- the test items that encoders got most wrong, with their sentences.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace senteval::report {

/// The items an encoder got most wrong.
struct WorstErrors {
    struct Item {
        std::string first;
        std::string second; ///< empty for single sentences
        std::string gold;
        std::string prediction;
    };
    std::string task;
    std::string encoder;
    std::vector<Item> items;
    bool has_data_warning = false;
};

/// The sentences of a task, read from its data.
struct TaskTexts {
    struct Item {
        std::string first;
        std::string second; ///< empty for single sentences
    };
    base::Json files; ///< fingerprints, as a result has them (results::Data::files)
    std::function<Item(std::uint32_t item)> item;
    /// A document of the corpus that is searched; nothing where there is none.
    std::function<std::optional<std::string>(std::uint32_t document)> document;
    std::string folder; ///< that it was read from
};

/// Reads the data of a task, of each part at most `limit` items (0: all). Throws base::Error where it cannot.
using ReadTexts = std::function<TaskTexts(const std::string& task, std::size_t limit)>;

/// The `count` worst errors of every row on every task of the comparison that has items (of several
/// seeds, the first's). Classes: wrong ones, the most confident first. Scores: by the distance
/// between standardised prediction and standardised gold score, as Pearson's correlation sees it.
/// Where its sentences cannot be read, or are not those that the results were made from, `problems` says so and the
/// task is left out.
std::vector<WorstErrors> worst_errors(const compare::Results& results,
                                      const compare::Comparison& comparison,
                                      const ReadTexts& read,
                                      std::size_t count,
                                      std::vector<std::string>& problems);

/// Text for a terminal of so many columns: a block per task and row.
std::string errors_to_terminal(const std::vector<WorstErrors>& errors, std::size_t columns);

/// [{task, encoder, items: [{first, second, gold, prediction}]}]
base::Json errors_to_json(const std::vector<WorstErrors>& errors);

} // namespace senteval::report
