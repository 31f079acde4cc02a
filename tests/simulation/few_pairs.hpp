// few_pairs.hpp -- equal encoders on similarity tasks of few pairs, judged as the comparison does.
#pragma once

#include <cstddef>
#include <string>

namespace senteval::test {

/// Share of `draws` tasks of `pairs` pairs each on which some one of `rows` equal encoders is called worse by the
/// metric ("pearson", "spearman" or "mse"). Predictions are the gold score and noise of each encoder's own:
/// normal, or Student's t with `freedom` degrees, which has gross errors; 0: normal.
double few_pairs_rejections(std::size_t rows,
                            std::size_t pairs,
                            const std::string& metric,
                            std::size_t freedom,
                            std::size_t draws);

} // namespace senteval::test
