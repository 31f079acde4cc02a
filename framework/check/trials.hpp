// trials.hpp -- what is tried with an encoder, in processes of their own.
#pragma once

#include "check/bench.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::check {

/// Something that is tried. What it leaves behind does not colour the parts after it, unless it crashes:
/// these then begin in another process.
struct Part {
    void (*run)(Bench&);
    std::vector<std::string_view> rules; ///< that it looks at
    std::uint32_t claim = 0;             ///< SENTEVAL_CAP_* without which there is nothing to try
    bool needs_any_text = false;         ///< beside sentences that it may be said to know
    std::uint32_t compares = 0; ///< SENTEVAL_CAP_* by which it compares: it tries less without
    double weight = 0; ///< of what it may repeat as often as there is time; 0: it repeats nothing
};

struct Trial {
    std::string_view name;
    std::vector<Part> parts;
    bool twice = false; ///< in two processes, whose results have to be the same
};

/// The first is an ordinary run: where it fails, the others make no sense.
std::span<const Trial> all_trials();

/// Of this part and of all that come after it: what has been spent of the limit so far is gone. `is_slow`: see
/// Bench.
Allowance
allowance(const Trial& trial, std::size_t part, Seconds limit, Seconds spent, bool is_slow);

/// Another value than the default of a number or a flag; nothing of other types.
std::optional<Setting> another_value(const senteval_param_spec& spec);

// Of single files.
void try_start(Bench& bench);
void try_process_state(Bench& bench);
void try_parameters(Bench& bench);
void try_other_types(Bench& bench);
void try_repeated_life(Bench& bench);
void try_before_prepare(Bench& bench);
void try_prepare_again(Bench& bench);
void try_kept_pointers(Bench& bench);
void try_failed_call(Bench& bench);
void try_matrix(Bench& bench);
void try_matrix_edges(Bench& bench);
void try_empty_batch(Bench& bench);
void try_empty_sentence(Bench& bench);
void try_characters(Bench& bench);
void try_lengths(Bench& bench);
void try_places(Bench& bench);
void try_text_edges(Bench& bench);
void try_batch_invariance(Bench& bench);
void try_determinism(Bench& bench);
void try_irrelevant_prepare(Bench& bench);
void try_irrelevant_parameters(Bench& bench);
void try_concurrent_batches(Bench& bench);
void try_two_instances(Bench& bench);
void try_thread_budget(Bench& bench);
void try_cancellation(Bench& bench);
void try_memory(Bench& bench);
void try_extensions(Bench& bench);

} // namespace senteval::check
