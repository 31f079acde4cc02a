// shared.hpp -- what protocols share: the embeddings of a part, halves of training parts, settings as result files have
// them, and whether a classifier was trained far enough.
#pragma once

#include "base/json.hpp"
#include "embedding/embeddings.hpp"
#include "embedding/normalise.hpp"
#include "learn/features.hpp"
#include "learn/settings.hpp"
#include "learn/validation.hpp"
#include "measures/search.hpp"
#include "task/settings.hpp"
#include "task/task.hpp"
#include "tasks/dataset.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace senteval::tasks {

/// Sentence i is that of item part.order[i]. Lives as long as the session's embeddings do.
struct EmbeddedPart {
    embedding::Embeddings first;
    embedding::Embeddings second; ///< no store for single sentences

    /// `form` is for pairs.
    [[nodiscard]] learn::Features features(learn::PairForm form) const
    {
        return second.store == nullptr ? learn::Features::single(first)
                                       : learn::Features::pair(first, second, form);
    }
};

/// Embeds the sentences of a part, in the phase "embed".
EmbeddedPart embed(const Part& part, task::Context& context);

/// Appends a group of test items, which follow those of the groups before: what the data says of each (empty: 0), and
/// the value that was found, which lists of items show, too.
void add_group(results::Outcomes& outcomes,
               const std::string& name,
               std::span<const double> gold,
               std::span<const double> found);

/// A part as the learn room sees it, and what keeps that alive. `view` is made of the features and of
/// the part's labels or scores (`targets`), both in the order of evaluation.
template <typename View, typename Target, std::vector<Target> Part::*targets>
struct LearnPart {
    LearnPart(const Part& part,
              task::Context& context,
              learn::PairForm form = learn::PairForm::difference_product)
        : embedded(embed(part, context)),
          ordered(reordered<Target>(part.*targets, part.order)),
          view{embedded.features(form), ordered}
    {
    }
    LearnPart(const LearnPart&) = delete;
    LearnPart& operator=(const LearnPart&) = delete;
    LearnPart(LearnPart&&) = delete;
    LearnPart& operator=(LearnPart&&) = delete;
    ~LearnPart() = default;

    EmbeddedPart embedded;
    std::vector<Target> ordered;
    View view;
};

/// Fits a treatment on the vectors of all lists: nothing is trained that could be fitted on a training part.
embedding::Normaliser fit_on_all(embedding::Treatment treatment,
                                 std::initializer_list<const embedding::Embeddings*> lists);

/// Calls `visit` with the number of each pair and its two vectors, under a normalisation fitted on all of them (Eger,
/// Rücklé & Gurevych 2019, section 3, note 1).
void each_pair(
    const EmbeddedPart& pairs,
    embedding::Treatment treatment,
    const std::function<void(std::size_t, std::span<const float>, std::span<const float>)>& visit);

/// A result without numbers of a protocol that trains nothing, whose outcomes are of that kind. Its details say where a
/// normalisation saw the test items.
task::Result untrained_result(const task::Settings& settings, const std::string& kind);

/// The `count` nearest vectors of `documents` to each of `queries`, under the settings' normalisation and similarity.
/// `by_id`: see measures::Documents. Throws base::UsageError where the similarity is a distance.
class Nearest {
public:
    Nearest(const embedding::Embeddings& queries,
            const embedding::Embeddings& documents,
            const task::Context& context);

    [[nodiscard]] std::vector<std::vector<measures::Hit>>
    among_all(std::span<const std::uint32_t> by_id, std::size_t count) const;

    /// Returns the hits of one query. `among`: documents, those that count more where scores are equal last.
    [[nodiscard]] std::vector<measures::Hit>
    among(std::span<const std::uint32_t> among, std::size_t query, std::size_t count) const;

private:
    const embedding::Embeddings& documents_;
    std::size_t dimension_;
    embedding::Normaliser normaliser_;
    std::vector<float> queries_;
    measures::Similarity similarity_;
    unsigned threads_;
};

/// 0, 1, ... count - 1.
std::vector<std::uint32_t> first_numbers(std::size_t count);

/// `features` of a task with few training items, whose training part fits the normalisation. Throws base::UsageError
/// where there are several to choose from.
learn::Features features_by_training(const learn::Features& features,
                                     const learn::Features& training,
                                     const task::Settings& settings);

/// Settings of a protocol as MTEB (2.26) has it, with the version since which MTEB's numbers are these: 2.26 changed those
/// of similarities. The similarity itself where the protocol has one.
base::Json
mteb_settings(const task::Settings& settings, const char* protocol, bool has_similarity = false);

/// The seed of protocols after MTEB that are fitted once for a result, and of those that are fitted anew at each
/// seed: both begin with MTEB's 42 where the user says nothing.
std::uint32_t fixed_seed(const task::Settings& settings);
std::uint32_t moving_seed(const task::Settings& settings);

/// A value in per cent, or a correlation; more is better. Without a source no statistic of the outcomes gives it.
results::Metric
percent_metric(const std::string& path, const std::string& title, results::Source source = {});
results::Metric
correlation_metric(const std::string& path, const std::string& title, results::Source source = {});

/// A mean of values of the items, each in [0, 1], in per cent; `fits`: see results::Source.
results::Metric mean_metric(const std::string& path,
                            const std::string& title,
                            std::string series = {},
                            std::size_t fits = 0);

/// 100 times the mean.
double mean_percent(std::span<const double> values);

/// Says of each of `count` items whether it is in the random half of that number (half of them rounded
/// down, drawn without replacement). The same for every encoder and seed. Half 2 is the complement of half 1
/// (but for an item left over), half 4 that of half 3, and so on.
std::vector<bool> half_of(std::size_t count, std::uint32_t number);

/// The part that is learned from under the settings: itself, or its half in the same order.
class TrainingPart {
public:
    TrainingPart(const Part& whole, const task::Settings& settings);

    [[nodiscard]] const Part& operator*() const noexcept { return half_ ? *half_ : whole_; }

private:
    const Part& whole_;
    std::optional<Part> half_;
};

/// Says in protocol settings which half is learned from; nothing where it is the whole.
void add_resample(base::Json& json, const task::Settings& settings);

/// Returns the settings of the classifier that have an effect on it.
base::Json to_json(const learn::Settings& settings);

/// Returns the name of one normalisation, or a list of the names of several.
base::Json to_json(std::span<const embedding::Normalisation> normalisations);

/// Says in the details which of several normalisations was chosen; nothing where there is no choice.
void add_choice(base::Json& details,
                std::span<const embedding::Normalisation> normalisations,
                std::size_t chosen);

/// Sentences for the user; none where all is well. `items` are those that a tested model learned from.
///
/// The network heads stop soon after the dev score does, however few steps that took, and a step of Adam
/// and its like moves a weight by no more than about the learning rate. So steps times learning rate is
/// how far weights can have come from their start. Below 1 they have not arrived: on parts of CR and TREC
/// with 50 to 1600 items (GloVe, the default settings, 28 to 960 steps) softmax regression was 2 to 28
/// points behind the convex classifier, on 8 of 11 of them more than 5.
std::vector<std::string> training_warnings(const learn::Validation& found,
                                           const learn::Settings& settings,
                                           std::size_t items);

} // namespace senteval::tasks
