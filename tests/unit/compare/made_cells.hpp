// made_cells.hpp -- cells of a store, made up in a test.
#pragma once

#include "base/json.hpp"
#include "results/metric.hpp"
#include "results/store.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace senteval::test {

/// acc, devacc, pearson, spearman, mse, all.pearson.wmean and other.pearson (of the series "other").
std::vector<results::Metric> usual_metrics();

struct MadeCell {
    std::string encoder = "glove";
    std::string task = "CR";
    std::string headline = "acc";
    base::Json metrics = {{"acc", 75.0}};
    std::vector<results::Metric> described = usual_metrics();
    base::Json settings = {{"protocol", "nested"}, {"seed", 1111}};
    base::Json parameters = base::Json::object();
    std::size_t dimension = 100;
    std::size_t projected_to = 0; ///< 0: the vectors were scored as they are
    results::Items items;
};

/// A document with all that readers want, and the items.
results::Cell made(const MadeCell& cell);

/// 200 items, of which `right` are right, the others wrong; trained, under a seed.
MadeCell trained(const std::string& encoder, int right, int seed);

/// Of a task that trains nothing: of `items` items the first `right` are right.
results::Cell untrained(const std::string& encoder,
                        const std::string& task,
                        std::size_t items,
                        std::size_t right);

/// Of a task that trains nothing: pairs with gold and predicted scores, and what pearson, spearman and mse are of them.
results::Cell scored(const std::string& encoder,
                     const std::string& task,
                     const std::vector<std::pair<double, double>>& gold_and_prediction);

/// Classes "no" (0) and "yes" (1): gold and prediction of each item; every item has `tokens` tokens.
results::Items class_items(const std::vector<std::pair<int, int>>& gold_and_prediction,
                           const std::vector<std::uint32_t>& tokens);

/// Pairs with gold and predicted scores, of the groups given by number.
results::Items pair_items(const std::vector<std::pair<double, double>>& gold_and_prediction,
                          const std::vector<std::uint32_t>& groups);

} // namespace senteval::test
