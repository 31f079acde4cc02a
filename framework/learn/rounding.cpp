#include "learn/rounding.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace senteval::learn {

namespace {

double pairwise_sum(std::span<const double> values)
{
    constexpr std::size_t lanes = 8;
    constexpr std::size_t block = 128;
    const std::size_t n = values.size();
    if (n < lanes) {
        double sum = 0;
        for (const double value : values)
            sum += value;
        return sum;
    }
    if (n > block) {
        const std::size_t half = n / 2 - n / 2 % lanes;
        return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
    }
    double r[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane)
        r[lane] = values[lane];
    std::size_t i = lanes;
    for (; i + lanes <= n; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            r[lane] += values[i + lane];
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i)
        sum += values[i];
    return sum;
}

} // namespace

double round_python(double x)
{
    const std::string text = fmt::format("{:.2f}", x);
    double rounded = 0;
    std::from_chars(text.data(), text.data() + text.size(), rounded); // in every locale
    return rounded;
}

double round_numpy(double x)
{
    return std::rint(x * 100) / 100;
}

double mean_numpy(std::span<const double> values)
{
    return pairwise_sum(values) / static_cast<double>(values.size());
}

} // namespace senteval::learn
