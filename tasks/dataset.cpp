#include "tasks/dataset.hpp"

#include "base/error.hpp"
#include "learn/ranking.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_set>

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
    throw base::Error("{} has no {} part", name, part_name);
}

task::ItemText Dataset::test_item(std::uint32_t item) const
{
    std::size_t at = item;
    for (const Part& part : parts) {
        if (!part.tested)
            continue;
        if (at < part.size()) {
            std::optional<std::uint32_t> source;
            if (part.images)
                source = static_cast<std::uint32_t>(at / learn::captions_per_image);
            return {part.first[at], part.pairs() ? part.second[at] : text::Sentence{}, part.pairs(),
                    source};
        }
        at -= part.size();
    }
    throw base::Error("{} has no test item {}", name, item);
}

void keep_order(Part& part)
{
    part.order.resize(part.size());
    std::iota(part.order.begin(), part.order.end(), std::uint32_t{0});
}

void sort_by_length(Part& part)
{
    order_by(part, [&](std::uint32_t i) {
        return std::tuple(part.first[i].tokens, part.pairs() ? part.second[i].tokens : 0U,
                          part.labels.empty() ? 0U : part.labels[i],
                          part.scores.empty() ? 0.0 : part.scores[i]);
    });
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

namespace {

/// The part with the items whose numbers are given, ascending.
Part part_of(const Part& whole, std::span<const std::uint32_t> items)
{
    Part part(whole.name, whole.tested);
    part.verbatim = whole.verbatim;
    part.images = whole.images;
    part.first = reordered<text::Sentence>(whole.first, items);
    const auto choose = [&]<typename T>(const std::vector<T>& values) {
        return values.empty() ? std::vector<T>() : reordered<T>(values, items);
    };
    part.second = choose(whole.second);
    part.labels = choose(whole.labels);
    part.scores = choose(whole.scores);
    part.label_sets = choose(whole.label_sets);
    if (whole.judgements) {
        Judgements judgements = *whole.judgements; // of the queries that are left
        judgements.query_ids = choose(judgements.query_ids);
        judgements.of_query = choose(judgements.of_query);
        judgements.candidates = choose(judgements.candidates);
        part.judgements = std::make_shared<const Judgements>(std::move(judgements));
    }
    for (const std::uint32_t item : whole.order)
        if (const auto at = std::lower_bound(items.begin(), items.end(), item);
            at != items.end() && *at == item)
            part.order.push_back(static_cast<std::uint32_t>(at - items.begin()));
    return part;
}

/// Whether items of other parts have the numbers of its items: documents, and texts with their summaries.
bool is_referred_to(std::string_view part)
{
    return part == "corpus" || part == "texts" || part == "human" || part == "machine";
}

} // namespace

void limit(Dataset& dataset, std::size_t most)
{
    std::unordered_set<const char*> kept; // sentences, by where they lie in the arena
    for (Part& part : dataset.parts) {
        const bool is_whole = part.images || is_referred_to(part.name);
        const std::size_t count = is_whole ? part.size() : std::min(most, part.size());
        std::vector<std::uint32_t> items;
        for (std::size_t i = 0; i < count; ++i)
            items.push_back(static_cast<std::uint32_t>(i * part.size() / count));
        part = part_of(part, items);
        for (const auto* side : {&part.first, &part.second})
            for (const text::Sentence& sentence : *side)
                kept.insert(sentence.text.data());
    }
    std::erase_if(dataset.samples, [&](const text::Sentence& sentence) {
        return !kept.contains(sentence.text.data());
    });
}

} // namespace senteval::tasks
