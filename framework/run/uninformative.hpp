// uninformative.hpp -- results that tell nothing about an encoder, and why.
#pragma once

#include "task/result.hpp"

#include <cstddef>
#include <string>

namespace senteval::run {

/// Why a result says nothing: every sentence has the same vector, or the headline metric is undefined because
/// what it compares does not vary; empty where it says something. `alike`: encoder::Session::all_alike().
/// `is_defined`: the headline metric has a value.
std::string why_uninformative(std::size_t alike, bool is_defined, const task::Outcomes& outcomes);

} // namespace senteval::run
