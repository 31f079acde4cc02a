#include "learn/folds.hpp"

#include "base/error.hpp"
#include "learn/random.hpp"

#include <algorithm>
#include <map>

namespace senteval::learn {

namespace {

/// Labels by order of first appearance, and the number of each.
struct Coded {
    std::vector<std::uint32_t> codes;
    std::vector<std::size_t> counts;
};

Coded by_appearance(std::span<const Label> labels)
{
    Coded coded;
    std::map<Label, std::uint32_t> code_of;
    for (const Label label : labels) {
        const auto code =
            code_of.emplace(label, static_cast<std::uint32_t>(code_of.size())).first->second;
        coded.codes.push_back(code);
        coded.counts.resize(code_of.size());
        ++coded.counts[code];
    }
    return coded;
}

/// How many of the positions begin ... end - 1 belong to `fold` when positions are dealt out in turn.
std::size_t dealt(std::size_t begin, std::size_t end, std::size_t fold, std::size_t k)
{
    const auto before = [&](std::size_t position) { return (position + k - 1 - fold) / k; };
    return before(end) - before(begin);
}

} // namespace

std::vector<Fold> stratified_folds(std::span<const Label> labels, std::size_t k, std::uint32_t seed)
{
    const Coded coded = by_appearance(labels);
    if (k < 2)
        throw base::UsageError("cross-validation needs at least 2 folds, not {}", k);
    if (coded.counts.empty() || *std::max_element(coded.counts.begin(), coded.counts.end()) < k)
        throw TooFewItems(
            "no class has as many as {} items, so the {} items cannot be divided into "
            "{} folds; choose a smaller kfold",
            k, labels.size(), k);

    NumpyRandom random(seed);
    std::vector<std::vector<std::uint32_t>> fold_of(coded.counts.size()); // by class, in turn
    std::size_t begin = 0;
    for (std::size_t c = 0; c < coded.counts.size(); begin += coded.counts[c++]) {
        for (std::size_t fold = 0; fold < k; ++fold)
            fold_of[c].insert(fold_of[c].end(), dealt(begin, begin + coded.counts[c], fold, k),
                              static_cast<std::uint32_t>(fold));
        random.shuffle(fold_of[c]);
    }

    std::vector<Fold> folds(k);
    std::vector<std::size_t> seen(coded.counts.size());
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
        const std::uint32_t c = coded.codes[i];
        const std::uint32_t mine = fold_of[c][seen[c]++];
        for (std::uint32_t fold = 0; fold < k; ++fold)
            (fold == mine ? folds[fold].test : folds[fold].train).push_back(i);
    }
    return folds;
}

} // namespace senteval::learn
