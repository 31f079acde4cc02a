#include "learn/kmeans.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace senteval::learn {

namespace {

/// Ends when the mean inertia of a batch, smoothed, has had no new minimum for ten steps.
class Patience {
public:
    Patience(std::size_t batch, std::size_t rows)
        : share_(std::min(1.0, 2.0 * static_cast<double>(batch) / static_cast<double>(rows + 1)))
    {
    }

    bool ends(double inertia)
    {
        if (++steps_ == 1)
            return false;
        smoothed_ = steps_ == 2 ? inertia : smoothed_ * (1 - share_) + inertia * share_;
        waited_ = smoothed_ < least_ ? 0 : waited_ + 1;
        least_ = std::min(least_, smoothed_);
        return waited_ == 10;
    }

private:
    double share_;
    std::size_t steps_ = 0;
    std::size_t waited_ = 0;
    double smoothed_ = 0;
    double least_ = std::numeric_limits<double>::infinity();
};

class MiniBatches {
public:
    MiniBatches(const DesignMatrix& matrix,
                std::span<const std::uint32_t> rows,
                std::size_t count,
                std::size_t batch,
                std::uint32_t seed)
        : points_(matrix, rows),
          centres_(count, matrix.inputs()),
          counts_(count, 0.0F),
          random_(seed),
          batch_(std::min(batch, rows.size())),
          label_of_(points_.size()),
          distance_of_(points_.size()),
          step_of_(points_.size())
    {
        std::size_t sample = 3 * batch_;
        if (sample < count)
            sample = 3 * count;
        sample = std::min(sample, rows.size());
        draw_integers(
            sample); // scikit-learn's validation rows, which one initialisation has no use for
        std::vector<std::uint32_t> seeds;
        if (sample < rows.size()) {
            draw_integers(sample);
            for (std::uint32_t& drawn : drawn_)
                drawn = rows[drawn];
            seeds = seed_centres(matrix, drawn_, count, random_);
        } else {
            seeds = seed_centres(matrix, rows, count, random_);
        }
        DesignMatrix::Batch places(matrix, count);
        places.load(seeds);
        for (std::size_t c = 0; c < count; ++c)
            centres_.move(c, places.rows().rows[c]);
    }

    /// One batch; gives its mean inertia before the centres move.
    double step()
    {
        draw_integers(batch_);
        for (std::uint32_t& drawn : drawn_)
            drawn = points_.numbers()[drawn];
        since_reassigned_ += batch_;
        const bool reassigns = std::find(counts_.begin(), counts_.end(), 0.0F) != counts_.end() ||
                               since_reassigned_ >= 10 * centres_.size();
        const double inertia = assign_batch();
        move_to_means();
        if (reassigns) {
            since_reassigned_ = 0;
            reassign();
        }
        return inertia / static_cast<double>(batch_);
    }

    Clusters finish(std::size_t steps)
    {
        std::vector<std::uint32_t> all(points_.size());
        std::iota(all.begin(), all.end(), 0U);
        Clusters clusters{{}, centres_, 0, steps};
        assign(all);
        for (const std::uint32_t point : points_.numbers()) {
            clusters.labels.push_back(label_of_[point]);
            clusters.inertia += distance_of_[point];
        }
        return clusters;
    }

private:
    void draw_integers(std::size_t size)
    {
        drawn_.resize(size);
        const auto last = static_cast<std::uint32_t>(points_.numbers().size() - 1);
        for (std::uint32_t& drawn : drawn_)
            drawn = random_.interval(last);
    }

    /// Finds the labels and distances of points.
    void assign(const std::vector<std::uint32_t>& numbers)
    {
        std::vector<const float*> rows(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            rows[i] = points_[numbers[i]];
        std::vector<std::uint32_t> labels(numbers.size());
        std::vector<float> closeness(numbers.size());
        Panels(points_.dimension(), rows).nearest(centres_, labels.data(), closeness.data());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint32_t point = numbers[i];
            label_of_[point] = labels[i];
            distance_of_[point] =
                points_.squared_distance(point, centres_[labels[i]], closeness[i]);
        }
    }

    /// The inertia of the batch.
    double assign_batch()
    {
        ++step_;
        std::vector<std::uint32_t> distinct;
        for (const std::uint32_t point : drawn_)
            if (std::exchange(step_of_[point], step_) != step_)
                distinct.push_back(point);
        assign(distinct);
        double sum = 0;
        for (const std::uint32_t point : drawn_)
            sum += distance_of_[point];
        return sum;
    }

    /// A centre is the mean of all points that it ever had, in single precision, added in order.
    void move_to_means()
    {
        std::vector<float> news(centres_.size());
        for (const std::uint32_t point : drawn_) {
            const std::uint32_t c = label_of_[point];
            const std::span<float> centre = centres_[c];
            if (news[c] == 0)
                for (float& value : centre)
                    value *= counts_[c];
            ++news[c];
            const float* const row = points_[point];
            for (std::size_t f = 0; f < centre.size(); ++f)
                centre[f] += row[f];
        }
        for (std::size_t c = 0; c < news.size(); ++c)
            if (news[c] > 0) {
                counts_[c] += news[c];
                const float factor = 1 / counts_[c];
                for (float& value : centres_[c])
                    value *= factor;
                centres_.changed(c);
            }
    }

    /// Centres with few points begin again at points of the batch.
    void reassign()
    {
        const float most = *std::max_element(counts_.begin(), counts_.end());
        std::vector<std::uint32_t> few;
        for (std::uint32_t c = 0; c < counts_.size(); ++c)
            if (static_cast<double>(counts_[c]) < 0.01 * static_cast<double>(most))
                few.push_back(c);
        if (2 * few.size() > batch_) {
            std::stable_sort(few.begin(), few.end(), [&](std::uint32_t a, std::uint32_t b) {
                return counts_[a] < counts_[b];
            });
            few.resize(batch_ / 2);
            std::sort(few.begin(), few.end());
        }
        if (few.empty())
            return;
        const std::vector<std::uint32_t> order = random_.permutation(batch_);
        for (std::size_t i = 0; i < few.size(); ++i) {
            centres_.move(few[i], points_[drawn_[order[i]]]);
            counts_[few[i]] = std::numeric_limits<float>::infinity();
        }
        const float least = *std::min_element(counts_.begin(), counts_.end());
        for (const std::uint32_t c : few)
            counts_[c] = least;
    }

    Points points_;
    Centres centres_;
    std::vector<float> counts_; ///< points that a centre ever had
    NumpyRandom random_;
    std::size_t batch_;
    std::size_t since_reassigned_ = 0;
    std::vector<std::uint32_t> drawn_; ///< places in the list of rows; of a batch the points there
    std::vector<std::uint32_t> label_of_; ///< of the points of the last batch
    std::vector<double> distance_of_;
    std::vector<std::size_t> step_of_; ///< the last step with the point in its batch
    std::size_t step_ = 0;
};

} // namespace

Clusters mini_batch_kmeans(const DesignMatrix& matrix,
                           std::span<const std::uint32_t> rows,
                           std::size_t count,
                           std::size_t batch,
                           std::uint32_t seed,
                           const std::stop_token& stop)
{
    MiniBatches batches(matrix, rows, count, batch, seed);
    batch = std::min(batch, rows.size());
    Patience patience(batch, rows.size());
    const std::size_t most_steps = 100 * rows.size() / batch;
    std::size_t steps = 0;
    for (bool ended = false; steps < most_steps && !ended; ++steps) {
        if (stop.stop_requested())
            throw base::Cancelled();
        ended = patience.ends(batches.step());
    }
    return batches.finish(steps);
}

} // namespace senteval::learn
