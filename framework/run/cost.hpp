// cost.hpp -- what cells will cost, told from sizes before anything is computed.
//
// Seconds are those of one thread of a processor of 2024 (3 GHz, AVX-512), measured on published sets at 100 to
// 4096 dimensions; another machine differs by a factor, which results computed there tell. How many
// passes a fit takes is known afterwards only: single cells differ from this by a factor of up to 2.
#pragma once

#include "core/json.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace senteval::run {

/// What is known of a task's data without an encoder.
struct TaskSize {
    task::Size size;
    std::size_t sentences = 0; ///< of the task
    std::size_t distinct = 0;  ///< of these, different ones
};

[[nodiscard]] TaskSize size_of(const task::LoadedTask& loaded);

/// Reads the task's data for it. Where that cannot be read, a guess by the size of its files.
[[nodiscard]] TaskSize
size_of(const task::Task& task, const std::filesystem::path& data, std::size_t limit);

/// By the size of the task's files alone, where reading them is not worth it: lines of a usual length, of two
/// classes.
[[nodiscard]] TaskSize
guessed_size(const task::Task& task, const std::filesystem::path& data, std::size_t limit);

/// Of a cell: all that is done with vectors of that dimension. `settings`: Task::protocol_settings().
[[nodiscard]] double
fit_seconds(const core::Json& settings, const task::Size& size, std::size_t dimension);

/// How many threads a cell's fit can keep busy: by its folds.
[[nodiscard]] std::size_t fit_jobs(const core::Json& settings);

/// How many processes: folds can be anywhere, what else threads do cannot.
[[nodiscard]] std::size_t fit_processes(const core::Json& settings);

/// Of a cell whose folds are worth dividing among processes: each reads the data and loads the encoder first.
inline constexpr double long_cell_seconds = 4;

/// Of a sentence, by a light encoder; where nothing else is known.
inline constexpr double usual_encode_seconds = 2e-5;

/// Bytes of the vectors of a task, and of what a cell holds beside them where memory is there: features
/// of pairs; of normalised vectors a copy for each thread.
[[nodiscard]] std::uint64_t vector_bytes(const TaskSize& size, std::size_t dimension);
[[nodiscard]] std::uint64_t feature_bytes(const core::Json& settings,
                                          const task::Size& size,
                                          std::size_t dimension,
                                          unsigned threads);

} // namespace senteval::run
