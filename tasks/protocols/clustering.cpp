#include "tasks/protocols/mteb.hpp"

#include "base/error.hpp"
#include "learn/kmeans.hpp"
#include "measures/clusters.hpp"
#include "tasks/protocols/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

using Rows = std::vector<std::uint32_t>;
using Labels = std::vector<std::uint32_t>;

constexpr std::uint32_t mteb_seed = 42; ///< of its draws of rows and of its k-means

std::size_t distinct(std::span<const std::uint32_t> labels)
{
    return std::set<std::uint32_t>(labels.begin(), labels.end()).size();
}

/// Returns the vectors of a part. Nothing is trained, so that a treatment is fitted on all of them.
learn::DesignMatrix matrix_of(const EmbeddedPart& part, embedding::Treatment treatment)
{
    const auto features = learn::Features::single(part.first);
    if (treatment == embedding::Treatment())
        return learn::DesignMatrix(features);
    return learn::DesignMatrix(
        features.normalised(features.fit(treatment, first_numbers(features.size()))));
}

/// Returns the cluster of every row, also of one from which the clusters were not found.
Labels clusters_of_all(const learn::DesignMatrix& matrix,
                       std::span<const std::uint32_t> drawn,
                       const learn::Clusters& clusters)
{
    constexpr std::uint32_t unknown = std::numeric_limits<std::uint32_t>::max();
    Labels labels(matrix.size(), unknown);
    for (std::size_t i = 0; i < drawn.size(); ++i)
        labels[drawn[i]] = clusters.labels[i];
    Rows left;
    for (std::uint32_t row = 0; row < labels.size(); ++row)
        if (labels[row] == unknown)
            left.push_back(row);
    if (left.empty())
        return labels;
    const learn::Points points(matrix, left);
    for (std::size_t i = 0; i < left.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (std::uint32_t c = 0; c < clusters.centres.size(); ++c)
            if (const double distance =
                    learn::squared_distance(clusters.centres[c], points[points.numbers()[i]]);
                distance < least) {
                least = distance;
                labels[left[i]] = c;
            }
    }
    return labels;
}

/// Appends a group of items with their classes and clusters.
void add_rows(results::Outcomes& outcomes,
              const std::string& group,
              const Rows& items,
              std::span<const std::uint32_t> gold,
              std::span<const std::uint32_t> found)
{
    const auto number = static_cast<std::uint32_t>(outcomes.groups.size());
    outcomes.groups.push_back(group);
    for (std::size_t i = 0; i < gold.size(); ++i)
        outcomes.rows.push_back(
            {items[i], number, static_cast<double>(gold[i]), static_cast<double>(found[i]), 0});
}

/// Stands beside numbers of mini-batch k-means, which other versions draw otherwise.
constexpr std::string_view of_sklearn = " (scikit-learn 1.4 to 1.8)";

results::Metric v_measure_metric(results::Over over, std::string_view made_by = {})
{
    return percent_metric("v_measure", fmt::format("V-measure{}", made_by),
                          {"v-measure", "", {}, over});
}

// ---- All rows ----

task::Result run_clustering(const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const EmbeddedPart embedded = embed(test, context);
    const auto phase = context.clock.phase("fit");
    const auto matrix = matrix_of(embedded, context.settings.treatment());
    const auto clusters =
        learn::kmeans(matrix, first_numbers(test.size()), distinct(test.labels),
                      moving_seed(context.settings), context.threads, context.stop);
    const auto found = measures::cluster_measures({test.labels, clusters.labels});
    task::Result result = untrained_result(context.settings, "cluster");
    result.details["clusters"] = clusters.centres.size();
    result.details["steps"] = clusters.steps;
    result.metrics = {{"v_measure", 100 * found.v_measure.value},
                      {"homogeneity", 100 * found.homogeneity},
                      {"completeness", 100 * found.completeness},
                      {"adjusted_rand", 100 * found.adjusted_rand},
                      {"adjusted_mutual_information", 100 * found.adjusted_mutual_information},
                      {"ntest", test.size()}};
    result.outcomes.classes = dataset.classes;
    add_rows(result.outcomes, "", first_numbers(test.size()), test.labels, clusters.labels);
    return result;
}

