#include "check/trials.hpp"

namespace senteval::check {

std::span<const Trial> all_trials()
{
    static const std::vector<Trial> trials = {
        {"start",
         {{try_start,
           {"4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2", "5.6", "9.3", "10.1", "11.1", "11.2",
            "11.3", "11.5"}}}},
        // What these show is not believed by those that follow.
        {"determinism", {{try_determinism, {"12.3"}, SENTEVAL_CAP_DETERMINISTIC}}, true},
        {"invariance", {{try_batch_invariance, {"11.6", "12.1"}, SENTEVAL_CAP_BATCH_INVARIANT}}},
        {"state", {{try_process_state, {"6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7"}}}},
        {"parameters",
         {{try_parameters, {"8.3", "8.4", "8.5", "8.6"}}, {try_other_types, {"8.7"}}}},
        {"life",
         {{try_repeated_life, {"2.2", "5.3"}},
          {try_memory, {"2.3"}},
          {try_before_prepare, {"9.2"}},
          {try_prepare_again, {"9.1"}, 0, false, SENTEVAL_CAP_DETERMINISTIC},
          {try_failed_call, {"4.6"}, 0, false, SENTEVAL_CAP_DETERMINISTIC},
          {try_extensions, {"13.1"}},
          {try_kept_pointers, {"2.1"}}}},
        {"text",
         {{try_empty_batch, {"10.2"}},
          {try_empty_sentence, {"10.3"}, 0, true},
          {try_characters, {"10.4"}, 0, true},
          {try_lengths, {"10.5"}, 0, true},
          {try_places, {"10.6", "3.3"}},
          {try_text_edges, {"3.2"}},
          {try_matrix, {"11.4", "11.5"}, 0, false, SENTEVAL_CAP_DETERMINISTIC},
          {try_matrix_edges, {"11.3"}}}},
        {"claims",
         {{try_irrelevant_prepare, {"12.4"}, SENTEVAL_CAP_PREPARE_IRRELEVANT},
          {try_irrelevant_parameters, {"12.5"}, SENTEVAL_CAP_DETERMINISTIC}}},
        {"threads",
         {{try_thread_budget, {"5.4"}},
          {try_cancellation, {"5.5"}},
          {try_concurrent_batches, {"12.2"}, SENTEVAL_CAP_CONCURRENT_BATCHER},
          {try_two_instances, {"5.1"}, 0, false, SENTEVAL_CAP_DETERMINISTIC}}},
    };
    return trials;
}

} // namespace senteval::check
