// bag_of_words.hpp -- real datasets as means of GloVe vectors: just enough to compare learned scores
// with those of the original.
#pragma once

#include "vectors.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace senteval::test {

/// One part of a dataset, in the order of its protocol.
struct Part {
    std::vector<std::vector<std::string>> first;  ///< tokens
    std::vector<std::vector<std::string>> second; ///< of pairs
    std::vector<double> label;
};

/// Nothing where the data or the vectors are not at hand.
std::optional<std::vector<Part>> read_cr();
std::optional<std::vector<Part>> read_trec();                 ///< train, test
std::optional<std::vector<Part>> read_sick(bool relatedness); ///< train, trial, test

/// Means of the known words' vectors of every sentence, in order.
std::optional<arma::fmat> embed(const std::vector<std::vector<std::string>>& sentences);

} // namespace senteval::test
