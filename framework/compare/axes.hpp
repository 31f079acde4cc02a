// axes.hpp -- how a metric is shown: its unit, its digits, which way is up.
#pragma once

#include <string>

namespace senteval::compare {

/// "accuracy, %", "Pearson's r", ...; the metric's own path where it is none of these.
std::string unit_of(const std::string& metric);

int decimals_of(const std::string& metric);

bool is_higher_better(const std::string& metric);

} // namespace senteval::compare
