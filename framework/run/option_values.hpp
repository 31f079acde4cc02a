// option_values.hpp -- values of options from what a user wrote.
// | Everything throws base::UsageError that names the place (core/value.hpp) and what would be right.
#pragma once

#include "core/value.hpp"
#include "learn/kernels.hpp"
#include "run/config.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::run {

[[nodiscard]] std::int64_t
integer_from(const core::Value& value, std::int64_t low, std::int64_t high);

/// A count up to a billion.
[[nodiscard]] std::size_t count_from(const core::Value& value, std::int64_t low);

/// A list that is not empty.
[[nodiscard]] std::vector<std::string> strings_from(const core::Value& value);

/// "4G", "500M", "1.5 GiB": units are powers of 1024.
[[nodiscard]] std::uint64_t bytes_from(const core::Value& value);

/// A number of seconds, of which parts count.
[[nodiscard]] std::chrono::milliseconds milliseconds_from(const core::Value& value);

/// "3/32": the third of 32 parts, counted from 0 as Slurm's arrays are.
[[nodiscard]] Shard shard_from(const core::Value& value);

[[nodiscard]] const learn::Kernels& kernels_from(const core::Value& value);

/// An optimiser's specification (learn/optimizer.hpp), as it is written.
[[nodiscard]] std::string optimiser_from(const core::Value& value);

template <typename T>
void add_distinct(std::vector<T>& all, T one)
{
    if (std::find(all.begin(), all.end(), one) == all.end())
        all.push_back(one);
}

/// The elements of `choices` that a list names, each once.
template <typename T, std::size_t N>
std::vector<T> distinct_from(const core::Value& value,
                             const std::array<std::pair<std::string_view, T>, N>& choices)
{
    std::vector<T> all;
    for (const core::Value& one : value.list())
        add_distinct(all, one.choice(choices));
    if (all.empty())
        value.refuse("a list with at least one element");
    return all;
}

} // namespace senteval::run
