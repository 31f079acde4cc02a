#include "check/trials.hpp"

#include <algorithm>

namespace senteval::check {

std::span<const Trial> all_trials()
{
    constexpr std::uint32_t deterministic = SENTEVAL_CAP_DETERMINISTIC;
    static const std::vector<Trial> trials = {
        {"start",
         {{try_start,
           {"4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2", "5.6", "9.3", "10.1", "11.1", "11.2",
            "11.3", "11.5"}}}},
        // Where an instance keeps others from going on, nothing else that makes a second one is to blame.
        {"instances", {{try_two_instances, {"5.1"}, 0, false, 0, 1.5}}},
        // What these show is not believed by those that follow.
        {"determinism", {{try_determinism, {"12.3"}, deterministic, false, 0, 1.5}}, true},
        {"invariance",
         {{try_batch_invariance, {"11.6", "12.1"}, SENTEVAL_CAP_BATCH_INVARIANT, false, 0, 3},
          {try_cancellation, {"5.5"}}}},
        {"state", {{try_process_state, {"6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7"}}}},
        {"parameters",
         {{try_parameters, {"8.3", "8.4", "8.5", "8.6"}, 0, false, 0, 2},
          {try_other_types, {"8.7"}, 0, false, 0, 1}}},
        {"life",
         {{try_before_prepare, {"9.2"}}, // with the first instance of the process
          {try_prepare_again, {"9.1"}, 0, false, deterministic},
          {try_extensions, {"13.1"}},
          {try_memory, {"2.3"}, 0, false, 0, 2},
          {try_failed_call, {"4.6"}, 0, false, deterministic}, // the end of that instance
          {try_repeated_life, {"2.2", "5.3"}, 0, false, 0, 2},
          {try_kept_pointers, {"2.1"}}}},
        {"text",
         {{try_empty_batch, {"10.2"}},
          {try_empty_sentence, {"10.3"}, 0, true},
          {try_characters, {"10.4"}, 0, true, 0, 1},
          {try_lengths, {"10.5"}, 0, true, 0, 2},
          {try_places, {"10.6", "3.3"}},
          {try_text_edges, {"3.2"}},
          {try_matrix, {"11.4", "11.5"}, 0, false, deterministic},
          {try_matrix_edges, {"11.3"}},
          {try_irrelevant_prepare, {"12.4"}, SENTEVAL_CAP_PREPARE_IRRELEVANT},
          {try_irrelevant_parameters, {"12.5"}, deterministic}}},
        {"threads",
         {{try_thread_budget, {"5.4"}, 0, false, 0, 1},
          {try_concurrent_batches, {"12.2"}, SENTEVAL_CAP_CONCURRENT_BATCHER, false, 0, 2}}},
    };
    return trials;
}

Allowance
allowance(const Trial& trial, std::size_t part, Seconds limit, Seconds spent, bool is_slow)
{
    const auto trials = all_trials();
    double weights = 0;
    for (const Trial* one = &trial; one != trials.data() + trials.size(); ++one)
        for (std::size_t p = one == &trial ? part : 0; p < one->parts.size(); ++p)
            weights += one->parts[p].weight;
    const Seconds left = std::max(Seconds(0), limit - spent);
    // What makes an instance slowly takes its time without any repetition.
    const Seconds planned = std::max(Seconds(0), limit / (is_slow ? 3 : 2) - spent);
    const bool is_first = &trial == trials.data();
    return {weights == 0 ? Seconds(0) : planned * trial.parts[part].weight / weights,
            is_first ? left : left / 2};
}

} // namespace senteval::check
