// word_table.hpp -- the word vectors in training: values, where they began, and what the optimiser
// keeps of each.
//
// A step of the optimiser moves the rows of the words that its batch has (as torch's SparseAdam), and
// the penalty strength / 2 * |W - W_initial|^2 takes a gradient step of its own after it,
//
//     W <- W_initial + (1 - rate * strength) (W - W_initial),
//
// on every row. It is paid when a row is looked at: a row that missed n steps moves by the n-th power,
// which is what n steps would have done, and rows that never moved have nothing to pay.
#pragma once

#include "annex/corpus.hpp"
#include "annex/objective.hpp"
#include "core/aligned.hpp"
#include "learn/optimizer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::annex {

class WordTable {
public:
    /// A table of `words` rows of `dimension` values. `penalty` is rate * strength.
    WordTable(std::size_t words, std::size_t dimension, float initial_square, double penalty);

    [[nodiscard]] std::size_t words() const noexcept { return last_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] WordMatrix<float> matrix() const noexcept { return {rows_.get(), 3 * stride_}; }
    [[nodiscard]] std::span<const float> row(Word word) const noexcept
    {
        return {rows_.get() + word * 3 * stride_, dimension_};
    }

    /// The values a row begins with: fill them, then begin().
    [[nodiscard]] std::span<float> initial(Word word)
    {
        return {initial_.data() + word * dimension_, dimension_};
    }
    void begin();

    /// All that steps change.
    [[nodiscard]] std::vector<std::span<char>> memory() noexcept;

    /// Whether all values are numbers, also the square of each row's length.
    [[nodiscard]] bool is_finite() const;

    /// Brings a row to where it is after step `step`: before it is read in the next one. Different rows from
    /// any threads.
    void catch_up(Word word, std::uint64_t step);

    /// Step number `step` (from 1) of a row that has caught up with the step before. `gradient` has its
    /// values and zeros up to a whole line. Different rows from any threads.
    void update(Word word,
                std::uint64_t step,
                learn::Method method,
                const learn::StepConstants& constants,
                const float* gradient);

private:
    void pull(Word word, double kept);

    std::size_t dimension_;
    std::size_t stride_;
    float initial_square_;
    double kept_;           ///< of the way from the initial values, in each step
    core::FloatBlock rows_; ///< of each word: values, the optimiser's first and second
    std::vector<float> initial_;
    std::vector<std::uint64_t> last_; ///< step that a row has caught up with; 0: it never moved
};

} // namespace senteval::annex