// ---- MTEB's samples ----

/// How many of so many rows are drawn before they are clustered; nothing where all are taken as they stand.
std::optional<std::uint32_t> drawn_of(std::size_t rows, const BootstrapRules& rules)
{
    if (!rules.share && !rules.most)
        return std::nullopt;
    const double share = rules.share.value_or(1) * static_cast<double>(rows);
    return static_cast<std::uint32_t>(
        std::min(rows, rules.most.value_or(static_cast<std::size_t>(share))));
}

/// MTEB's generator, after its draws for earlier parts.
learn::PythonRandom random_of(const BootstrapRules& rules)
{
    learn::PythonRandom random(mteb_seed);
    for (const auto& part : rules.earlier) {
        if (const auto drawn = drawn_of(part.at(0), rules))
            (void)random.sample(static_cast<std::uint32_t>(part.at(0)), *drawn);
        for (std::size_t run = 0; run < part.at(1) * rules.clusterings; ++run)
            (void)random.choices(1, rules.drawn); // takes as much as any other number of rows
    }
    return random;
}

/// Documents that have the level, and their classes at it.
struct Level {
    Rows rows;
    Labels gold;
};

Level level_of(const Part& test, std::size_t number)
{
    Level level;
    for (std::uint32_t row = 0; row < test.size(); ++row)
        if (test.label_sets[row].size() > number) {
            level.rows.push_back(row);
            level.gold.push_back(test.label_sets[row][number]);
        }
    return level;
}

std::size_t levels_of(const Part& test, const BootstrapRules& rules)
{
    std::size_t most = 0;
    for (const auto& labels : test.label_sets)
        most = std::max(most, labels.size());
    return rules.levels == 0 ? most : std::min(most, rules.levels);
}

void add_mean(base::Json& metrics, const std::string& name, const std::vector<double>& values)
{
    double mean = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    metrics[name] = mean;
    metrics[name + "_std"] = std::sqrt(squares / static_cast<double>(values.size()));
}

task::Result
run_bootstraps(const BootstrapRules& rules, const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const EmbeddedPart embedded = embed(test, context);
    const auto phase = context.clock.phase("fit");
    const auto matrix = matrix_of(embedded, context.settings.treatment());
    learn::PythonRandom random = random_of(rules);
    if (test.drawn_from > 0) // goes on from where the draw of the rows left it
        (void)random.sample(static_cast<std::uint32_t>(test.drawn_from),
                            static_cast<std::uint32_t>(test.size()));
    task::Result result = untrained_result(context.settings, "cluster");
    result.outcomes.classes = dataset.classes;
    for (std::size_t run = 0; run < rules.clusterings; ++run)
        result.outcomes.further.push_back({fmt::format("clustering {}", run + 1), {}});
    std::vector<double> v_measures;
    std::vector<double> informations;
    double documents = 0;
    for (std::size_t number = 0; number < levels_of(test, rules); ++number) {
        const Level level = level_of(test, number);
        const std::size_t count = distinct(level.gold);
        for (std::size_t run = 0; run < rules.clusterings; ++run) {
            const Rows places =
                random.choices(static_cast<std::uint32_t>(level.rows.size()), rules.drawn);
            const Rows drawn = reordered<std::uint32_t>(level.rows, places);
            const auto clusters = learn::mini_batch_kmeans(matrix, drawn, count, rules.batch,
                                                           mteb_seed, context.stop);
            const Labels gold = reordered<std::uint32_t>(level.gold, places);
            const auto found = measures::cluster_measures({gold, clusters.labels});
            v_measures.push_back(found.v_measure.value);
            informations.push_back(found.adjusted_mutual_information);
            const Labels all = clusters_of_all(matrix, drawn, clusters);
            const Labels here = reordered<std::uint32_t>(all, level.rows);
            auto& series = result.outcomes.further[run].predictions;
            series.insert(series.end(), here.begin(), here.end());
            documents += measures::cluster_measures({level.gold, here}).v_measure.value;
            if (run == 0)
                add_rows(result.outcomes, fmt::format("level {}", number), level.rows, level.gold,
                         here);
        }
    }
    result.metrics["v_measure"] = 100 * documents / static_cast<double>(v_measures.size());
    add_mean(result.metrics["mteb"], "v_measure", v_measures);
    add_mean(result.metrics["mteb"], "ami", informations);
    result.metrics["ntest"] = test.size();
    result.details["v_measures"] = v_measures;
    result.details["ami_scores"] = informations;
    return result;
}

