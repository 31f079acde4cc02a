// json.hpp -- the one JSON type of the program: members keep the order they were written in.
#pragma once

#include <nlohmann/json.hpp>

namespace senteval::core {

using Json = nlohmann::ordered_json;

} // namespace senteval::core
