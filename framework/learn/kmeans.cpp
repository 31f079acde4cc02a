#include "learn/kmeans.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <armadillo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::learn {

namespace {

/// Squared distances from all points to some of them.
class Distances {
public:
    Distances(const Points& points, unsigned threads)
        : points_(points), panels_(points.dimension(), points.pointers()), threads_(threads)
    {
    }

    /// Column by column: from each point to the candidate, or `near` of the point where that is less.
    void
    to(std::span<const std::uint32_t> candidates, const arma::fvec& near, arma::fmat& out) const
    {
        Centres centres(candidates.size(), points_.dimension());
        for (std::size_t c = 0; c < candidates.size(); ++c)
            centres.move(c, points_[candidates[c]]);
        out.set_size(points_.size(), candidates.size());
        base::parallel_for(panels_.groups(), threads_, [&](std::size_t number) {
            AlignedVector<float> closeness;
            panels_.multiply(centres.columns(), number, closeness);
            const std::size_t first = number * Panels::group;
            const std::size_t here = std::min(Panels::group, points_.size() - first);
            for (std::size_t c = 0; c < candidates.size(); ++c)
                for (std::size_t i = 0; i < here; ++i) {
                    const std::size_t p = first + i;
                    const double square =
                        points_.squared_distance(p, centres[c], closeness[c * Panels::group + i]);
                    out(p, c) = std::min(near[p], static_cast<float>(square));
                }
        });
    }

private:
    const Points& points_;
    Panels panels_;
    unsigned threads_;
};

/// The sum over the listed rows, each as often as it is listed.
float potential(const arma::fvec& near, const std::vector<double>& weights)
{
    double sum = 0;
    for (std::size_t p = 0; p < weights.size(); ++p)
        sum += weights[p] * static_cast<double>(near[p]);
    return static_cast<float>(sum);
}

} // namespace

std::vector<std::uint32_t> seed_centres(const DesignMatrix& matrix,
                                        std::span<const std::uint32_t> rows,
                                        std::size_t count,
                                        NumpyRandom& random,
                                        unsigned threads)
{
    const Points points(matrix, rows);
    const std::span<const std::uint32_t> numbers = points.numbers();
    const Distances distances(points, threads);
    std::vector<double> weights(points.size());
    for (const std::uint32_t point : numbers)
        ++weights[point];

    const std::vector<double> equal(numbers.size(), double{1 / static_cast<float>(numbers.size())});
    std::vector<std::uint32_t> candidates{numbers[random.choice(equal, 1)[0]]};
    std::vector<std::uint32_t> seeds{points.row(candidates[0])};
    arma::fvec near(points.size());
    near.fill(arma::fdatum::inf);
    arma::fmat nearer;
    distances.to(candidates, near, nearer);
    near = nearer.col(0);
    float left = potential(near, weights);

    candidates.resize(2 + static_cast<std::size_t>(std::log(count)));
    std::vector<double> sums(numbers.size());
    while (seeds.size() < count) {
        double sum = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            sums[i] = sum += static_cast<double>(near[numbers[i]]);
        for (std::uint32_t& candidate : candidates) {
            const double at = random.uniform() * static_cast<double>(left);
            const auto found = std::lower_bound(sums.begin(), std::prev(sums.end()), at);
            candidate = numbers[static_cast<std::size_t>(found - sums.begin())];
        }
        distances.to(candidates, near, nearer);
        std::size_t best = 0;
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            const float sum_of = potential(nearer.col(c), weights);
            if (c == 0 || sum_of < left) {
                best = c;
                left = sum_of;
            }
        }
        seeds.push_back(points.row(candidates[best]));
        near = nearer.col(best);
    }
    return seeds;
}

namespace {

class Lloyd {
public:
    Lloyd(const DesignMatrix& matrix, std::span<const std::uint32_t> rows, unsigned threads)
        : points_(matrix, rows),
          panels_(matrix.inputs(), points_.pointers()),
          threads_(threads),
          weights_(points_.size()),
          labels_(points_.size()),
          distances_(points_.size())
    {
        for (const std::uint32_t point : points_.numbers())
            ++weights_[point];
    }

