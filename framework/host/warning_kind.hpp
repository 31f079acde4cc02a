// warning_kind.hpp -- which warnings of a run say the same, so that one of them is enough.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace senteval::host {

/// `text` without its digits, but for those in `names` of encoders and tasks that stand in it: what is said of
/// STS12 is not said of STS15, but is said once whatever it counts.
std::string without_numbers(std::string_view text, const std::set<std::string>& names);

} // namespace senteval::host
