// made_cells.hpp -- cells of a store, made up in a test.
#pragma once

#include "core/json.hpp"
#include "run/store.hpp"
#include "task/metric.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace senteval::test {

/// acc, devacc, pearson, spearman, mse, all.pearson.wmean and other.pearson (of the series "other").
std::vector<task::Metric> usual_metrics();

struct MadeCell {
    std::string encoder = "glove";
    std::string task = "CR";
    std::string headline = "acc";
    core::Json metrics = {{"acc", 75.0}};
    std::vector<task::Metric> described = usual_metrics();
    core::Json settings = {{"protocol", "nested"}, {"seed", 1111}};
    core::Json parameters = core::Json::object();
    std::size_t dimension = 100;
    std::size_t projected_to = 0; ///< 0: the vectors were scored as they are
    run::Items items;
};

/// A document with all that readers want, and the items.
run::Cell made(const MadeCell& cell);

/// 200 items, of which `right` are right, the others wrong; trained, under a seed.
MadeCell trained(const std::string& encoder, int right, int seed);

/// Of a task that trains nothing: of `items` items the first `right` are right.
run::Cell untrained(const std::string& encoder,
                    const std::string& task,
                    std::size_t items,
                    std::size_t right);

/// Of a task that trains nothing: pairs with gold and predicted scores, and what pearson, spearman and mse are of them.
run::Cell scored(const std::string& encoder,
                 const std::string& task,
                 const std::vector<std::pair<double, double>>& gold_and_prediction);

/// Classes "no" (0) and "yes" (1): gold and prediction of each item; every item has `tokens` tokens.
run::Items class_items(const std::vector<std::pair<int, int>>& gold_and_prediction,
                       const std::vector<std::uint32_t>& tokens);

/// Pairs with gold and predicted scores, of the groups given by number.
run::Items pair_items(const std::vector<std::pair<double, double>>& gold_and_prediction,
                      const std::vector<std::uint32_t>& groups);

} // namespace senteval::test
