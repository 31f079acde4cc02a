// item_traits.hpp -- what slices need to know of the text of test items.
#pragma once

#include "encoder/encoder.hpp"
#include "results/items.hpp"
#include "results/result.hpp"
#include "task/task.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace senteval::run {

/// Traits of the outcomes' rows, one each. Asks the encoder, if there is one, which words it knows; NaN where it does not tell.
[[nodiscard]] std::vector<results::ItemTraits> traits_of(const results::Outcomes& outcomes,
                                                         const task::LoadedTask& task,
                                                         encoder::Encoder* encoder,
                                                         unsigned threads);

/// How many test items have a sentence that the encoder was trained on; none of none where there is no such item.
[[nodiscard]] results::Overlap
overlap_of(const results::Outcomes& outcomes,
           const task::LoadedTask& task,
           const std::function<bool(std::string_view)>& was_trained_on);

} // namespace senteval::run
