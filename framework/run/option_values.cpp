#include "run/option_values.hpp"

#include "base/error.hpp"
#include "learn/optimizer.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace senteval::run {

using core::Value;

std::int64_t integer_from(const Value& value, std::int64_t low, std::int64_t high)
{
    const std::int64_t number = value.integer();
    if (number < low || number > high)
        value.refuse(fmt::format("from {} to {}", low, high));
    return number;
}

std::size_t count_from(const Value& value, std::int64_t low)
{
    constexpr std::int64_t many = 1'000'000'000;
    return static_cast<std::size_t>(integer_from(value, low, many));
}

std::vector<std::string> strings_from(const Value& value)
{
    std::vector<std::string> all;
    for (const Value& element : value.list())
        all.push_back(element.string());
    if (all.empty())
        value.refuse("a list with at least one element");
    return all;
}

std::uint64_t bytes_from(const Value& value)
{
    const std::string text =
        value.is_integer() ? fmt::format("{}", value.integer()) : value.string();
    constexpr std::string_view units = "KMGT";
    constexpr double most = 1e15;
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    double factor = 1;
    if (const auto at = unit.empty() ? std::string_view::npos
                                     : units.find(static_cast<char>(std::toupper(unit.front())));
        at != std::string_view::npos) {
        factor = std::pow(1024.0, static_cast<double>(at + 1));
        unit.remove_prefix(1);
    }
    const bool is_known = unit.empty() || unit == "B" || unit == "iB";
    if (problem != std::errc() || !is_known || !(number * factor >= 1) || number * factor > most)
        value.refuse("a size such as 500M or 4G");
    return static_cast<std::uint64_t>(number * factor);
}

std::chrono::milliseconds milliseconds_from(const Value& value)
{
    constexpr double longest = 1e7;
    const double seconds = value.real();
    if (seconds < 0.001 || seconds > longest)
        value.refuse("from 0.001 to 1e7 seconds");
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

Shard shard_from(const Value& value)
{
    const std::string text = value.string();
    Shard shard;
    const char* const end = text.data() + text.size();
    const auto [slash, bad_index] = std::from_chars(text.data(), end, shard.index);
    if (bad_index == std::errc() && slash != end && *slash == '/') {
        const auto [rest, bad_count] = std::from_chars(slash + 1, end, shard.count);
        if (bad_count == std::errc() && rest == end && shard.index < shard.count)
            return shard;
    }
    value.refuse("K/N, the part K of N, where K counts from 0 to N - 1");
}

const learn::Kernels& kernels_from(const Value& value)
{
    const std::string name = value.string(); // whose own complaint says where
    try {
        return learn::find_kernels(name);
    } catch (const base::UsageError& e) {
        throw base::UsageError("{}: {}", value.where(), e.what());
    }
}

std::string optimiser_from(const Value& value)
{
    std::string name = value.string();
    try {
        (void)learn::Optimizer(name);
    } catch (const base::UsageError& e) {
        throw base::UsageError("{}: {}", value.where(), e.what());
    }
    return name;
}

} // namespace senteval::run
