#include "compare/scoring.hpp"
#include "compare/views.hpp"
#include "stats/crossed.hpp"
#include "stats/variance_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace senteval::compare {
namespace {

using core::Json;

/// Rows of one encoder but for its seed, under one variant.
struct Siblings {
    std::string label;
    std::vector<std::size_t> rows; ///< by encoder seed
};

Siblings labelled(Siblings family, const Results& results)
{
    const auto label = [&](std::size_t row) { return results.rows()[row].label; };
    std::sort(family.rows.begin(), family.rows.end(),
              [&](std::size_t a, std::size_t b) { return label(a) < label(b); });
    family.label = label(family.rows.front());
    if (family.rows.size() > 1)
        family.label += fmt::format(" and {} with other seeds", family.rows.size() - 1);
    return family;
}

/// What a row is but for the seed of its encoder, and whether that stands there: a default does not.
struct SeededKind {
    std::string key;
    bool names_seed = false;
};

SeededKind seeded_kind(const Row& row)
{
    const auto runs = std::find_if(row.tasks.begin(), row.tasks.end(),
                                   [](const Runs& any) { return !any.empty(); });
    const Json& encoder = runs->front()->document.at("encoder");
    Json parameters = encoder.value("parameters", Json::object());
    const bool names_seed = parameters.erase("seed") > 0;
    return {fmt::format("{} {} {} {} {}", text_at(encoder, "/id"), encoder.value("version", ""),
                        parameters.dump(), row.projection, row.variant),
            names_seed};
}

std::vector<Siblings> families_of(const Results& results)
{
    std::vector<SeededKind> kinds;
    std::set<std::string> seeded;
    for (const Row& row : results.rows()) {
        kinds.push_back(seeded_kind(row));
        if (kinds.back().names_seed)
            seeded.insert(kinds.back().key);
    }
    std::map<std::string, Siblings> by_key;
    std::vector<std::string> order;
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        std::string key = kinds[row].key;
        if (!seeded.contains(key)) // equal parameters, and yet another encoder: other files
            key += " " + results.rows()[row].label;
        auto& family = by_key[key];
        if (family.rows.empty())
            order.push_back(key);
        family.rows.push_back(row);
    }
    std::vector<Siblings> families;
    families.reserve(order.size());
    for (const std::string& key : order)
        families.push_back(labelled(by_key[key], results));
    return families;
}

std::set<std::uint64_t> seeds_of(const Runs& runs)
{
    std::set<std::uint64_t> seeds;
    for (const run::Cell* cell : runs)
        seeds.insert(cell->document.at("protocol").at("settings").value("seed", std::uint64_t{0}));
    return seeds;
}

/// The cells of the family on the task, encoder seed by encoder seed.
std::vector<Runs> runs_of(const Results& results, const Siblings& family, std::size_t task)
{
    std::vector<Runs> all;
    for (const std::size_t row : family.rows)
        if (!results.rows()[row].tasks[task].empty())
            all.push_back(results.rows()[row].tasks[task]);
    return all;
}

bool is_balanced(const std::vector<Runs>& runs)
{
    return std::all_of(runs.begin(), runs.end(), [&](const Runs& other) {
        return seeds_of(other) == seeds_of(runs.front());
    });
}

report::SeedSpread spread_of(const std::vector<Runs>& runs,
                             const TaskComparison& task,
                             const stats::Resampling& resampling)
{
    std::vector<double> scores;
    std::vector<double> sampling_variances;
    for (const Runs& of_encoder_seed : runs)
        for (const run::Cell* cell : of_encoder_seed) {
            scores.push_back(score_of({cell}, task.metric).value);
            const auto fit = fit_of(*cell, task.metric, resampling);
            double variance = fit ? 0.0 : core::nan;
            if (fit)
                for (const double influence : fit->influence)
                    variance += influence * influence;
            sampling_variances.push_back(variance);
        }
    const auto parts = stats::variance_components(scores, sampling_variances, runs.size());
    report::SeedSpread spread;
    spread.task = task.task;
    spread.runs = scores.size();
    spread.decimals = task.metric.digits;
    spread.mean = parts.mean;
    spread.sd = parts.sd;
    spread.encoder_seed = parts.encoder;
    spread.classifier_seed = parts.classifier;
    spread.interaction = parts.interaction;
    spread.test_sampling = parts.test;
    return spread;
}

/// By training sets; NaN where the row was not resampled.
double variance_by_training_set(const Row& row,
                                std::size_t task,
                                const task::Metric& metric,
                                const stats::Resampling& resampling)
{
    const stats::Scored scored = scored_of(row, task, metric, resampling);
    if (scored.fits.empty() || scored.resampled.empty())
        return core::nan;
    const stats::Sources sources = sources_of(row.tasks[task].front()->items, metric);
    return stats::Crossed({&scored, 1}, sources, is_share(metric))
        .by_training_set(0)
        .value_or(core::nan);
}

} // namespace

std::vector<report::SeedSpread> seed_spreads(const Results& results,
                                             const Comparison& comparison,
                                             const stats::Resampling& resampling)
{
    std::vector<report::SeedSpread> all;
    const auto add = [&](const std::string& label, const TaskComparison& task,
                         const std::vector<Runs>& runs, const std::vector<std::size_t>& rows) {
        std::size_t count = 0;
        for (const Runs& of_encoder_seed : runs)
            count += of_encoder_seed.size();
        if (count < 2)
            return;
        all.push_back(spread_of(runs, task, resampling));
        all.back().encoder = label;
        double sum = 0; // of the rows, each another seed of the encoder
        for (const std::size_t row : rows)
            sum += variance_by_training_set(results.rows()[row], index_of(results, task.task),
                                            task.metric, resampling);
        all.back().training_set = sum / static_cast<double>(rows.size());
    };
    for (const Siblings& family : families_of(results))
        for (const TaskComparison& task : comparison.tasks) {
            const auto runs = runs_of(results, family, index_of(results, task.task));
            if (!runs.empty() && is_balanced(runs)) {
                add(family.label, task, runs, family.rows);
                continue;
            }
            for (const std::size_t row : family.rows)
                if (const Runs& own = results.rows()[row].tasks[index_of(results, task.task)];
                    !own.empty())
                    add(results.rows()[row].label, task, {own}, {row});
        }
    return all;
}

} // namespace senteval::compare
