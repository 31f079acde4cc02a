/* Statuses, reasons, exceptions and crashes. */
#include "correct.h"

/* From conduct_exceptions.cpp. */
senteval_status
throw_in_batcher(const senteval_call*, senteval_instance*, const senteval_batch*, senteval_matrix*);
senteval_status throw_on_a_thread(const senteval_call*,
                                  senteval_instance*,
                                  const senteval_batch*,
                                  senteval_matrix*);

BAD(throws_in_batcher, "4.1", .batcher = throw_in_batcher)
BAD(throws_on_a_thread, "4.1", .batcher = throw_on_a_thread)

BATCHER(crashing_batcher)
{
    crash();
    return ENCODED;
}
BAD(crashes_in_batcher, "4.2", .batcher = crashing_batcher)

static void crashing_destroy(senteval_instance* self)
{
    free(self);
    crash();
}
BAD(crashes_in_destroy, "4.2", .destroy = crashing_destroy)

BATCHER(silent_batcher)
{
    (void)call, (void)self, (void)batch, (void)out;
    return SENTEVAL_INTERNAL;
}
BAD(fails_without_reason, "4.3", .batcher = silent_batcher)

BATCHER(batcher_of_the_future)
{
    (void)self, (void)batch, (void)out;
    return fail_with(call, 4711, "a status that is not defined");
}
BAD(returns_no_status, "4.4", .batcher = batcher_of_the_future)

BATCHER(giving_up)
{
    (void)call, (void)self, (void)batch, (void)out;
    return SENTEVAL_CANCELLED;
}
BAD(cancels_itself, "4.5", .batcher = giving_up)

BATCHER(upset_by_cancellation)
{
    const senteval_status status = ENCODED;
    if (status == SENTEVAL_CANCELLED)
        self->scale *= 3;
    return status;
}
BAD(is_upset_by_cancellation,
    "4.6",
    .batcher = upset_by_cancellation,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)

CREATE(empty_create)
{
    const senteval_status status = CREATED;
    if (status == SENTEVAL_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
BAD(makes_nothing, "4.7", .create = empty_create)

CREATE(colourful_create)
{
    const senteval_string line = {"\x1b[31mloaded", 11};
    host->log(host, SENTEVAL_LOG_INFO, line);
    return CREATED;
}
BAD(logs_escape_sequences, "3.1", .create = colourful_create)
