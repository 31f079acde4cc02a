// trials.hpp -- what is tried with an encoder. Each trial runs in a process of its own.
#pragma once

#include "check/bench.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::check {

struct Trial {
    std::string_view name;
    std::vector<std::string_view> rules; ///< that it looks at
    void (*run)(Bench&);
    std::uint32_t claim = 0;     ///< SENTEVAL_CAP_* without which there is nothing to try
    bool needs_any_text = false; ///< beside sentences that the encoder may be said to know
    bool twice = false;          ///< in two processes, whose results have to be the same
};

/// The first is an ordinary run: where it fails, the others make no sense.
std::span<const Trial> all_trials();

/// Another value than the default of a number or a flag; nothing of other types.
std::optional<Setting> another_value(const senteval_param_spec& spec);

// start_trials.cpp
void try_start(Bench& bench);
void try_extensions(Bench& bench);

// parameter_trials.cpp
void try_defaults(Bench& bench);
void try_values(Bench& bench);
void try_other_types(Bench& bench);
void try_irrelevant_parameters(Bench& bench);

// life_trials.cpp
void try_before_prepare(Bench& bench);
void try_prepare_again(Bench& bench);
void try_threads_end(Bench& bench);
void try_many_instances(Bench& bench);
void try_many_batches(Bench& bench);
void try_kept_pointers(Bench& bench);
void try_failed_call(Bench& bench);

// text_trials.cpp
void try_matrix(Bench& bench);
void try_empty_batch(Bench& bench);
void try_empty_sentence(Bench& bench);
void try_characters(Bench& bench);
void try_lengths(Bench& bench);
void try_places(Bench& bench);

// claim_trials.cpp
void try_order(Bench& bench);
void try_batches(Bench& bench);
void try_determinism(Bench& bench);
void try_irrelevant_prepare(Bench& bench);

// thread_trials.cpp
void try_two_instances(Bench& bench);
void try_instances_at_once(Bench& bench);
void try_concurrent_batches(Bench& bench);
void try_thread_budget(Bench& bench);
void try_cancellation(Bench& bench);

} // namespace senteval::check
