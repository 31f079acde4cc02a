// classes.hpp -- the classes of test items whose outcomes are of the kind "class".
#pragma once

#include "results/outcomes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace senteval::results {

struct Classes {
    std::vector<std::uint32_t> gold;
    std::vector<std::uint32_t> predicted;

    void add(std::span<const ItemOutcome> rows)
    {
        for (const ItemOutcome& row : rows) {
            gold.push_back(static_cast<std::uint32_t>(row.gold));
            predicted.push_back(static_cast<std::uint32_t>(row.prediction));
        }
    }
};

} // namespace senteval::results
