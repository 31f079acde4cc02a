// simulation -- measures levels and power of the comparisons; run by hand, a short form is a test.
//
//     simulation self STORE           the same encoder against itself; the store has one, with 60 seeds
//     simulation apart STORE...       one seed against one, by what the other stores, an encoder each, tell of seeds
//     simulation family [STORE]       equal encoders against the best of them: made up, or groups of a store's
//                                     seeds under common numbers
//     simulation seeds                equal encoders of few seeds, beside others that vary less
//     simulation pairs                equal encoders on few pairs of sentences, tested by signs
//     simulation swap STORE STORE [N] exact nulls of every metric, from two encoders' predictions; N draws
//     simulation training [STORE]     equally good encoders, fresh training sets; a store of training_sets.sh
//     simulation power                the power at the difference that is printed as detectable
//     simulation table STORE...       data/seed_variance.toml, of stores with an encoder each
#include "few_pairs.hpp"
#include "few_seeds.hpp"
#include "nulls.hpp"
#include "several_seeds.hpp"
#include "training_sets.hpp"

#include "compare/prospect.hpp"
#include "compare/scoring.hpp"
#include "compare/seed_table.hpp"
#include "run/store.hpp"
#include "stats/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

const std::vector<std::string> further = {"f1", "spearman", "mse", "range.pearson"};

/// What the table knows of the encoder itself, and what it would expect did it not have it.
std::pair<std::optional<stats::SeedVariance>, std::optional<stats::SeedVariance>>
known_of(const test::Seeds& seeds)
{
    double score = 0;
    for (const stats::Fit& fit : seeds.fits)
        score += fit.value / static_cast<double>(seeds.fits.size());
    for (const auto& one : compare::seed_table().measurements)
        if (one.task == seeds.task && one.metric == seeds.metric.path &&
            (one.classifier == "softmax" || one.classifier.empty()))
            return {one.of_encoder(seeds.kind, score, seeds.norm),
                    compare::seed_table().expected(&one, {}, seeds.norm)};
    return {};
}

stats::SeedVariance own_of(const test::Seeds& seeds)
{
    const stats::Scored row{seeds.fits, {}, {}};
    return *stats::Crossed({&row, 1}, seeds.sources, false).by_seed(0);
}

void self(const std::string& store)
{
    fmt::print("{:<18}{:<15}{:>8}{:>14}{:>14}{:>14}{:>14}{:>8}{:>8}   per cent told apart\n",
               "task", "metric", "1 : 1", "of the table", "as any other", "2 : 2, table",
               "as any other", "5 : 5", "10 : 10");
    for (const auto& seeds : test::read_seeds(store, further)) {
        constexpr std::size_t draws = 10000;
        const auto percent = [&](std::size_t each, std::optional<stats::SeedVariance> by_seed) {
            return 100 * test::self_rejections(seeds, each, draws, by_seed);
        };
        const auto by_table = [&](std::size_t each, const auto& by_seed) {
            return by_seed ? fmt::format("{:.1f}", percent(each, by_seed)) : "-";
        };
        const auto [of_encoder, of_others] = known_of(seeds);
        fmt::print("{:<18}{:<15}{:>8.1f}{:>14}{:>14}{:>14}{:>14}{:>8.1f}{:>8.1f}\n", seeds.task,
                   seeds.metric.path, percent(1, own_of(seeds)), by_table(1, of_encoder),
                   by_table(1, of_others), by_table(2, of_encoder), by_table(2, of_others),
                   percent(5, {}), percent(10, {}));
    }
}

