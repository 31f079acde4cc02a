// clusters.hpp -- how well clusters agree with classes, from their contingency table.
#pragma once

#include "stats/statistic.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::measures {

/// How many items each class and each cluster have, and each pair of them that has any.
struct Contingency {
    /// Labels are any numbers; they are numbered anew, ascending. Throws base::Error where the lists differ in length or
    /// are empty.
    Contingency(std::span<const std::uint32_t> gold, std::span<const std::uint32_t> found);

    struct Cell {
        std::uint32_t gold = 0;
        std::uint32_t found = 0;
        double count = 0;
    };

    std::vector<double> gold, found;  ///< items of each class, of each cluster
    std::vector<Cell> cells;          ///< those that are not empty, by class and cluster
    std::vector<std::uint32_t> items; ///< the cell of each item
};

/// Entropies in natural logarithms: H of classes and clusters, I their mutual information.
struct ClusterMeasures {
    double homogeneity = 0;  ///< I / H(classes), 1 where that is 0 (Rosenberg & Hirschberg 2007)
    double completeness = 0; ///< I / H(clusters), 1 where that is 0
    /// Harmonic mean of both. Influences are the derivatives of V by the weight of each item, over the items' number.
    stats::Statistic v_measure;
    double adjusted_rand = 0; ///< Hubert & Arabie 1985
    /// (I - E) / ((H(classes) + H(clusters)) / 2 - E), E the mean of I over all tables with these margins (Vinh, Epps &
    /// Bailey 2010). Both adjusted measures are 1 for equal partitions, also where the formula has 0 / 0.
    double adjusted_mutual_information = 0;
};

ClusterMeasures cluster_measures(const Contingency& table);

} // namespace senteval::measures
