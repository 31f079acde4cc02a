// document.hpp -- all that a report shows, as plain values: whoever has results fills it in.
#pragma once

#include "core/nan.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace senteval::report {

struct Encoder {
    std::string name;     ///< shown everywhere; unique within the document
    std::string identity; ///< version and parameters, in words
    std::string fingerprint;
    std::size_t dimension = 0; ///< 0: unknown
};

struct Task {
    std::string name;
    std::string group;  ///< transfer, similarity, ...; tasks of a group stand together
    std::string metric; ///< path of the headline metric, such as "acc" or "all.pearson.wmean"
    std::string unit;   ///< of its axis, such as "accuracy, %" or "Pearson's r"
    std::string protocol;
    std::size_t items = 0; ///< test items; of the row that has the fewest
    std::size_t most_items =
        0; ///< of the one that has the most, where rows were tested on other sets
    int decimals = 2;
    bool higher_is_better = true;
    bool is_doubtful = false;     ///< whether the data of some result may not be the published set
    bool is_published_set = true; ///< whether figures published for the task compare with any here
    /// Difference that the comparisons could show (power 80 %, at the level they are judged at), in the
    /// metric's unit; NaN: unknown.
    double detectable = core::nan;
    std::string detectable_range = {}; ///< in words, where they differ: "0.39 to 1.91"
    std::string population = {};       ///< what the comparisons speak of, in words
    std::string score_population = {}; ///< what intervals of scores do, in words
};

/// A value with its interval; NaN: none.
struct Measured {
    double value = core::nan;
    double low = core::nan;
    double high = core::nan;

    [[nodiscard]] bool known() const { return !std::isnan(value); }
    [[nodiscard]] bool has_interval() const { return !std::isnan(low) && !std::isnan(high); }
};

/// One encoder on one task.
struct Cell {
    Measured score;          ///< unknown: not computed, or failed
    std::string failure;     ///< why it failed; empty otherwise
    bool is_partial = false; ///< some of what the score is of failed, or is damaged
    std::size_t items = 0;   ///< behind the interval
    bool best = false; ///< of its task, or of those that can be compared with it, by a verdict
    bool tied = false; ///< not told from the best by its test
    std::string not_comparable; ///< why it could not be tested; empty: it was, or is the best
    std::string doubts;         ///< why its data may not be the published set; empty: no doubt
    std::string trained_on =
        {}; ///< that its encoder was trained on test items; empty: not known to be
    std::string against =
        {}; ///< the encoder that it is compared with; empty: it is the best itself
    double p_versus_best = core::nan; ///< adjusted
    Measured difference = {};         ///< to the best, with the interval that goes with the p-value
    // Unknown, both, where there is no verdict.
    std::string undecided = {}; ///< why there is no verdict; empty where there is one
    std::vector<std::pair<std::string, double>> seconds; ///< by phase, in order
    /// Further metrics by path, such as "MSRpar.pearson": what published tables are compared with.
    std::map<std::string, double> metrics;

    /// Whether a verdict says that it is the best, or not told from it; and that it is worse.
    [[nodiscard]] bool is_near_best() const { return best || tied; }
    [[nodiscard]] bool is_told_from_best() const
    {
        return !std::isnan(p_versus_best) && !is_near_best();
    }

    /// Whether figures published for the task compare with this one.
    [[nodiscard]] bool is_of_published_set() const { return doubts.empty() && trained_on.empty(); }
};

/// One line of a plot: its name and a value at each position of the axis.
struct Series {
    std::string name;
    std::vector<Measured> values;
};

/// Scores on parts of a task's test set, by encoder.
struct Slices {
    std::string task;
    std::string by;   ///< "sentence length, tokens"
    std::string unit; ///< of the scores
    int decimals = 2;
    std::vector<std::string> parts;
    std::vector<std::size_t> items; ///< of each part
    std::vector<Series> encoders;
    std::string reference = {};           ///< the encoder that differences are to
    std::vector<Series> differences = {}; ///< of the encoders; unknown where there is none
    std::string note = {};                ///< whom intervals are about, and how not to read them
    bool is_doubtful = false;             ///< see Task
};

