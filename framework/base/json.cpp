#include "base/json.hpp"

#include "base/disguise.hpp"
#include "base/error.hpp"

#include <algorithm>

namespace senteval::base {
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

/// `byte`: from 1 on, the last that was read; behind the text where that ended too early.
std::string why_no_json(std::string_view text, std::size_t byte)
{
    if (text.empty())
        return "it is empty";
    if (const auto disguise = disguise_of(text, Wanted::model))
        return "it " + disguise->message();
    const std::string_view before = text.substr(0, std::min(byte - 1, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    if (byte > text.size())
        return fmt::format("it ends too early, in line {}", line);
    return fmt::format("line {}, column {} is not JSON", line,
                       before.size() - (before.rfind('\n') + 1) + 1);
}

} // namespace

Json parse_json(std::string_view text)
{
    if (depth_of(text) > most_levels)
        throw Error("its lists and objects are nested more than {} levels deep", most_levels);
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& e) {
        throw Error("{}", why_no_json(text, std::max<std::size_t>(e.byte, 1)));
    } catch (const nlohmann::json::out_of_range&) {
        throw Error("it holds a number that is too large");
    } catch (const nlohmann::json::exception& e) {
        throw Error("{}", e.what());
    }
}

} // namespace senteval::base
