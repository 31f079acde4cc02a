// kernels.hpp -- the kernels that training runs (numeric/kernels.hpp), and how they are named.
#pragma once

#include "numeric/kernels.hpp"

#include <string_view>

namespace senteval::learn {

using numeric::Activation;
using numeric::available_kernels;
using numeric::Coefficients;
using numeric::Kernels;
using numeric::kernels;
using numeric::kernels_portable;
using numeric::Method;
using numeric::ParameterBlock;
using numeric::RowPointers;
using numeric::SparseRow;
using numeric::StepConstants;

/// Kernels by name; "auto" is the fastest. Throws base::UsageError for those that this processor cannot run.
const Kernels& find_kernels(std::string_view name);

} // namespace senteval::learn
