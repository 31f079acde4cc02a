// version.hpp -- what `senteval --version` says.
#pragma once

#include "core/blas.hpp"

#include <string>

namespace senteval::host {

/// The program's version on the first line, then what it computes with, a line each.
std::string version_text(const core::BlasKernels& blas);

} // namespace senteval::host
