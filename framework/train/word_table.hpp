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

#include "core/aligned.hpp"
#include "learn/optimizer.hpp"
#include "train/columns.hpp"
#include "train/corpus.hpp"
#include "train/objective.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::train {

/// Rows are kept in parts of their columns, each in memory of its own: threads that read and move
/// different parts of the same words then never write to neighbouring lines.
class WordTable {
public:
    /// Of `words` rows of `dimension` values. `penalty` is rate * strength.
    WordTable(std::size_t words,
              std::size_t dimension,
              const std::vector<Columns>& parts,
              float initial_square,
              double penalty);

    [[nodiscard]] std::size_t words() const noexcept { return last_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] std::size_t parts() const noexcept { return parts_.size(); }
    [[nodiscard]] const Columns& columns(std::size_t part) const noexcept
    {
        return parts_[part].columns;
    }

    /// The values in the columns of each part.
    [[nodiscard]] const std::vector<WordMatrix<float>>& matrices() const noexcept
    {
        return matrices_;
    }

    /// The values a row begins with: fill them, then begin().
    [[nodiscard]] std::span<float> initial(Word word)
    {
        return {initial_.data() + word * dimension_, dimension_};
    }
    [[nodiscard]] std::span<const float> initial(Word word) const
    {
        return {initial_.data() + word * dimension_, dimension_};
    }
    void begin();

    /// The values of a row, to `out`.
    void read(Word word, std::span<float> out) const;

    /// Whether all values are numbers, also the square of each row's length.
    [[nodiscard]] bool is_finite() const;

    /// Brings a row to where it is after step `step`: before it is read in the next one. Different rows from
    /// any threads.
    void catch_up(Word word, std::uint64_t step);
    /// A part of it, for a step that update()s the row.
    void catch_up(Word word, std::uint64_t step, std::size_t part);

    /// Step number `step` (from 1) of a part of a row that has caught up with the step before; then
    /// note() is due. `gradient` has its values, those behind the dimension 0, at a cache line.
    void update(Word word,
                std::size_t part,
                learn::Method method,
                const learn::StepConstants& constants,
                const float* gradient);

    /// Says that all parts of a row take step `step`. While no thread brings it up.
    void note(Word word, std::uint64_t step) { last_[word] = step; }

    /// Tells the processor that a part of a row will be updated soon.
    void prefetch(Word word, std::size_t part) const noexcept
    {
        const std::size_t floats = parts_[part].row_floats();
        const float* const row = parts_[part].values.get() + word * floats;
        for (std::size_t i = 0; i < floats; i += core::line_floats)
            __builtin_prefetch(row + i, 1);
    }

    /// All state but the initial values, for a checkpoint: the same bytes in any parts.
    void save(const std::function<void(std::string_view)>& sink) const;
    [[nodiscard]] std::size_t saved_bytes() const noexcept;
    void load(std::string_view bytes); ///< saved_bytes() of them

private:
    struct Part {
        Columns columns;
        core::FloatBlock values; ///< of each row: values, the optimiser's first and second

        [[nodiscard]] std::size_t row_floats() const noexcept { return 3 * columns.count(); }
    };

    [[nodiscard]] bool is_behind(Word word, std::uint64_t step) const noexcept
    {
        return kept_ != 1 && last_[word] > 0 && last_[word] < step;
    }
    void pull(Word word, const Part& part, float kept);

    std::size_t dimension_;
    std::size_t stride_; ///< of a row of all columns
    float initial_square_;
    double kept_; ///< of the way from the initial values, in each step
    std::vector<Part> parts_;
    std::vector<WordMatrix<float>> matrices_;
    std::vector<float> initial_;
    std::vector<std::uint64_t> last_; ///< step that a row has caught up with; 0: it never moved
};

} // namespace senteval::train
