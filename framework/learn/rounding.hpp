// rounding.hpp -- means and roundings as Python and NumPy do them, so that reported digits agree.
#pragma once

#include <span>

namespace senteval::learn {

/// round(x, 2) of a Python float: the exact binary value to two decimals, halves to even.
double round_python(double x);

/// numpy.round(x, 2): rint(100 x) / 100.
double round_numpy(double x);

/// numpy.mean(values): NumPy's pairwise summation.
double mean_numpy(std::span<const double> values);

} // namespace senteval::learn
