#include "remote/text.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace senteval::remote {

namespace {

constexpr int most_levels = 64;

} // namespace

nlohmann::json read_json(std::string_view text)
{
    const auto guard = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        if (depth > most_levels)
            throw std::runtime_error(fmt::format("goes more than {} levels deep", most_levels));
        return true;
    };
    try {
        return nlohmann::json::parse(text, guard);
    } catch (const nlohmann::json::parse_error& e) {
        if (e.byte > text.size() && (text.starts_with('{') || text.starts_with('[')))
            throw CutOff(fmt::format("is cut off after {} bytes", text.size()));
        const std::string_view there = text.substr(e.byte > 4 ? e.byte - 4 : 0, 12);
        const bool is_no_number = there.find("NaN") != std::string_view::npos ||
                                  there.find("Infinity") != std::string_view::npos;
        throw std::runtime_error(
            fmt::format("is not JSON (at byte {}{})", e.byte,
                        is_no_number ? ": it has no NaN and no Infinity" : ""));
    } catch (const nlohmann::json::exception&) {
        throw std::runtime_error("has a number that no double can hold");
    }
}

std::string shown(std::string_view text, std::size_t most)
{
    return sdk::printable_line(text, most, true);
}

std::string printable(std::string_view text, std::size_t most)
{
    return sdk::printable_line(text, most);
}

std::string sentences(std::span<const std::string_view> all)
{
    constexpr std::size_t most = 60;
    if (all.empty())
        return "no sentences";
    if (all.size() == 1)
        return fmt::format("1 sentence ({})", shown(all.front(), most));
    return fmt::format("{} sentences (the first {}, the longest {})", all.size(),
                       shown(all.front(), most),
                       shown(*std::ranges::max_element(all, {}, &std::string_view::size), most));
}

} // namespace senteval::remote
