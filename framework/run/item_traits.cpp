#include "run/item_traits.hpp"

#include "base/unicode.hpp"
#include "encoder/coverage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

/// Each different token once, in order.
std::vector<std::string_view> tokens_of(std::string_view text)
{
    std::vector<std::string_view> all;
    for (auto token = base::take_word(text); !token.empty(); token = base::take_word(text))
        all.push_back(token);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

float overlap(const task::ItemText& item)
{
    if (!item.is_pair)
        return std::numeric_limits<float>::quiet_NaN();
    const auto first = tokens_of(item.first.text);
    const auto second = tokens_of(item.second.text);
    const auto shared = static_cast<std::size_t>(
        std::count_if(first.begin(), first.end(), [&](std::string_view token) {
            return std::binary_search(second.begin(), second.end(), token);
        }));
    const std::size_t all = first.size() + second.size() - shared;
    return all == 0 ? 1.0F : static_cast<float>(shared) / static_cast<float>(all);
}

/// Fills in the share of each item's words that the encoder does not know. The sentences of item i end
/// at ends[i], where those of the next begin.
void add_unknown_shares(std::span<const text::Sentence> sentences,
                        std::span<const std::size_t> ends,
                        encoder::Encoder& encoder,
                        unsigned threads,
                        std::vector<results::ItemTraits>& traits)
{
    const auto words = encoder::known_words(encoder, sentences, threads);
    if (!words)
        return;
    for (std::size_t i = 0, s = 0; i < traits.size(); ++i) {
        std::uint32_t all = 0;
        std::uint32_t unknown = 0;
        for (; s < ends[i]; ++s) {
            all += words->tokens[s];
            unknown += words->tokens[s] - words->known[s];
        }
        traits[i].unknown = all == 0 ? 0.0F : static_cast<float>(unknown) / static_cast<float>(all);
    }
}

/// Numbers sentences, or sources that items name themselves, as they come.
class SourceNumbers {
public:
    void add(const task::ItemText& item, results::ItemTraits& traits)
    {
        if (item.source) {
            traits.source_first = number(named_, *item.source);
            traits.source_second = traits.source_first;
            return;
        }
        traits.source_first = number(sentences_, item.first.text);
        traits.source_second =
            item.is_pair ? number(sentences_, item.second.text) : traits.source_first;
    }

private:
    template <typename Map, typename Key>
    std::uint32_t number(Map& map, const Key& key)
    {
        const auto [at, is_new] = map.try_emplace(key, count_);
        count_ += is_new ? 1U : 0U;
        return at->second;
    }

    std::unordered_map<std::string_view, std::uint32_t> sentences_;
    std::unordered_map<std::uint32_t, std::uint32_t> named_;
    std::uint32_t count_ = 0;
};

} // namespace

std::vector<results::ItemTraits> traits_of(const results::Outcomes& outcomes,
                                           const task::LoadedTask& task,
                                           encoder::Encoder* encoder,
                                           unsigned threads)
{
    std::vector<results::ItemTraits> traits;
    traits.reserve(outcomes.rows.size());
    std::vector<text::Sentence> sentences;
    std::vector<std::size_t> ends;
    SourceNumbers sources;
    for (const results::ItemOutcome& row : outcomes.rows) {
        const task::ItemText item = task.item(row.item);
        sentences.push_back(item.first);
        if (item.is_pair)
            sentences.push_back(item.second);
        ends.push_back(sentences.size());
        traits.push_back({item.first.tokens, item.is_pair ? item.second.tokens : 0, overlap(item),
                          std::numeric_limits<float>::quiet_NaN()});
        sources.add(item, traits.back());
    }
    if (encoder != nullptr)
        add_unknown_shares(sentences, ends, *encoder, threads, traits);
    return traits;
}

results::Overlap overlap_of(const results::Outcomes& outcomes,
                            const task::LoadedTask& task,
                            const std::function<bool(std::string_view)>& was_trained_on)
{
    std::set<std::uint32_t> all;
    std::size_t found = 0;
    for (const results::ItemOutcome& row : outcomes.rows) {
        if (!all.insert(row.item).second)
            continue; // several folds or splits have it
        const task::ItemText item = task.item(row.item);
        found +=
            was_trained_on(item.first.text) || (item.is_pair && was_trained_on(item.second.text))
                ? 1
                : 0;
    }
    return found == 0 ? results::Overlap() : results::Overlap{found, all.size()};
}

} // namespace senteval::run
