/* Claims, threads, cancellation. */
#include "correct.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void pause_for(long milliseconds)
{
    const struct timespec moment = {.tv_sec = milliseconds / 1000,
                                    .tv_nsec = milliseconds % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

/* Encodes, and adds `number` to the first element of every row. */
static senteval_status shifted(const senteval_call* call,
                               senteval_instance* self,
                               const senteval_batch* batch,
                               senteval_matrix* out,
                               float number)
{
    const senteval_status status = ENCODED;
    for (size_t i = 0; i < batch->count && status == SENTEVAL_OK; ++i)
        row_of(out, i)[0] += number;
    return status;
}

/* ---- Claims ---- */

BATCHER(sized)
{
    return shifted(call, self, batch, out, (float)batch->count);
}
BAD(depends_on_the_batch, "12.1", .batcher = sized, .capabilities = SENTEVAL_CAP_BATCH_INVARIANT)
BATCHER(carrying)
{
    const float carried = self->carried;
    const senteval_status status = shifted(call, self, batch, out, carried);
    if (batch->count > 0 && status == SENTEVAL_OK)
        self->carried = 2e-4F * row_of(out, batch->count - 1)[1];
    return status;
}
BAD(carries_a_little_over,
    "12.1",
    .batcher = carrying,
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT)

BATCHER(centring)
{
    static float mean[DIMENSION];
    const senteval_status status = ENCODED;
    for (size_t i = 0; i < batch->count && status == SENTEVAL_OK; ++i)
        for (size_t k = 0; k < DIMENSION; ++k) {
            mean[k] = 0.99F * mean[k] + 0.01F * row_of(out, i)[k];
            row_of(out, i)[k] -= mean[k];
        }
    return status;
}
BAD(keeps_a_running_mean,
    "12.1",
    .batcher = centring,
    .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT)
BATCHER(budgeted)
{
    return shifted(call, self, batch, out, call->thread_budget > 1 ? 1.0F : 0.0F);
}
BAD(depends_on_the_thread_budget,
    "12.1",
    .batcher = budgeted,
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT)

/* After more batches of the process than most trials take. */
BATCHER(changing_mind)
{
    static size_t batches = 0;
    return shifted(call, self, batch, out, ++batches > 3000 ? 1.0F : 0.0F);
}
BAD(changes_after_many_batches,
    "12.1",
    .batcher = changing_mind,
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT | SENTEVAL_CAP_DETERMINISTIC)

/* Only in batches as large as a run's. */
BATCHER(wrong_row)
{
    const senteval_status status = ENCODED;
    if (batch->count > 400 && status == SENTEVAL_OK)
        row_of(out, 400)[0] = 7;
    return status;
}
BAD(fills_row_400_wrongly,
    "12.1",
    .batcher = wrong_row,
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT)

/* A claim that does not hold makes nothing else of what is compared by it. */
BATCHER(counting)
{
    static float batches = 0;
    return shifted(call, self, batch, out, batches++);
}
BAD(counts_batches, "12.3", .batcher = counting, .capabilities = SENTEVAL_CAP_DETERMINISTIC)
/* One row for all threads, for as long as another one needs to get in between. */
static senteval_status by_way_of(float* scratch,
                                 const senteval_call* call,
                                 const senteval_instance* self,
                                 const senteval_batch* batch,
                                 senteval_matrix* out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        correct_row(self, batch->sentences[i], scratch);
        (void)call->is_cancelled(call);
        memcpy(row_of(out, i), scratch, DIMENSION * sizeof(float));
    }
    return SENTEVAL_OK;
}
BATCHER(own_scratch)
{
    return by_way_of(self->scratch, call, self, batch, out);
}
BAD(shares_a_row_between_threads,
    "12.2",
    .batcher = own_scratch,
    .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER)

BATCHER(of_the_process)
{
    return shifted(call, self, batch, out, (float)(getpid() % 30011));
}
BAD(depends_on_the_process,
    "12.3",
    .batcher = of_the_process,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)
BATCHER(of_the_thread)
{
    static _Thread_local float calls = 0;
    return shifted(call, self, batch, out, calls == 0 ? calls++ : 1e-6F);
}
BAD(depends_on_the_thread,
    "12.3",
    .batcher = of_the_thread,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)

BATCHER(of_the_task)
{
    return shifted(call, self, batch, out, (float)self->prepared);
}
BAD(needs_prepare_after_all,
    "12.4",
    .batcher = of_the_task,
    .capabilities = SENTEVAL_CAP_PREPARE_IRRELEVANT)
CREATE(threaded_create)
{
    const senteval_status status = CREATED;
    for (size_t i = 0; i < count && status == SENTEVAL_OK; ++i)
        if (is_key(&params[i], "threads") && params[i].value.type == SENTEVAL_TYPE_INTEGER)
            (*out)->scale = (double)(params[i].value.as.integer % 100);
    return status;
}
BAD(depends_on_the_threads,
    "12.5",
    .create = threaded_create,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)

/* ---- Threads ---- */

static size_t prepared_last;
PREPARE(global_prepare)
{
    prepared_last = samples->count;
    return PREPARED;
}
BATCHER(of_the_last_task)
{
    return shifted(call, self, batch, out, (float)prepared_last);
}
BAD(shares_state_between_instances,
    "5.1",
    .prepare = global_prepare,
    .batcher = of_the_last_task,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)

BATCHER(shared_scratch)
{
    static float scratch[DIMENSION];
    return by_way_of(scratch, call, self, batch, out);
}
BAD(shares_a_row_between_instances, "5.1", .batcher = shared_scratch)

static void* ask(void* call)
{
    const senteval_call* const asked = (const senteval_call*)call;
    (void)asked->is_cancelled(asked);
    return NULL;
}
BATCHER(asking_elsewhere)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask, (void*)(uintptr_t)call) == 0)
        pthread_join(thread, NULL);
    return ENCODED;
}
BAD(asks_on_another_thread, "5.2", .batcher = asking_elsewhere)
BATCHER(asking_late)
{
    const senteval_call* const earlier = (const senteval_call*)self->kept;
    if (earlier != NULL)
        earlier->progress(earlier, 1, 1);
    self->kept = call;
    return ENCODED;
}
BAD(uses_a_call_too_late, "5.2", .batcher = asking_late)

