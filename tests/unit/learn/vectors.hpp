// vectors.hpp -- exact values written by NumPy, torch and scikit-learn, where they are at hand.
#pragma once

#include "base/json.hpp"
#include "learn/features.hpp"
#include "support/lcg.hpp"

#include <armadillo>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace senteval::test {

/// A file of the reference folder, such as "test_vectors.json".
std::optional<base::Json> reference_json(const std::string& name);

/// The numbers of an array given as {"hex": [...]}.
std::vector<double> exact(const base::Json& array);

/// Rows of numbers as the columns of a matrix.
arma::fmat columns_of(const base::Json& rows);

/// The data of mteb_vectors.json's fits, as columns: float of ((7919 i + 104729 j + 31 i j) mod 1000) / 1000, and 0.6 more
/// where i mod k = j mod k, of row i, column j.
arma::fmat mteb_rows(std::size_t rows, std::size_t dimension, std::size_t k);

/// 0 ... count - 1.
std::vector<std::uint32_t> first_numbers(std::size_t count);

/// A matrix together with the index of all its columns.
struct OwnColumns {
    explicit OwnColumns(arma::fmat values);

    [[nodiscard]] embedding::Embeddings embeddings() const { return {&matrix, index}; }
    [[nodiscard]] learn::Features features() const { return learn::Features::single(embeddings()); }

    arma::fmat matrix;
    std::vector<std::uint32_t> index;
};

/// The data of the recorded fits "LCG(seed 42) 600x8": each item's score depends on its features.
struct GoldenProblem {
    GoldenProblem();

    OwnColumns x;
    std::vector<double> scores;
    std::vector<std::uint32_t> y; ///< of three classes
};

/// Two or more classes in a plane of `dimension`-dimensional noise; most items can be told apart.
struct SmallProblem {
    OwnColumns x;
    std::vector<std::uint32_t> y;
};
SmallProblem
small_problem(std::size_t items, std::size_t dimension, std::size_t classes, std::uint32_t seed);

} // namespace senteval::test
