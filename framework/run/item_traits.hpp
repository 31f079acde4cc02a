// item_traits.hpp -- what is known of test items beside their outcomes: words, overlap, shared sources.
#pragma once

#include "core/json.hpp"
#include "encoder/encoder.hpp"
#include "run/items.hpp"
#include "task/result.hpp"
#include "task/task.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace senteval::run {

/// Of the outcomes' rows, one each. Asks the encoder which words it knows; NaN where it does not tell.
[[nodiscard]] std::vector<ItemTraits> traits_of(const task::Outcomes& outcomes,
                                                const task::LoadedTask& task,
                                                encoder::Encoder& encoder,
                                                unsigned threads);

/// How many test items have a sentence that the encoder was trained on: {"items", "of"}; null where there are
/// none.
[[nodiscard]] core::Json overlap_of(const task::Outcomes& outcomes,
                                    const task::LoadedTask& task,
                                    const std::function<bool(std::string_view)>& was_trained_on);

} // namespace senteval::run