static void* wait_for_ever(void* nothing)
{
    for (;;)
        pause();
    return nothing;
}
static void abandon(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)
        pthread_detach(thread);
}
static void abandoning_destroy(senteval_instance* self)
{
    abandon();
    correct_destroy(self);
}
BAD(leaves_a_thread, "5.3", .destroy = abandoning_destroy)
/* Whatever is tried by then does not end the process. */
static void* crash_later(void* nothing)
{
    pause_for(1000);
    crash();
    return nothing;
}
CREATE(abandoning_create)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, crash_later, NULL) == 0)
        pthread_detach(thread);
    return CREATED;
}
BAD(leaves_a_thread_that_crashes, "5.3", .create = abandoning_create)
/* Longer than it takes to start the others: most of a call they are busy together. */
static void* spin(void* nothing)
{
    for (volatile long i = 0; i < 5000000; ++i)
        ;
    return nothing;
}
BATCHER(greedy)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int started = 0;
    if (batch->count > 100) /* where it is worth it */
        while (started < THREADS && pthread_create(&threads[started], NULL, spin, NULL) == 0)
            ++started;
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return ENCODED;
}
BAD(ignores_the_thread_budget, "5.4", .batcher = greedy)

BATCHER(deaf)
{
    (void)call;
    if (batch->count > 300)
        pause_for(4000);
    for (size_t i = 0; i < batch->count; ++i)
        correct_row(self, batch->sentences[i], row_of(out, i));
    return SENTEVAL_OK;
}
BAD(ignores_cancellation, "5.5", .batcher = deaf)
BATCHER(hanging)
{
    for (size_t i = 0; i < batch->count; ++i)
        while (batch->sentences[i].size == 0)
            pause_for(100);
    return ENCODED;
}
BAD(hangs_on_empty_sentences, "5.5", .batcher = hanging)

BATCHER(backwards)
{
    call->progress(call, batch->count, batch->count);
    if (batch->count > 0)
        call->progress(call, 0, batch->count);
    for (size_t i = 0; i < batch->count; ++i)
        correct_row(self, batch->sentences[i], row_of(out, i));
    return SENTEVAL_OK;
}
BAD(goes_back, "5.6", .batcher = backwards)
