// epoch_losses.hpp -- the losses of an epoch's minibatches.
#pragma once

#include "train/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace senteval::train {

/// Sums over minibatches, added one by one in their order, so that they do not depend on where the work
/// was interrupted.
struct EpochTotals {
    double loss = 0;
    double separation = 0;
    std::uint64_t batches = 0;

    void add(const BatchLoss& batch)
    {
        loss += batch.loss;
        separation += batch.separation;
        ++batches;
    }
};

/// The last minibatches of an epoch that this process has seen.
class RecentLosses {
public:
    void add(const BatchLoss& batch)
    {
        batches_.push_back(batch);
        if (batches_.size() > most)
            batches_.pop_front();
    }
    void clear() { batches_.clear(); }

    /// Dead or squashed states look so; minibatches of a training that goes well are hardly ever near
    /// it, and never all.
    [[nodiscard]] bool are_collapsed(double margin) const
    {
        const auto is_collapsed = [margin](const BatchLoss& batch) {
            return std::abs(batch.loss - 2 * margin) <= tolerance &&
                   std::abs(batch.separation) <= tolerance;
        };
        return !batches_.empty() && std::ranges::all_of(batches_, is_collapsed);
    }

private:
    static constexpr double tolerance = 0.02;
    static constexpr std::size_t most = 32;

    std::deque<BatchLoss> batches_;
};

} // namespace senteval::train
