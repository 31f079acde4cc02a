#pragma once

#include "report/html.hpp"

#include <cstddef>
#include <string>

namespace senteval::test {

/// Invented scores of rows on tasks, transfer then similarity; the first row is the best of each, the second is not
/// significantly worse, and the last has no verdict.
compare::Comparison sample_comparison(std::size_t rows, std::size_t tasks);

/// A page of it, with slices and errors, and no results behind it.
std::string sample_page(const compare::Comparison& comparison);

} // namespace senteval::test
