// items.hpp -- the outcome of every test item, with what slices need to know of its text.
#pragma once

#include "results/outcomes.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::results {

/// About the text of one test item.
struct ItemTraits {
    std::uint32_t tokens_first = 0;
    std::uint32_t tokens_second = 0; ///< 0 where the item is one sentence
    float overlap = 0; ///< of a pair: shared tokens / all tokens, as sets; NaN for one sentence
    float unknown = 0; ///< share of tokens the encoder does not know; NaN where it does not tell
    /// Numbers of its sentences among those of the test items, or of the source that several share; of
    /// one sentence the same twice. `alone`: unknown.
    std::uint32_t source_first = alone;
    std::uint32_t source_second = alone;

    static constexpr std::uint32_t alone = 0xffffffff;
};

struct Items {
    Outcomes outcomes;
    std::vector<ItemTraits> traits; ///< one per row of outcomes
};

/// The file beside a result: magic "SEVITEM3", length of a JSON header (uint32), the header ({kind,
/// classes, groups, further, count}), then the columns item, group, tokens_first, tokens_second,
/// source_first, source_second (uint32), overlap, unknown (float32), gold, prediction, score and one
/// for each name in `further` (float64), all little-endian and unpadded, and the XXH3 64 of everything
/// before it.
std::string encode_items(const Items& items);

/// Throws base::Error when the bytes are not such a file, or damaged.
Items decode_items(std::string_view bytes);

} // namespace senteval::results
