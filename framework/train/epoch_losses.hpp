// epoch_losses.hpp -- the losses of an epoch's minibatches.
#pragma once

#include "core/json.hpp"
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

/// The last minibatches of an epoch.
class RecentLosses {
public:
    RecentLosses() = default;
    explicit RecentLosses(const core::Json& json)
    {
        for (const core::Json& batch : json)
            batches_.push_back({batch.at(0).get<double>(), batch.at(1).get<double>()});
    }

    /// For a checkpoint: what is said of an epoch does not depend on where the work was interrupted.
    [[nodiscard]] core::Json json() const
    {
        core::Json json = core::Json::array();
        for (const BatchLoss& batch : batches_)
            json.push_back({batch.loss, batch.separation});
        return json;
    }

    void add(const BatchLoss& batch)
    {
        batches_.push_back(batch);
        if (batches_.size() > most)
            batches_.pop_front();
    }
    void clear() { batches_.clear(); }

    /// The mean, where there are some.
    [[nodiscard]] double loss() const
    {
        double sum = 0;
        for (const BatchLoss& batch : batches_)
            sum += batch.loss;
        return sum / static_cast<double>(batches_.size());
    }

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
