#include "tasks/protocols/resample.hpp"

#include "stats/counter_stream.hpp"

#include <cstddef>
#include <numeric>
#include <utility>

namespace senteval::tasks {

std::vector<bool> half_of(std::size_t count, std::uint32_t number)
{
    constexpr std::uint64_t seed = 1111;
    const bool complement = number % 2 == 0;
    stats::CounterStream random(seed, (number + 1) / 2);
    std::vector<std::size_t> items(count);
    std::iota(items.begin(), items.end(), std::size_t{0});
    std::vector<bool> chosen(count);
    const std::size_t half = count / 2;
    for (std::size_t i = 0; i < 2 * half; ++i) {
        const auto left = static_cast<double>(count - i);
        std::swap(items[i], items[i + static_cast<std::size_t>(random.uniform() * left)]);
        chosen[items[i]] = (i < half) != complement;
    }
    return chosen;
}

TrainingPart::TrainingPart(const Part& whole, const task::Settings& settings) : whole_(whole)
{
    if (settings.resample == 0)
        return;
    half_ = whole;
    const auto chosen = half_of(whole.size(), settings.resample);
    std::erase_if(half_->order, [&](std::uint32_t item) { return !chosen[item]; });
}

void add_resample(core::Json& json, const task::Settings& settings)
{
    if (settings.resample > 0)
        json["resample"] = settings.resample;
}

} // namespace senteval::tasks
