#include "run/uninformative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace senteval::run {
namespace {

using Rows = std::span<const task::ItemOutcome>;

bool is_constant(Rows rows, double task::ItemOutcome::*member)
{
    return std::all_of(rows.begin(), rows.end(), [&](const task::ItemOutcome& row) {
        return row.*member == rows.front().*member;
    });
}

std::string how_many(Rows rows)
{
    return fmt::format("there {} {} test {}", rows.size() == 1 ? "is" : "are", rows.size(),
                       rows.size() == 1 ? "item" : "items");
}

/// Why nothing can be made of these items; empty where that is not known.
std::string why_undefined(Rows rows)
{
    if (rows.size() < 2)
        return how_many(rows);
    if (is_constant(rows, &task::ItemOutcome::gold))
        return fmt::format("the {} gold scores are all equal", rows.size());
    if (is_constant(rows, &task::ItemOutcome::prediction))
        return fmt::format("its {} predictions are all equal", rows.size());
    return {};
}

} // namespace

std::string why_uninformative(std::size_t alike, bool is_defined, const task::Outcomes& outcomes)
{
    if (alike > 0)
        return fmt::format("its vectors of {} sentences are all equal", alike);
    const Rows rows = outcomes.rows;
    constexpr std::size_t too_few = 2; // through two points there is always a line: r is 1 or -1
    if (is_defined)
        return outcomes.kind == "score" && !rows.empty() && rows.size() <= too_few ? how_many(rows)
                                                                                   : "";
    if (rows.empty())
        return why_undefined(rows);
    for (auto begin = rows.begin(); begin != rows.end();) {
        const auto end = std::find_if(begin, rows.end(), [&](const task::ItemOutcome& row) {
            return row.group != begin->group;
        });
        if (const std::string why = why_undefined({begin, end}); !why.empty())
            return outcomes.groups.size() > 1
                       ? fmt::format("in '{}' {}", outcomes.groups.at(begin->group), why)
                       : why;
        begin = end;
    }
    return "its headline metric is undefined";
}

} // namespace senteval::run