/// What would be expected of the encoder, had the table the others alone.
void apart(const std::vector<std::string>& stores)
{
    std::map<std::string, std::vector<std::pair<std::string, test::Seeds>>> tasks;
    for (const std::string& store : stores)
        for (auto& seeds : test::read_seeds(store))
            tasks[seeds.task].emplace_back(store, std::move(seeds));
    for (const auto& [task, encoders] : tasks) {
        double sum = 0;
        double sum_of_two = 0;
        double count = 0;
        for (const auto& [store, seeds] : encoders) {
            std::vector<compare::MeasuredEncoder> others;
            for (const auto& [other, of_other] : encoders)
                if (other != store)
                    others.push_back({{}, 0, own_of(of_other), of_other.norm});
            const auto expected = compare::seed_table().expected(nullptr, others, seeds.norm);
            if (!expected) {
                fmt::print("{:<18}{:<40}none has vectors of like length\n", task, store);
                continue;
            }
            const double share = test::self_rejections(seeds, 1, 0, expected);
            const double of_two = test::self_rejections(seeds, 2, 1000, expected);
            ++count;
            sum += share;
            sum_of_two += of_two;
            fmt::print(
                "{:<18}{:<40}variance {:.3g}, expected {:.3g} with freedom {:.1f}: {:.1f} %, "
                "two each {:.1f} %\n",
                task, store, own_of(seeds).total, expected->total, expected->freedom, 100 * share,
                100 * of_two);
        }
        fmt::print("{:<18}mean of {} encoders: {:.1f} %, two each {:.1f} %\n", task, count,
                   100 * sum / count, 100 * sum_of_two / count);
    }
}

void made_up_family()
{
    // Seeds make 7 % of the variance of a mean of three, and a third.
    for (const auto& [by_seed, rows] :
         {std::pair(0.25, 2U), {0.25, 8U}, {0.25, 20U}, {1.625, 2U}, {1.625, 8U}, {1.625, 20U}}) {
        const auto null = test::family(rows, 0, 300, 3, 6000, by_seed);
        fmt::print("{} equal encoders, variance by seed {}: some one worse {:.1f} %\n", rows,
                   by_seed, 100 * null.false_verdicts);
        for (const double shift : {2.0, 3.0, 4.0}) {
            const auto shifted = test::family(rows, shift, 300, 3, 2000, by_seed);
            fmt::print(
                "    one that is worse by {} standard errors is found {:.1f} %, by Holm over all "
                "pairs {:.1f} %, and told from any other {:.1f} %\n",
                shift, 100 * shifted.found, 100 * shifted.found_by_holm_from_best,
                100 * shifted.found_by_holm);
        }
    }
}

void family(const std::string& store)
{
    constexpr std::size_t draws = 1000;
    for (const auto& seeds : test::read_seeds(store)) {
        const auto print = [&](std::size_t each, const std::string& what,
                               const std::optional<stats::SeedVariance>& by_seed) {
            fmt::print("{:<18}{:>2} seeds{}, some one worse of", seeds.task, each, what);
            for (const std::size_t groups : {2, 5, 8, 20})
                if (2 * groups * each <= seeds.fits.size()) // else draws would be much the same
                    fmt::print("  {}: {:.1f} %", groups,
                               100 * test::family_rejections(seeds, groups, each, draws, by_seed));
            fmt::print("\n");
            std::fflush(stdout);
        };
        const auto [of_encoder, of_others] = known_of(seeds);
        for (const std::size_t each : {1, 2, 3}) {
            if (of_encoder)
                print(each, " and the table's", of_encoder);
            if (of_others)
                print(each, " and the table's of others", of_others);
        }
        for (const std::size_t each : {2, 3, 5, 10})
            print(each, "", {});
    }
}

void few_seeds()
{
    for (const double times : {1.0, 9.0})
        for (const auto& [count, seeds] :
             {std::pair(4U, 1U), {4U, 2U}, {4U, 3U}, {4U, 5U}, {8U, 3U}, {20U, 3U}, {20U, 5U}})
            for (const auto& [quiet, quiet_seeds] :
                 {std::pair(0U, 1U), {1U, 20U}, {8U, 20U}, {8U, 5U}}) {
                if (seeds == 1 && quiet == 0)
                    continue; // no verdict
                const double share = test::few_seeds_rejections({count, seeds, times},
                                                                {quiet, quiet_seeds, 1}, 1000);
                fmt::print("{:>2} rows of {} seeds that vary {} times as much as {} of {} seeds: "
                           "some one told from "
                           "another {:.1f} %\n",
                           count, seeds, times, quiet, quiet_seeds, 100 * share);
                std::fflush(stdout);
            }
}

void few_pairs()
{
    constexpr std::size_t draws = 1000;
    for (const std::size_t freedom : {0, 3})
        for (const std::size_t pairs : {15, 25, 50, 100, 199})
            for (const char* metric : {"pearson", "spearman", "mse"}) {
                fmt::print("{:>3} pairs, {} noise, {:<8} some one worse of", pairs,
                           freedom == 0 ? "normal" : "t(3)", metric);
                for (const std::size_t rows : {2, 8, 20})
                    fmt::print("  {}: {:.1f} %", rows,
                               100 *
                                   test::few_pairs_rejections(rows, pairs, metric, freedom, draws));
                fmt::print("\n");
                std::fflush(stdout);
            }
}