// ---- Sets ----

task::Result run_sets(const Dataset& dataset, task::Context& context)
{
    constexpr std::size_t batch = 500;
    task::Result result = untrained_result(context.settings, "cluster");
    result.outcomes.classes = dataset.classes;
    std::vector<double> v_measures;
    std::uint32_t first_item = 0;
    for (const Part& part : dataset.parts) {
        const EmbeddedPart embedded = embed(part, context);
        const auto phase = context.clock.phase("fit");
        Labels found(part.size());
        if (const std::size_t count = distinct(part.labels); count > 1)
            found = learn::mini_batch_kmeans(matrix_of(embedded, context.settings.treatment()),
                                             first_numbers(part.size()), count, batch, mteb_seed,
                                             context.stop)
                        .labels;
        v_measures.push_back(measures::cluster_measures({part.labels, found}).v_measure.value);
        Rows items(part.size());
        std::iota(items.begin(), items.end(), first_item);
        add_rows(result.outcomes, part.name, items, part.labels, found);
        first_item += static_cast<std::uint32_t>(part.size());
    }
    result.metrics["v_measure"] = mean_percent(v_measures);
    add_mean(result.metrics["mteb"], "v_measure", v_measures);
    result.metrics["ntest"] = first_item;
    result.details["v_measures"] = v_measures;
    return result;
}

} // namespace

Protocol clustering_protocol()
{
    return {"k-means of all embeddings, as many clusters as classes",
            {v_measure_metric(results::Over::items), percent_metric("homogeneity", "homogeneity"),
             percent_metric("completeness", "completeness"),
             percent_metric("adjusted_rand", "adjusted Rand index"),
             percent_metric("adjusted_mutual_information", "adjusted mutual information")},
            run_clustering,
            [](const task::Settings& settings) {
                return base::Json{{"protocol", "clustering"},
                                  {"normalise", embedding::name(settings.normalise)},
                                  {"seed", moving_seed(settings)}};
            }};
}

Protocol bootstrapped_clustering_protocol(const BootstrapRules& rules)
{
    results::Metric metric = v_measure_metric(results::Over::groups, of_sklearn);
    metric.source.series = "clustering";
    metric.source.fits = rules.clusterings;
    const auto mteb = [](const char* path, const char* title) {
        return results::Metric{path, fmt::format("{}{}", title, of_sklearn), "share", 4, true};
    };
    return {"mini-batch k-means of rows drawn with replacement, several times, by level of labels",
            {metric, mteb("mteb.v_measure", "V-measure of drawn rows"),
             mteb("mteb.ami", "adjusted mutual information of drawn rows")},
            std::bind_front(run_bootstraps, rules),
            [rules](const task::Settings& settings) {
                base::Json json = mteb_settings(settings, "clustering-bootstrapped");
                json.update({{"drawn", rules.drawn},
                             {"clusterings", rules.clusterings},
                             {"batch", rules.batch},
                             {"levels", rules.levels}});
                if (!rules.earlier.empty())
                    json["earlier"] = rules.earlier;
                return json;
            }};
}

Protocol clustering_of_sets_protocol()
{
    return {
        "mini-batch k-means of each set",
        {v_measure_metric(results::Over::groups, of_sklearn)},
        run_sets,
        [](const task::Settings& settings) { return mteb_settings(settings, "clustering-sets"); }};
}

std::vector<std::uint32_t> mteb_rows(std::size_t rows, const BootstrapRules& rules)
{
    if (const auto drawn = drawn_of(rows, rules))
        return random_of(rules).sample(static_cast<std::uint32_t>(rows), *drawn);
    return first_numbers(rows);
}

} // namespace senteval::tasks
