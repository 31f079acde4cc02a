// string_map.hpp -- a hash map whose keys are texts, found by views of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace senteval::base {

struct StringHash : std::hash<std::string_view> {
    using is_transparent = void;
};

template <typename T>
using StringMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

} // namespace senteval::base
