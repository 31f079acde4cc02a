// equivalence.hpp -- whether two rows differ by less than a margin that does not matter.
#pragma once

#include "compare/family.hpp"
#include "compare/inference.hpp"

#include <cstddef>

namespace senteval::compare {

/// P-value of "the difference is as large as the margin, or larger", in the metric's unit: two one-sided tests
/// (Schuirmann 1987), adjusted like the others. Of the items alone, too: a difference that is there varies with them
/// at least, whatever the seeds do. And no less than the probability that so few answers differ where as
/// many do as the margin takes: of 50 equal answers one in a hundred may well differ.
/// Of correlations no less than by the limits that Zou (2007, Psychological Methods 12:4) takes from Fisher's of each:
/// where the lower of two is high by chance, it also varies less, and Student's t is too sure of it.
double p_of_equivalence(const Judged& judged,
                        std::size_t first,
                        std::size_t second,
                        const Difference& difference,
                        double margin);

} // namespace senteval::compare
