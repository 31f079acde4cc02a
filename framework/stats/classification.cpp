#include "stats/classification.hpp"

#include "core/error.hpp"

#include <limits>

namespace senteval::stats {

Confusion::Confusion(std::span<const std::uint32_t> gold,
                     std::span<const std::uint32_t> predicted,
                     std::size_t classes)
    : classes_(classes), items_(gold.size()), counts_(classes * classes)
{
    if (gold.size() != predicted.size())
        throw core::Error("{} gold classes, but {} predicted ones", gold.size(), predicted.size());
    for (std::size_t i = 0; i < gold.size(); ++i) {
        if (gold[i] >= classes || predicted[i] >= classes)
            throw core::Error(
                "item {} has gold class {} and predicted class {}, but there are only "
                "{} classes",
                i, gold[i], predicted[i], classes);
        ++counts_[gold[i] * classes + predicted[i]];
    }
}

std::size_t Confusion::correct() const
{
    std::size_t sum = 0;
    for (std::size_t label = 0; label < classes_; ++label)
        sum += count(label, label);
    return sum;
}

std::size_t Confusion::gold_count(std::size_t label) const
{
    std::size_t sum = 0;
    for (std::size_t predicted = 0; predicted < classes_; ++predicted)
        sum += count(label, predicted);
    return sum;
}

std::size_t Confusion::predicted_count(std::size_t label) const
{
    std::size_t sum = 0;
    for (std::size_t gold = 0; gold < classes_; ++gold)
        sum += count(gold, label);
    return sum;
}

double Confusion::accuracy() const
{
    if (items_ == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(correct()) / static_cast<double>(items_);
}

double Confusion::f1(std::size_t positive) const
{
    const std::size_t both = gold_count(positive) + predicted_count(positive);
    return both == 0
               ? 0.0
               : 2.0 * static_cast<double>(count(positive, positive)) / static_cast<double>(both);
}

} // namespace senteval::stats
