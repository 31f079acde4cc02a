// sample_document.hpp -- an invented report of any size, the same on every call.
#pragma once

#include "report/document.hpp"

#include <cstddef>

namespace senteval::test {

report::Document sample_document(std::size_t encoders, std::size_t tasks);

} // namespace senteval::test
