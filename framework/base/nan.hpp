// nan.hpp -- the value of what is not defined for its data.
#pragma once

#include <limits>

namespace senteval::base {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace senteval::base
