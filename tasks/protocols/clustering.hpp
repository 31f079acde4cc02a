// clustering.hpp -- do clusters of embeddings agree with classes?
#pragma once

#include "tasks/protocols/protocol.hpp"

#include <cstddef>
#include <optional>

namespace senteval::tasks {

/// MTEB's clustering (2.20): part "test" has a few of the rows, drawn by its reader (mteb_rows). Each level of labels is
/// clustered several times, on rows drawn with replacement.
struct BootstrapRules {
    std::size_t drawn = 16384;
    std::size_t clusterings = 10;
    std::size_t batch = 512;
    std::size_t levels = 0; ///< at most so many; 0: all
};

/// Part "test" (tested) with labels: all rows, by k-means with as many clusters as there are classes, at each seed.
/// Items: documents. Metrics, in per cent: v_measure, homogeneity, completeness, adjusted_rand,
/// adjusted_mutual_information.
Protocol clustering_protocol();

/// Part "test" (tested) with label_sets as levels. Metrics: v_measure over the documents, each counted once, a mean over
/// clusterings and levels; and MTEB's own, over the rows as they were drawn: mteb.v_measure, mteb.ami.
Protocol bootstrapped_clustering_protocol(const BootstrapRules& rules);

/// Several tested parts, clustered one by one by mini-batch k-means (MTEB's older sets). v_measure is the mean over parts.
Protocol clustering_of_sets_protocol();

/// Which of `rows` rows MTEB clusters, in its order: `most`, or the share, of them.
std::vector<std::uint32_t>
mteb_rows(std::size_t rows, double share, std::optional<std::size_t> most);

} // namespace senteval::tasks
