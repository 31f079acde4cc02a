// kmeans.hpp -- clusters of points: k-means, and the mini-batch k-means that MTEB scores clusterings by.
#pragma once

#include "learn/design_matrix.hpp"
#include "learn/points.hpp"
#include "learn/random.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

/// Points are rows of a design matrix, the features without the 1; a row may be listed several times. The
/// functions below read all rows at once (a matrix that does not store its rows forms them). There is at least
/// one point and one centre. Both are in single precision, and so is the search for the nearest centre.
struct Clusters {
    std::vector<std::uint32_t>
        labels; ///< of each row of the list: its nearest centre, the first of equals
    Centres centres;
    double inertia = 0;    ///< sum of the squared distances to the nearest centre
    std::size_t steps = 0; ///< updates of the centres
};

/// Greedy k-means++ (Arthur and Vassilvitskii 2007, with 2 + ln k trials for each centre) as scikit-learn does it
/// since 1.3: rows of the matrix to begin with.
std::vector<std::uint32_t> seed_centres(const DesignMatrix& matrix,
                                        std::span<const std::uint32_t> rows,
                                        std::size_t count,
                                        NumpyRandom& random,
                                        unsigned threads = 1);

/// Lloyd's algorithm from seed_centres(), until no label changes or the inertia falls by less than 1e-5 of
/// itself, at most 300 times. A cluster without points begins again at the point farthest from its centre. The
/// result does not depend on the number of threads. Throws base::Cancelled soon after a stop was requested.
Clusters kmeans(const DesignMatrix& matrix,
                std::span<const std::uint32_t> rows,
                std::size_t count,
                std::uint32_t seed,
                unsigned threads,
                const std::stop_token& stop = {});

/// scikit-learn's MiniBatchKMeans(count, batch_size=batch, n_init=1, random_state=seed) of 1.3 to 1.8, on float32.
/// Labels are its own but for near ties, which its sums and ours round differently.
Clusters mini_batch_kmeans(const DesignMatrix& matrix,
                           std::span<const std::uint32_t> rows,
                           std::size_t count,
                           std::size_t batch,
                           std::uint32_t seed,
                           const std::stop_token& stop = {});

} // namespace senteval::learn