    /// Finds the nearest centres.
    void assign(const Centres& centres)
    {
        base::parallel_for(panels_.groups(), threads_, [&](std::size_t number) {
            const std::size_t first = number * Panels::group;
            panels_.nearest(centres, number, labels_.data() + first, distances_.data() + first);
            for (std::size_t p = first; p < std::min(first + Panels::group, points_.size()); ++p)
                distances_[p] = static_cast<float>(
                    points_.squared_distance(p, centres[labels_[p]], distances_[p]));
        });
    }

    [[nodiscard]] double inertia() const
    {
        double sum = 0;
        for (std::size_t p = 0; p < distances_.size(); ++p)
            sum += weights_[p] * static_cast<double>(distances_[p]);
        return sum;
    }

    /// Moves the centres to the means of their points.
    void update(Centres& centres)
    {
        std::vector<std::vector<std::uint32_t>> members(centres.size());
        for (std::uint32_t p = 0; p < labels_.size(); ++p)
            members[labels_[p]].push_back(p);
        base::parallel_for(centres.size(), threads_, [&](std::size_t c) {
            std::vector<double> sum(points_.dimension());
            double weight = 0;
            for (const std::uint32_t p : members[c]) {
                weight += weights_[p];
                for (std::size_t f = 0; f < sum.size(); ++f)
                    sum[f] += weights_[p] * static_cast<double>(points_[p][f]);
            }
            if (members[c].empty())
                return;
            for (std::size_t f = 0; f < sum.size(); ++f)
                centres[c][f] = static_cast<float>(sum[f] / weight);
            centres.changed(c);
        });
        for (std::size_t c = 0; c < centres.size(); ++c)
            if (members[c].empty())
                restart(centres, c);
    }

    [[nodiscard]] const std::vector<std::uint32_t>& labels() const noexcept { return labels_; }

    [[nodiscard]] std::vector<std::uint32_t> labels_of_rows() const
    {
        std::vector<std::uint32_t> labels;
        for (const std::uint32_t point : points_.numbers())
            labels.push_back(labels_[point]);
        return labels;
    }

private:
    void restart(Centres& centres, std::size_t centre)
    {
        const auto farthest = std::max_element(distances_.begin(), distances_.end());
        if (*farthest == 0)
            return; // fewer distinct points than centres
        centres.move(centre, points_[static_cast<std::size_t>(farthest - distances_.begin())]);
        *farthest = 0;
    }

    Points points_;
    Panels panels_;
    unsigned threads_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> labels_;
    std::vector<float> distances_; ///< squared
};

/// Centres at these rows.
Centres centres_at(const DesignMatrix& matrix, std::span<const std::uint32_t> rows)
{
    DesignMatrix::Batch batch(matrix, rows.size());
    batch.load(rows);
    Centres centres(rows.size(), matrix.inputs());
    for (std::size_t c = 0; c < rows.size(); ++c)
        centres.move(c, batch.rows().rows[c]);
    return centres;
}

} // namespace

Clusters kmeans(const DesignMatrix& matrix,
                std::span<const std::uint32_t> rows,
                std::size_t count,
                std::uint32_t seed,
                unsigned threads,
                const std::stop_token& stop)
{
    constexpr std::size_t most_steps = 300;
    constexpr double least_gain = 1e-5;
    NumpyRandom random(seed);
    Centres centres = centres_at(matrix, seed_centres(matrix, rows, count, random, threads));
    Lloyd lloyd(matrix, rows, threads);
    lloyd.assign(centres);
    double inertia = lloyd.inertia();
    std::size_t steps = 0;
    while (steps < most_steps) {
        if (stop.stop_requested())
            throw base::Cancelled();
        const std::vector<std::uint32_t> before = lloyd.labels();
        lloyd.update(centres);
        lloyd.assign(centres);
        ++steps;
        const double inertia_before = std::exchange(inertia, lloyd.inertia());
        if (lloyd.labels() == before || inertia > inertia_before * (1 - least_gain))
            break;
    }
    return {lloyd.labels_of_rows(), std::move(centres), inertia, steps};
}

} // namespace senteval::learn
