#include "tasks/protocols/similarity.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "embedding/normalise.hpp"
#include "stats/correlation.hpp"
#include "tasks/protocols/shared.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

/// Sum of term(0) ... term(n - 1), in eight lanes so that it can be vectorised.
template <typename Term>
double sum(std::size_t n, Term term)
{
    std::array<double, 8> lanes{};
    std::size_t i = 0;
    for (; i + lanes.size() <= n; i += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            lanes[lane] += term(i + lane);
    double total = 0;
    for (; i < n; ++i)
        total += term(i);
    for (const double lane : lanes)
        total += lane;
    return total;
}

double dot(std::span<const float> u, std::span<const float> v)
{
    return sum(u.size(), [&](std::size_t i) { return double{u[i]} * double{v[i]}; });
}

double cosine(std::span<const float> u, std::span<const float> v)
{
    // One root of the product, not two: equal vectors then have a similarity of exactly 1, so equal
    // pairs are tied for Spearman instead of ranked by rounding errors.
    const double lengths = std::sqrt(dot(u, u) * dot(v, v));
    return lengths > 0 ? dot(u, v) / lengths : 0.0;
}

bool is_zero(std::span<const float> vector)
{
    return std::ranges::all_of(vector, [](float value) { return value == 0; });
}

/// The user's similarity, or the cosine: SentEval's tasks take it whatever the encoder states.
task::Similarity chosen(const task::Settings& settings)
{
    return settings.similarity.value_or(task::Similarity::cosine);
}

/// Returns what the user's function says of the pair of that place in its part.
double similarity_by(const SimilarityFunction& function,
                     std::span<const float> u,
                     std::span<const float> v,
                     std::size_t pair)
{
    const double value = function(u, v);
    if (!std::isfinite(value))
        throw base::Error("the similarity function gave {} for pair {}", value, pair + 1);
    return value;
}

struct Compared {
    std::vector<double> chosen; ///< by the user's similarity or function, in file order
    PairSimilarities all;
};

/// Compares the pairs of a part; by `function` where it is given.
Compared compare(const Part& part, task::Context& context, const SimilarityFunction& function)
{
    const EmbeddedPart pairs = embed(part, context);
    const auto phase = context.clock.phase("score");
    const auto treatment = context.settings.treatment();
    PairSimilarities all = pair_similarities(part, pairs, treatment);
    std::vector<double> values = all.of(chosen(context.settings));
    if (function)
        each_pair(pairs, treatment, [&](std::size_t i, auto u, auto v) {
            values[part.order[i]] = similarity_by(function, u, v, part.order[i]);
        });
    return {std::move(values), std::move(all)};
}

/// Adds what MTEB says of pairs: the correlations of its three similarities.
base::Json mteb_correlations(const PairSimilarities& found, std::span<const double> gold)
{
    base::Json metrics;
    for (const auto& [name, values] :
         {std::pair("cosine", &found.mteb_cosine),
          std::pair("euclidean", &found.of(task::Similarity::euclidean)),
          std::pair("manhattan", &found.of(task::Similarity::manhattan))}) {
        metrics[std::string(name) + "_pearson"] = stats::pearson(*values, gold).r;
        metrics[std::string(name) + "_spearman"] = stats::spearman(*values, gold).r;
    }
    return metrics;
}

void append(std::vector<double>& to, std::span<const double> values)
{
    to.insert(to.end(), values.begin(), values.end());
}

struct Correlations {
    stats::Correlation pearson;
    stats::Correlation spearman;
};

Correlations correlate(std::span<const double> similarity_of, std::span<const double> gold)
{
    return {stats::pearson(similarity_of, gold), stats::spearman(similarity_of, gold)};
}

base::Json to_json(const Correlations& found)
{
    return {{"pearson", found.pearson.r},
            {"spearman", found.spearman.r},
            {"pearson_p", found.pearson.p_value},
            {"spearman_p", found.spearman.p_value}};
}

base::Json aggregate(std::span<const double> by_subset, std::span<const double> sizes, double all)
{
    const std::vector<double> equal(by_subset.size(), 1.0);
    return {{"mean", stats::weighted_mean(by_subset, equal)},
            {"wmean", stats::weighted_mean(by_subset, sizes)},
            {"all", all}};
}

task::Result correlate_subsets(const SimilarityFunction& function,
                               const Dataset& dataset,
                               task::Context& context)
{
    task::Result result = untrained_result(context.settings, "score");
    std::vector<double> pearson, spearman, sizes, all_scores;
    Compared all;
    for (const Part& part : dataset.parts) {
        const Compared here = compare(part, context, function);
        const auto phase = context.clock.phase("score");
        const Correlations found = correlate(here.chosen, part.scores);
        result.metrics[part.name] = to_json(found);
        result.metrics[part.name]["nsamples"] = part.size();
        pearson.push_back(found.pearson.r);
        spearman.push_back(found.spearman.r);
        sizes.push_back(static_cast<double>(part.size()));
        append(all_scores, part.scores);
        append(all.chosen, here.chosen);
        append(all.all.mteb_cosine, here.all.mteb_cosine);
        for (std::size_t kind = 0; kind < all.all.by_kind.size(); ++kind)
            append(all.all.by_kind[kind], here.all.by_kind[kind]);
        add_group(result.outcomes, part.name, part.scores, here.chosen);
    }
    const auto phase = context.clock.phase("score");
    const Correlations found = correlate(all.chosen, all_scores);
    result.metrics["all"] = {{"pearson", aggregate(pearson, sizes, found.pearson.r)},
                             {"spearman", aggregate(spearman, sizes, found.spearman.r)}};
    result.metrics["mteb"] = mteb_correlations(all.all, all_scores);
    return result;
}

task::Result
correlate_split(const SimilarityFunction& function, const Dataset& dataset, task::Context& context)
{
    task::Result result = untrained_result(context.settings, "score");
    if (const Part* dev = dataset.find("dev")) {
        const Compared here = compare(*dev, context, function);
        const auto phase = context.clock.phase("score");
        const Correlations found = correlate(here.chosen, dev->scores);
        result.metrics = {{"devpearson", found.pearson.r},
                          {"devspearman", found.spearman.r},
                          {"ndev", dev->size()}};
    }
    const Part& test = dataset.part("test");
    const Compared here = compare(test, context, function);
    const auto phase = context.clock.phase("score");
    result.metrics.update(to_json(correlate(here.chosen, test.scores)));
    result.metrics["ntest"] = test.size();
    result.metrics["mteb"] = mteb_correlations(here.all, test.scores);
    add_group(result.outcomes, "", test.scores, here.chosen);
    return result;
}

/// Pearson's and Spearman's correlation at path(name of the correlation).
template <typename Path>
void describe(std::vector<results::Metric>& metrics,
              Path path,
              const std::vector<std::string>& groups,
              results::Over over = results::Over::items)
{
    metrics.push_back(
        correlation_metric(path("pearson"), "Pearson's r", {"pearson", "", groups, over}));
    metrics.push_back(
        correlation_metric(path("spearman"), "Spearman's ρ", {"spearman", "", groups, over}));
}

std::vector<results::Metric> describe_subsets(std::span<const std::string> subsets)
{
    std::vector<results::Metric> metrics;
    const auto aggregate = [&](const std::string& name, results::Over over) {
        describe(
            metrics, [&](const std::string& r) { return "all." + r + "." + name; }, {}, over);
    };
    aggregate("wmean", results::Over::weighted_groups);
    aggregate("mean", results::Over::groups);
    aggregate("all", results::Over::items);
    for (const std::string& subset : subsets)
        describe(metrics, [&](const std::string& r) { return subset + "." + r; }, {subset});
    return metrics;
}

std::vector<results::Metric> describe_split()
{
    std::vector<results::Metric> metrics;
    describe(metrics, [](const std::string& r) { return r; }, {});
    metrics.push_back(correlation_metric("devpearson", "development Pearson's r"));
    metrics.push_back(correlation_metric("devspearman", "development Spearman's ρ"));
    return metrics;
}

/// Settings of the protocol; `custom` where the similarity is a function of the caller's.
base::Json similarity_settings(bool custom, const task::Settings& settings)
{
    const auto name = base::name_in(task::similarity_names, chosen(settings));
    return {{"protocol", "similarity"},
            {"similarity", custom ? "custom" : name},
            {"normalise", embedding::name(settings.normalise)}};
}

using Correlate = task::Result(const SimilarityFunction&, const Dataset&, task::Context&);

Protocol protocol_of(std::vector<results::Metric> metrics,
                     Correlate& correlate,
                     const SimilarityFunction& function)
{
    return {"similarity of each pair, correlated with the gold scores; nothing is trained",
            std::move(metrics), std::bind_front(correlate, function),
            std::bind_front(similarity_settings, function != nullptr)};
}

} // namespace

