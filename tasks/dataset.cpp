#include "tasks/dataset.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace senteval::tasks {

const Part* Dataset::find(std::string_view part_name) const
{
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& part) { return part.name == part_name; });
    return found == parts.end() ? nullptr : &*found;
}

const Part& Dataset::part(std::string_view part_name) const
{
    if (const Part* found = find(part_name))
        return *found;
    throw core::Error("{} has no {} part", name, part_name);
}

task::ItemText Dataset::test_item(std::uint32_t item) const
{
    std::size_t at = item;
    for (const Part& part : parts) {
        if (!part.tested)
            continue;
        if (at < part.size())
            return {part.first[at], part.pairs() ? part.second[at] : text::Sentence{},
                    part.pairs()};
        at -= part.size();
    }
    throw core::Error("{} has no test item {}", name, item);
}

void keep_order(Part& part)
{
    part.order.resize(part.size());
    std::iota(part.order.begin(), part.order.end(), std::uint32_t{0});
}

void sort_by_length(Part& part)
{
    keep_order(part);
    const auto key = [&](std::uint32_t i) {
        return std::tuple(part.first[i].tokens, part.pairs() ? part.second[i].tokens : 0U,
                          part.labels.empty() ? 0U : part.labels[i],
                          part.scores.empty() ? 0.0 : part.scores[i]);
    };
    std::stable_sort(part.order.begin(), part.order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
}

void add_samples(Dataset& dataset, const Part& part, SampleOrder order)
{
    for (const auto* side : {&part.first, &part.second}) {
        if (order == SampleOrder::file || side->empty()) {
            dataset.samples.insert(dataset.samples.end(), side->begin(), side->end());
        } else {
            const auto sorted = reordered<text::Sentence>(*side, part.order);
            dataset.samples.insert(dataset.samples.end(), sorted.begin(), sorted.end());
        }
    }
}

} // namespace senteval::tasks