/// The tasks and metrics of which both stores have predictions, with the runs of their only encoders.
template <typename Visit>
void for_each_shared(const std::string& first, const std::string& second, Visit visit)
{
    std::vector<std::string> problems;
    const compare::Results a(run::Store(first).load_all(problems));
    const compare::Results b(run::Store(second).load_all(problems));
    for (std::size_t task = 0; task < a.tasks().size(); ++task)
        for (const task::Metric& metric : a.metrics(task)) {
            const auto other = std::find(b.tasks().begin(), b.tasks().end(), a.tasks()[task]);
            if (stats::find_statistic(metric.source.statistic) == nullptr ||
                other == b.tasks().end() || !metric.source.series.empty())
                continue;
            fmt::print("{:<18}{:<20}", a.tasks()[task], metric.path);
            visit(a.rows().front().tasks[task],
                  b.rows().front().tasks[static_cast<std::size_t>(other - b.tasks().begin())],
                  metric);
            fmt::print("\n");
            std::fflush(stdout);
        }
}

void swap(const std::string& first, const std::string& second, std::size_t draws)
{
    for_each_shared(
        first, second,
        [&](const compare::Runs& a, const compare::Runs& b, const task::Metric& metric) {
            for (const std::size_t items : {30, 300, 0}) {
                const auto null =
                    test::swap_rejections(*a.front(), *b.front(), metric, items, draws);
                fmt::print("  {} items: {:.1f} %", items == 0 ? "all" : std::to_string(items),
                           100 * null.rejections);
                if (!std::isnan(null.williams))
                    fmt::print(" (Williams {:.1f} %)", 100 * null.williams);
            }
        });
}

void several_seeds(const std::string& first, const std::string& second)
{
    for_each_shared(
        first, second,
        [&](const compare::Runs& a, const compare::Runs& b, const task::Metric& metric) {
            for (const std::size_t items : {50, 0})
                for (const std::size_t seeds : {3, 5, 10})
                    fmt::print(
                        "  {} items, {} seeds: {:.1f} %",
                        items == 0 ? "all" : std::to_string(items), seeds,
                        100 * test::swapped_seeds_rejections(a, b, metric, items, seeds, 1000));
        });
}