/// Scores of encoders brought to common dimensions.
struct DimensionCurves {
    std::string task;
    std::string projection; ///< "PCA", "random projection"
    std::string unit;
    int decimals = 2;
    std::vector<std::size_t> dimensions; ///< ascending
    std::vector<Series> encoders;
};

/// Correlations between tasks over encoders.
struct TaskCorrelations {
    std::vector<std::string> tasks;
    std::vector<double> r;      ///< tasks x tasks; NaN where undefined
    std::vector<std::size_t> n; ///< tasks x tasks: encoders
};

/// The same task measured in two ways: logistic regression and MLP, cosine and learned similarity.
struct SideBySide {
    std::string title;
    std::string left;
    std::string right;
    std::string unit;
    int decimals = 2;
    struct Row {
        std::string encoder;
        double left = core::nan;
        double right = core::nan;
        double left_rank =
            core::nan; ///< 1 for the best; NaN where it cannot be compared with the others
        double right_rank = core::nan;
    };
    std::vector<Row> rows;
};

/// Spread over seeds; the shares are variances, NaN where the design does not tell.
struct SeedSpread {
    std::string encoder;
    std::string task;
    std::size_t runs = 0;
    int decimals = 2;
    double mean = core::nan;
    double sd = core::nan;
    double encoder_seed = core::nan;
    double classifier_seed = core::nan;
    double interaction = core::nan;
    double test_sampling = core::nan;
    double training_set =
        core::nan; ///< where it was resampled; the others are variances of the runs on the whole
};

/// The items an encoder got most wrong.
struct WorstErrors {
    std::string task;
    std::string encoder;
    struct Row {
        std::string first;
        std::string second; ///< empty for single sentences
        std::string gold;
        std::string prediction;
    };
    std::vector<Row> rows;
    bool is_doubtful = false; ///< see Task
};

/// Published numbers, as printed.
struct PublishedTable {
    struct Column {
        std::string label;
        std::string task;   ///< the task's name here; empty: not among the tasks
        std::string metric; ///< path of the metric that was published
        double scale = 1;   ///< printed value * scale is in the metric's unit here

        /// Whether the values stand beside the task's own scores: they are of its metric, and its
        /// data is the published set.
        [[nodiscard]] bool compares_with(const Task& other) const
        {
            return task == other.name && metric == other.metric && other.is_published_set;
        }
    };
    struct Row {
        std::string name;
        std::vector<double> values; ///< one for each column; NaN: not given
        bool reference = false;     ///< stands beside the document's encoders, too
    };
    std::string title;
    std::string source;
    std::string note;
    int decimals = 1; ///< as printed
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Encoders by their mean rank over the tasks on each of which all of them can be compared. Others have
/// no rank anywhere in the report.
struct RankDiagram {
    std::string caption;
    std::vector<std::string> tasks;    ///< that ranks are over
    std::string left_out;              ///< who and what has no rank, and why; empty: nothing
    std::vector<std::string> encoders; ///< by mean rank
    std::vector<double> mean_ranks;
    std::vector<std::vector<double>> ranks; ///< [task][encoder]; ties and what is the same averaged
    std::vector<std::pair<std::size_t, std::size_t>>
        groups; ///< first and last of what is not told apart
};

/// Facts about where numbers come from: a heading and its lines.
struct Provenance {
    std::string title;
    std::vector<std::pair<std::string, std::string>> facts;
};

struct Document {
    std::string title = "Evaluation of sentence encoders";
    std::string subtitle; ///< date, program version
    std::vector<Encoder> encoders;
    std::vector<Task> tasks;
    std::vector<Cell> cells;          ///< encoders x tasks, encoder by encoder
    std::vector<std::string> verdict; ///< what can be said, a sentence each
    std::vector<std::string> warnings;
    std::vector<std::string> methods; ///< how intervals and tests were made, a sentence each
    std::vector<DimensionCurves> dimension_curves;
    TaskCorrelations correlations;
    RankDiagram ranks;
    std::vector<SideBySide> side_by_side;
    std::vector<SeedSpread> seeds;
    std::vector<Slices> slices;
    std::vector<WorstErrors> errors;
    std::vector<PublishedTable> published;
    std::vector<Provenance> provenance;

    [[nodiscard]] const Cell& cell(std::size_t encoder, std::size_t task) const
    {
        return cells[encoder * tasks.size() + task];
    }
};

} // namespace senteval::report
