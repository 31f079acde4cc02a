// trained_on.hpp -- whether an encoder was trained on a sentence, from what its model says of itself.
#pragma once

#include "encoder/parameters.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace senteval::host {

/// Of the models of 'senteval train' among the files that the parameters name; empty where there is
/// none. Throws core::Error where a model does not tell: it is damaged.
std::function<bool(std::string_view sentence)>
trained_on(const std::vector<encoder::Parameter>& parameters);

} // namespace senteval::host
