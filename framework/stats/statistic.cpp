#include "stats/statistic.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace senteval::stats {
namespace {

class Mean final : public Statistic {
public:
    explicit Mean(std::span<const double> values) : values_(values.begin(), values.end()) {}

    [[nodiscard]] std::vector<std::size_t> strata() const override { return {values_.size()}; }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        double sum = 0;
        for (std::size_t i = 0; i < values_.size(); ++i)
            sum += counts[i] * values_[i];
        return sum / static_cast<double>(values_.size());
    }

    [[nodiscard]] std::vector<double> influence() const override
    {
        const double mean = observed();
        std::vector<double> result;
        result.reserve(values_.size());
        for (const double value : values_)
            result.push_back((value - mean) / static_cast<double>(values_.size()));
        return result;
    }

private:
    std::vector<double> values_;
};

class Median final : public Statistic {
public:
    explicit Median(std::span<const double> values)
        : values_(values.begin(), values.end()), ascending_(values.size())
    {
        std::iota(ascending_.begin(), ascending_.end(), std::size_t{0});
        std::stable_sort(ascending_.begin(), ascending_.end(),
                         [&](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
    }

    [[nodiscard]] std::vector<std::size_t> strata() const override { return {values_.size()}; }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        const std::size_t n = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
        return n == 0 ? std::nan("") : (at(counts, (n - 1) / 2) + at(counts, n / 2)) / 2;
    }

    [[nodiscard]] std::vector<double> influence() const override
    {
        return std::vector<double>(values_.size(), 0.0);
    }

    [[nodiscard]] bool is_smooth() const override { return false; }

private:
    /// The value at a place of the resample in ascending order.
    [[nodiscard]] double at(std::span<const std::uint32_t> counts, std::size_t place) const
    {
        std::size_t passed = 0;
        for (const std::size_t item : ascending_)
            if ((passed += counts[item]) > place)
                return values_[item];
        return std::nan("");
    }

    std::vector<double> values_;
    std::vector<std::size_t> ascending_;
};

class F1 final : public Statistic {
public:
    F1(std::span<const std::uint32_t> gold,
       std::span<const std::uint32_t> predicted,
       std::uint32_t positive)
    {
        items_.reserve(gold.size());
        for (std::size_t i = 0; i < gold.size(); ++i)
            items_.push_back({gold[i] == positive, predicted[i] == positive});
    }

    [[nodiscard]] std::vector<std::size_t> strata() const override { return {items_.size()}; }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        return of(sums(counts));
    }

    [[nodiscard]] std::vector<double> influence() const override
    {
        const Sums all = sums(std::vector<std::uint32_t>(items_.size(), 1));
        const double f1 = of(all);
        const auto mentions = static_cast<double>(all.mentions);
        std::vector<double> result(items_.size());
        for (std::size_t i = 0; mentions > 0 && i < items_.size(); ++i)
            result[i] = (2.0 * items_[i].hits() - f1 * items_[i].mentions()) / mentions;
        return result;
    }

    [[nodiscard]] double answer() const override
    {
        const Sums all = sums(std::vector<std::uint32_t>(items_.size(), 1));
        double squares = 0;
        for (const Item& item : items_) {
            const Item other{item.is_gold, !item.is_predicted};
            const double change = of({all.hits - item.hits() + other.hits(),
                                      all.mentions - item.mentions() + other.mentions()}) -
                                  of(all);
            squares += change * change;
        }
        return std::sqrt(squares / static_cast<double>(items_.size()));
    }

private:
    /// Whether the class is the gold one, and whether it is predicted.
    struct Item {
        bool is_gold;
        bool is_predicted;

        [[nodiscard]] unsigned hits() const { return is_gold && is_predicted ? 1 : 0; }
        [[nodiscard]] unsigned mentions() const
        {
            return (is_gold ? 1U : 0U) + (is_predicted ? 1U : 0U);
        }
    };

    struct Sums {
        std::uint64_t hits = 0;
        std::uint64_t mentions = 0;
    };

    [[nodiscard]] static double of(const Sums& sums)
    {
        return sums.mentions == 0
                   ? 0.0
                   : 2.0 * static_cast<double>(sums.hits) / static_cast<double>(sums.mentions);
    }

    [[nodiscard]] Sums sums(std::span<const std::uint32_t> counts) const
    {
        Sums sums;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            sums.hits += std::uint64_t{counts[i]} * items_[i].hits();
            sums.mentions += std::uint64_t{counts[i]} * items_[i].mentions();
        }
        return sums;
    }

    std::vector<Item> items_;
};

class Pearson final : public Statistic {
public:
    Pearson(std::span<const double> x, std::span<const double> y)
        : x_(standardised(x)), y_(standardised(y))
    {
    }

