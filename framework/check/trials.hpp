// trials.hpp -- what is tried with an encoder.
#pragma once

#include "check/bench.hpp"
#include "check/report.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::check {

inline constexpr std::string_view no_time = "there was no time left, see --limit-seconds";

struct Trial {
    std::vector<std::string_view> rules; ///< that it looks at
    void (*run)(Bench&);
    std::uint32_t claim = 0;     ///< SENTEVAL_CAP_* without which there is nothing to try
    bool needs_any_text = false; ///< beside sentences that the encoder may be said to know
    bool of_batcher = false;     ///< also of encode() of senteval_roles
};

/// The first is an ordinary run: where it fails, the others make no sense. What takes long with an encoder that is
/// slow to make or to encode comes late.
std::span<const Trial> all_trials();

// library.cpp: the library and its table

/// Loads the library and asks for its table; rules 1.1 to 1.3 and 1.6. Null where there is no table to
/// go on with.
const senteval_plugin* load_table(const std::filesystem::path& library, Report& report);

/// Tries the table: rules of groups 1, 7 and 8. Its result names the encoders: [{"id", "index",
/// "missing"}], where "missing" says which required parameters `settings` does not give.
void try_table(const std::filesystem::path& library,
               const std::vector<std::string>& settings,
               Report& report);

/// The settings "key=value" of the user, as the encoder declares them. Throws base::UsageError.
std::vector<encoder::Parameter> settings_of(const senteval_encoder& encoder,
                                            const std::vector<std::string>& settings);

// life_trials.cpp
void try_ordinary_run(Bench& bench);
void try_determinism(Bench& bench);
void try_repetition(Bench& bench);
void try_failed_call(Bench& bench);
void try_many_batches(Bench& bench);
void try_many_instances(Bench& bench);

// text_trials.cpp
void try_matrix(Bench& bench);
void try_strange_text(Bench& bench);
void try_long_text(Bench& bench);
void try_places(Bench& bench);

/// NUL, control characters and characters of every plane of Unicode.
std::vector<std::string> strange_sentences();

// claim_trials.cpp
void try_batches(Bench& bench);
void try_order(Bench& bench);
void try_more_instances(Bench& bench);
void try_concurrent_batches(Bench& bench);
void try_cancellation(Bench& bench);
void try_thread_budget(Bench& bench);

// extension_trials.cpp
void try_extensions(Bench& bench);
void try_roles(Bench& bench);

/// The text that state() has given; a refusal is a finding.
senteval_string state_of(Bench& bench, Instance& instance, const encoder::Extensions& extensions);

/// A hash of what is stated, as far as it may be read.
std::size_t hash_of(senteval_string stated);

// parameter_trials.cpp
void try_missing_parameters(Bench& bench);
void try_values(Bench& bench);
void try_other_types(Bench& bench);
void try_irrelevant_parameters(Bench& bench);

/// The defaults that are values: "nothing" of a list, a path or a text is none.
std::vector<encoder::Parameter> default_settings(const Bench& bench);

/// The user's settings, and another value of every number and flag that has all of these SENTEVAL_PARAM_*.
std::vector<encoder::Parameter> other_settings(const Bench& bench, std::uint32_t flags);

} // namespace senteval::check
