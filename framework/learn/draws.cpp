#include "learn/draws.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace senteval::learn {

std::vector<std::uint32_t> draw_per_label(std::span<const Label> labels,
                                          std::size_t per_label,
                                          std::span<std::uint32_t> order,
                                          std::uint32_t seed)
{
    NumpyRandom(seed).shuffle(order);
    std::unordered_map<Label, std::size_t> taken;
    std::vector<std::uint32_t> drawn;
    for (const std::uint32_t item : order)
        if (std::size_t& count = taken[labels[item]]; count < per_label) {
            ++count;
            drawn.push_back(item);
        }
    return drawn;
}

std::vector<std::uint32_t> draw_per_label(std::span<const std::vector<Label>> labels,
                                          std::size_t per_label,
                                          NumpyGenerator& random)
{
    std::vector<std::uint32_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(order);
    std::unordered_map<Label, std::size_t> taken;
    std::vector<std::uint32_t> drawn;
    for (const std::uint32_t item : order)
        if (std::any_of(labels[item].begin(), labels[item].end(),
                        [&](Label label) { return taken[label] < per_label; })) {
            drawn.push_back(item);
            for (const Label label : labels[item])
                ++taken[label];
        }
    return drawn;
}

std::vector<Fold> shuffled_folds(std::size_t count, std::size_t k, std::uint32_t seed)
{
    const std::vector<std::uint32_t> order = NumpyRandom(seed).permutation(count);
    std::vector<std::size_t> fold_of(count);
    std::size_t begin = 0;
    for (std::size_t fold = 0; fold < k; ++fold) {
        const std::size_t end = begin + count / k + (fold < count % k ? 1 : 0);
        for (; begin < end; ++begin)
            fold_of[order[begin]] = fold;
    }
    std::vector<Fold> folds(k);
    for (std::size_t fold = 0; fold < k; ++fold)
        for (std::size_t i = 0; i < count; ++i)
            (fold_of[i] == fold ? folds[fold].test : folds[fold].train)
                .push_back(static_cast<std::uint32_t>(i));
    return folds;
}

} // namespace senteval::learn
