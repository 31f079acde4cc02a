#include "core/json.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace senteval::core {
namespace {

constexpr int most_levels = 200;

/// How deep the text goes, counted without recursion; brackets in strings are no levels.
int depth_of(std::string_view text)
{
    int depth = 0;
    int deepest = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size() && deepest <= most_levels; ++at) {
        const char c = text[at];
        if (in_string && c == '\\')
            ++at;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{'))
            deepest = std::max(deepest, ++depth);
        else if (!in_string && (c == ']' || c == '}'))
            --depth;
    }
    return deepest;
}

} // namespace

Json parse_json(std::string_view text)
{
    if (depth_of(text) > most_levels)
        throw Error("its lists and objects lie more than {} levels deep within each other",
                    most_levels);
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::exception& e) {
        throw Error("{}", e.what());
    }
}

} // namespace senteval::core
