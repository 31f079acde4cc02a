// classes.hpp -- what a classifier's predictions are worth, class by class and together: scikit-learn's report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::measures {

/// Shares; one of nothing (0 / 0) is 0.
struct ClassScores {
    double precision = 0;
    double recall = 0;
    double f1 = 0;
};

struct ClassReport {
    double accuracy = 0;
    ClassScores macro;                ///< mean over the classes that are gold or predicted
    ClassScores weighted;             ///< the same, weighted by gold items
    std::vector<ClassScores> classes; ///< by number
    std::vector<std::size_t>
        confusion; ///< classes x classes: items by gold class (row) and predicted one
};

/// Class numbers are below `classes`. Throws base::Error where the lists differ in length or are empty.
ClassReport class_report(std::span<const std::uint32_t> gold,
                         std::span<const std::uint32_t> predicted,
                         std::size_t classes);

} // namespace senteval::measures