void made_up_several_seeds()
{
    constexpr std::size_t draws = 1000;
    for (const std::size_t seeds : {3, 5, 10, 20}) {
        fmt::print("{:>2} seeds each, told apart: mean squares with t(3) errors", seeds);
        for (const std::size_t items : {40, 300})
            fmt::print("  {} items {:.1f} %", items,
                       100 * test::long_tailed_rejections(items, seeds, 0, draws));
        for (const double stretch : {0.07, 0.2, 0.4}) {
            fmt::print("; stretched by {}", stretch);
            for (const std::size_t items : {40, 250, 1000})
                fmt::print("  {} items {:.1f} %", items,
                           100 * test::long_tailed_rejections(items, seeds, stretch, draws));
        }
        for (const double accuracy : {0.97, 0.99}) {
            fmt::print("; accuracy {}", accuracy);
            for (const std::size_t items : {60, 150, 400})
                fmt::print("  {} items {:.1f} %", items,
                           100 * test::few_errors_rejections(items, seeds, accuracy, draws));
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
}

void training(const std::vector<std::string>& stores)
{
    for (const std::string& store : stores)
        for (const auto& sets : test::compare_training_sets(store))
            fmt::print("{}, {} training sets: items alone {:.1f} %, with halves {:.1f} %\n",
                       sets.name, sets.sets, 100 * sets.by_items, 100 * sets.by_halves);
    if (!stores.empty())
        return;
    for (const std::size_t size : {100, 300, 1000}) {
        fmt::print("training sets of {}: told apart by the items alone {:.1f} %, with", size,
                   100 * test::training_rejections(size, 0, 1000));
        for (const std::size_t halves : {5, 6, 7, 8, 9, 10, 20})
            fmt::print(" {} halves {:.1f} %,", halves,
                       100 * test::training_rejections(size, halves, 1000));
        for (const std::size_t halves : {10, 20})
            fmt::print(" some one of 8 with {} halves {:.1f} %,", halves,
                       100 * test::training_rejections(size, halves, 1000, 8));
        fmt::print("\n");
    }
}

void power()
{
    for (const auto& [items, seeds, by_seed] : {std::tuple(200U, 3U, 0.0),
                                                {200U, 3U, 0.01},
                                                {200U, 3U, 0.04},
                                                {200U, 5U, 0.01},
                                                {200U, 5U, 0.04},
                                                {1000U, 10U, 0.002}}) {
        fmt::print("{} items, {} seeds, variance by seed {}: power", items, seeds, by_seed);
        for (const std::size_t rows : {2U, 8U}) { // at the level of one pair of so many rows'
            const std::size_t pairs = rows * (rows - 1) / 2;
            const double at = test::level / static_cast<double>(pairs);
            fmt::print(" {:.1f} %",
                       100 * test::power_at_detectable(items, seeds, by_seed, 2000, at));
        }
        fmt::print("\n");
    }
}

std::string numbers(const std::vector<double>& values)
{
    std::vector<std::string> texts;
    for (const double value : values)
        texts.push_back(fmt::format("{:.4g}", value));
    return fmt::format("[{}]", fmt::join(texts, ", "));
}

void print(const compare::SeedMeasurement& m)
{
    std::vector<std::string> kinds;
    std::vector<double> scores;
    std::vector<double> seeds;
    std::vector<double> by_seed;
    std::vector<double> beside_items;
    std::vector<double> along;
    std::vector<double> norms;
    for (const compare::MeasuredEncoder& one : m.encoders) {
        kinds.push_back(fmt::format("'{}'", one.kind));
        scores.push_back(one.score);
        seeds.push_back(one.by_seed.freedom + 1);
        by_seed.push_back(one.by_seed.total);
        beside_items.push_back(one.by_seed.beside_items);
        along.push_back(one.by_seed.along);
        norms.push_back(one.norm);
    }
    fmt::print("[[measurement]]\ntask = \"{}\"\nmetric = \"{}\"\nclassifier = \"{}\"\n"
               "headline = {}\nunit = \"{}\"\ndigits = {}\nsettings = '{}'\nitems = {}\n"
               "encoders = [{}]\nscores = {}\nseeds = {}\nby_seed = {}\nbeside_items = {}\n"
               "along = {}\nnorms = {}\nitem_deviations = {}\n\n",
               m.task, m.metric, m.classifier, m.headline, m.unit, m.digits, m.settings, m.items,
               fmt::join(kinds, ", "), numbers(scores), numbers(seeds), numbers(by_seed),
               numbers(beside_items), numbers(along), numbers(norms), numbers(m.item_deviations));
}

void table(const std::vector<std::string>& stores)
{
    std::vector<run::Cell> cells;
    std::vector<std::string> problems;
    for (const std::string& store : stores)
        for (run::Cell& cell : run::Store(store).load_all(problems))
            cells.push_back(std::move(cell));
    const compare::Results results(std::move(cells));
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        for (const task::Metric& metric : results.metrics(task)) {
            if (const auto m = compare::measure(results, task, metric); m && !m->encoders.empty())
                print(*m);
        }
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    const std::string what = words.empty() ? "" : words[0];
    const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
    if (what == "self" && rest.size() == 1)
        self(rest[0]);
    else if (what == "apart" && rest.size() > 1)
        apart(rest);
    else if (what == "family" && rest.empty())
        made_up_family();
    else if (what == "family" && rest.size() == 1)
        family(rest[0]);
    else if (what == "seeds" && rest.empty())
        few_seeds();
    else if (what == "pairs" && rest.empty())
        few_pairs();
    else if (what == "swap" && (rest.size() == 2 || rest.size() == 3))
        swap(rest[0], rest[1], rest.size() == 3 ? std::stoul(rest[2]) : 1000);
    else if (what == "several" && rest.empty())
        made_up_several_seeds();
    else if (what == "several" && rest.size() == 2)
        several_seeds(rest[0], rest[1]);
    else if (what == "training")
        training(rest);
    else if (what == "power")
        power();
    else if (what == "table" && !rest.empty())
        table(rest);
    else {
        fmt::print(stderr,
                   "simulation self|apart|family|seeds|several|pairs|swap|training|power|table "
                   "[STORE...]\n");
        return 2;
    }
    return 0;
}