double similarity(task::Similarity kind, std::span<const float> u, std::span<const float> v)
{
    const auto difference = [&](std::size_t i) { return double{u[i]} - double{v[i]}; };
    switch (kind) {
    case task::Similarity::cosine:
        return cosine(u, v);
    case task::Similarity::dot:
        return dot(u, v);
    case task::Similarity::euclidean:
        return -std::sqrt(
            sum(u.size(), [&](std::size_t i) { return difference(i) * difference(i); }));
    case task::Similarity::manhattan:
        break;
    }
    return -sum(u.size(), [&](std::size_t i) { return std::abs(difference(i)); });
}

PairSimilarities
pair_similarities(const Part& part, const EmbeddedPart& pairs, embedding::Treatment treatment)
{
    PairSimilarities result;
    for (auto& values : result.by_kind)
        values.resize(part.size());
    result.mteb_cosine.resize(part.size());
    each_pair(pairs, treatment, [&](std::size_t i, auto u, auto v) {
        const std::size_t pair = part.order[i];
        for (const auto& [name, kind] : task::similarity_names)
            result.by_kind[static_cast<std::size_t>(kind)][pair] = similarity(kind, u, v);
        const int zeros = (is_zero(u) ? 1 : 0) + (is_zero(v) ? 1 : 0);
        result.mteb_cosine[pair] =
            zeros == 0 ? result.of(task::Similarity::cosine)[pair] : zeros / 2.0;
        result.without_cosine += zeros > 0 ? 1 : 0;
    });
    return result;
}

Protocol subset_similarity(std::span<const std::string> subsets, const SimilarityFunction& function)
{
    return protocol_of(describe_subsets(subsets), correlate_subsets, function);
}

Protocol split_similarity(const SimilarityFunction& function)
{
    return protocol_of(describe_split(), correlate_split, function);
}

} // namespace senteval::tasks
