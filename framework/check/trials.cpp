#include "check/trials.hpp"

namespace senteval::check {

std::span<const Trial> all_trials()
{
    static const std::vector<Trial> trials = {
        {"an ordinary run",
         {"4.1", "4.2", "4.3", "4.4", "4.5", "4.7", "5.2",  "5.6",  "6.1",  "6.2",  "6.3",
          "6.4", "6.5", "6.6", "6.7", "6.8", "9.3", "10.1", "11.1", "11.2", "11.3", "11.5"},
         try_start},
        // Where a thread is left behind, it may crash whenever it likes.
        {"threads end with their instance", {"5.3"}, try_threads_end},
        // Where an instance keeps others from going on, nothing else that makes a second one is to blame.
        {"several instances at once", {"5.1"}, try_instances_at_once},
        // Claims that do not hold are not believed by the trials that follow.
        {"the same bits again", {"12.3"}, try_determinism, SENTEVAL_CAP_DETERMINISTIC, false, true},
        {"batches in another order", {"12.1"}, try_order, SENTEVAL_CAP_BATCH_INVARIANT},
        {"batches of other sentences", {"11.6", "12.1"}, try_batches, SENTEVAL_CAP_BATCH_INVARIANT},
        {"two instances", {"5.1"}, try_two_instances},
        {"parameters left out", {"8.3", "8.4", "8.6"}, try_defaults},
        {"values of parameters", {"8.5"}, try_values},
        {"parameters of other types", {"8.7"}, try_other_types},
        {"before prepare()", {"9.2"}, try_before_prepare},
        {"prepare() again", {"9.1"}, try_prepare_again},
        {"extensions", {"13.1"}, try_extensions},
        {"many batches", {"2.3"}, try_many_batches},
        {"after a failed call", {"4.6"}, try_failed_call},
        {"many instances", {"2.2"}, try_many_instances},
        {"pointers", {"2.1"}, try_kept_pointers},
        {"an empty batch", {"10.2"}, try_empty_batch},
        {"an empty sentence", {"10.3"}, try_empty_sentence, 0, true},
        {"characters", {"10.4"}, try_characters, 0, true},
        {"lengths", {"10.5"}, try_lengths, 0, true},
        {"where text lies", {"3.2", "3.3", "10.6"}, try_places},
        {"the matrix", {"11.3", "11.4", "11.5"}, try_matrix},
        {"prepare() that does not matter",
         {"12.4"},
         try_irrelevant_prepare,
         SENTEVAL_CAP_PREPARE_IRRELEVANT},
        {"parameters that do not matter",
         {"12.5"},
         try_irrelevant_parameters,
         SENTEVAL_CAP_DETERMINISTIC},
        {"threads", {"5.4"}, try_thread_budget},
        {"cancellation", {"5.5"}, try_cancellation},
        {"overlapping batches", {"12.2"}, try_concurrent_batches, SENTEVAL_CAP_CONCURRENT_BATCHER},
    };
    return trials;
}

} // namespace senteval::check