    [[nodiscard]] std::vector<std::size_t> strata() const override { return {x_.size()}; }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        double x = 0;
        double y = 0;
        double xx = 0;
        double yy = 0;
        double xy = 0;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const auto count = static_cast<double>(static_cast<std::int32_t>(counts[i]));
            const double counted_x = count * x_[i];
            const double counted_y = count * y_[i];
            x += counted_x;
            y += counted_y;
            xx += counted_x * x_[i];
            yy += counted_y * y_[i];
            xy += counted_x * y_[i];
        }
        const auto n = static_cast<double>(x_.size());
        const double spread_x = xx - x * x / n;
        const double spread_y = yy - y * y / n;
        // A resample of one item over and over leaves a rounding error, not a variance.
        if (!(spread_x > 1e-12 * xx) || !(spread_y > 1e-12 * yy))
            return std::nan("");
        return std::clamp((xy - x * y / n) / std::sqrt(spread_x * spread_y), -1.0, 1.0);
    }

    /// Devlin, Gnanadesikan & Kettenring 1975, eq. 2.2, over n.
    [[nodiscard]] std::vector<double> influence() const override
    {
        const double r = observed();
        std::vector<double> result(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i)
            result[i] = (x_[i] * y_[i] - r * (x_[i] * x_[i] + y_[i] * y_[i]) / 2.0) /
                        static_cast<double>(x_.size());
        return result;
    }

    [[nodiscard]] std::vector<double> jackknife() const override
    {
        const auto n = static_cast<double>(x_.size());
        const double r = observed();
        if (x_.size() < 3 || std::isnan(r))
            return influence();
        const double more = 1 + 1 / (n - 1); // the means move, too
        double mean = 0;
        std::vector<double> result(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const double xx = n - more * x_[i] * x_[i];
            const double yy = n - more * y_[i] * y_[i];
            const double without = (n * r - more * x_[i] * y_[i]) / std::sqrt(xx * yy);
            result[i] = xx > 0 && yy > 0 ? (r - std::clamp(without, -1.0, 1.0)) * (n - 1) / n : 0.0;
            mean += result[i] / n;
        }
        for (double& value : result)
            value -= mean;
        return result;
    }

private:
    /// Mean 0 and variance 1 (over n); a constant becomes zeros.
    static std::vector<double> standardised(std::span<const double> values)
    {
        std::vector<double> result(values.begin(), values.end());
        const auto n = static_cast<double>(values.size());
        const bool constant = std::all_of(values.begin(), values.end(),
                                          [&](double value) { return value == values.front(); });
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
        double squares = 0;
        for (double& value : result) {
            value = constant ? 0.0 : value - mean;
            squares += value * value;
        }
        const double scale = squares > 0 ? 1.0 / std::sqrt(squares / n) : 0.0;
        for (double& value : result)
            value *= scale;
        return result;
    }

    std::vector<double> x_;
    std::vector<double> y_;
};

class WeightedSum final : public Statistic {
public:
    WeightedSum(std::vector<StatisticPtr> parts, std::vector<double> weights)
        : parts_(std::move(parts)), weights_(std::move(weights))
    {
    }

    [[nodiscard]] std::vector<std::size_t> strata() const override
    {
        std::vector<std::size_t> result;
        for (const auto& part : parts_) {
            const auto sizes = part->strata();
            result.insert(result.end(), sizes.begin(), sizes.end());
        }
        return result;
    }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        double sum = 0;
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const std::size_t size = parts_[part]->items();
            sum += weights_[part] * parts_[part]->value(counts.first(size));
            counts = counts.subspan(size);
        }
        return sum;
    }

    [[nodiscard]] std::vector<double> influence() const override
    {
        return of_parts(&Statistic::influence);
    }

    [[nodiscard]] std::vector<double> jackknife() const override
    {
        return of_parts(&Statistic::jackknife);
    }

    [[nodiscard]] bool is_smooth() const override
    {
        return std::all_of(parts_.begin(), parts_.end(),
                           [](const auto& part) { return part->is_smooth(); });
    }

private:
    [[nodiscard]] std::vector<double> of_parts(std::vector<double> (Statistic::*values)()
                                                   const) const
    {
        std::vector<double> result;
        for (std::size_t part = 0; part < parts_.size(); ++part)
            for (const double value : ((*parts_[part]).*values)())
                result.push_back(weights_[part] * value);
        return result;
    }

    std::vector<StatisticPtr> parts_;
    std::vector<double> weights_;
};

void require_items(std::size_t first, std::size_t second)
{
    if (first != second)
        throw core::Error("a statistic of pairs needs two lists of the same length, not {} and {}",
                          first, second);
    if (first == 0)
        throw core::Error("a statistic needs at least one item");
}

} // namespace

std::size_t Statistic::items() const
{
    const auto sizes = strata();
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

double Statistic::observed() const
{
    return value(std::vector<std::uint32_t>(items(), 1));
}

StatisticPtr mean_statistic(std::span<const double> values)
{
    require_items(values.size(), values.size());
    return std::make_unique<Mean>(values);
}

StatisticPtr median_statistic(std::span<const double> values)
{
    require_items(values.size(), values.size());
    return std::make_unique<Median>(values);
}

StatisticPtr f1_statistic(std::span<const std::uint32_t> gold,
                          std::span<const std::uint32_t> predicted,
                          std::uint32_t positive)
{
    require_items(gold.size(), predicted.size());
    return std::make_unique<F1>(gold, predicted, positive);
}

StatisticPtr pearson_statistic(std::span<const double> x, std::span<const double> y)
{
    require_items(x.size(), y.size());
    return std::make_unique<Pearson>(x, y);
}

StatisticPtr weighted_sum(std::vector<StatisticPtr> parts, std::vector<double> weights)
{
    require_items(parts.size(), weights.size());
    return std::make_unique<WeightedSum>(std::move(parts), std::move(weights));
}

} // namespace senteval::stats
