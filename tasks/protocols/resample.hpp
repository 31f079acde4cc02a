// resample.hpp -- halves of a training part: what would another training set have given?
#pragma once

#include "core/json.hpp"
#include "task/settings.hpp"
#include "tasks/dataset.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace senteval::tasks {

/// For each of `count` items whether it is in the random half of that number (half of them rounded
/// down, drawn without replacement). The same for every encoder and seed. Half 2 is the complement of half 1
/// (but for an item left over), half 4 that of half 3, and so on.
std::vector<bool> half_of(std::size_t count, std::uint32_t number);

/// The part that is learned from under the settings: itself, or its half in the same order.
class TrainingPart {
public:
    TrainingPart(const Part& whole, const task::Settings& settings);

    [[nodiscard]] const Part& operator*() const noexcept { return half_ ? *half_ : whole_; }

private:
    const Part& whole_;
    std::optional<Part> half_;
};

/// Says which half, for protocol settings; nothing where it is the whole.
void add_resample(core::Json& json, const task::Settings& settings);

} // namespace senteval::tasks
