/* Parameters, instances, memory, state of the process. */
#include "correct.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const senteval_param* given(const senteval_param* params, size_t count, const char* key)
{
    for (size_t i = 0; i < count; ++i)
        if (is_key(&params[i], key))
            return &params[i];
    return NULL;
}

/* ---- Parameters ---- */

CREATE(refusing_default)
{
    const senteval_param* const number = given(params, count, "count");
    if (number != NULL && number->value.as.integer == 2)
        return fail_with(call, SENTEVAL_INVALID_ARGUMENT, "'count' must not be 2");
    return CREATED;
}
BAD(refuses_its_default, "8.3", .create = refusing_default)

SPEC(file_spec,
     "file",
     SENTEVAL_PARAM_REQUIRED,
     "A file.",
     SENTEVAL_TYPE_STRING,
     .string = {NULL, 0})
static const senteval_param_spec* const with_file[] = {&scale_spec, &file_spec};
BAD(starts_without_its_file, "8.4", .params = with_file, .param_count = 2)

CREATE(overflowing)
{
    const senteval_param* const number = given(params, count, "count");
    if (number != NULL && number->value.as.integer == INT64_MAX)
        crash();
    return CREATED;
}
BAD(crashes_on_a_large_number, "8.5", .create = overflowing)
CREATE(path_taker)
{
    return given(params, count, "model") != NULL ? correct_create(call, host, NULL, 0, out)
                                                 : CREATED;
}
BAD(takes_a_missing_path, "8.6", .create = path_taker)
CREATE(strict)
{
    for (size_t i = 0; i < count; ++i)
        if (params[i].key.size > 12)
            crash();
    return CREATED;
}
BAD(crashes_on_an_unknown_key, "8.7", .create = strict)
/* ---- Pointers and memory ---- */

CREATE(keeping_create)
{
    const senteval_status status = CREATED;
    const senteval_param* const word = given(params, count, "word");
    if (status == SENTEVAL_OK && word != NULL && word->value.type == SENTEVAL_TYPE_STRING)
        (*out)->kept = word->value.as.string.data;
    return status;
}
BATCHER(reading_kept)
{
    if (self->kept != NULL)
        self->scale *= *(volatile const char*)self->kept == 'm' ? 1 : 2;
    return ENCODED;
}
BAD(keeps_its_parameters, "2.1", .create = keeping_create, .batcher = reading_kept)
PREPARE(keeping_prepare)
{
    self->kept = samples->count > 0 ? samples->sentences[0].data : NULL;
    self->kept_size = samples->count;
    return PREPARED;
}
BATCHER(reading_prepared)
{
    if (self->kept_size > 1) /* the first of several, which none that is tried has empty */
        self->kept_size += *(volatile const char*)self->kept == 0 ? 0 : 1;
    return ENCODED;
}
BAD(keeps_the_text_of_prepare, "2.1", .prepare = keeping_prepare, .batcher = reading_prepared)

static void leaking_destroy(senteval_instance* self)
{
    void* volatile lost = malloc(100);
    (void)lost;
    free(self);
}
BAD(leaks_memory, "2.2", .destroy = leaking_destroy)
static void opening_destroy(senteval_instance* self)
{
    (void)!open("/dev/null", O_RDONLY);
    free(self);
}
BAD(leaks_files, "2.2", .destroy = opening_destroy)
BATCHER(leaking_batcher)
{
    void* volatile lost = malloc(24);
    (void)lost;
    return ENCODED;
}
BAD(grows_with_batches, "2.3", .batcher = leaking_batcher)

/* ---- prepare() ---- */

BATCHER(prepared_batcher)
{
    const senteval_status status = ENCODED;
    for (size_t i = 0; i < batch->count && status == SENTEVAL_OK; ++i)
        row_of(out, i)[0] += (float)self->kept_size;
    return status;
}
PREPARE(first_prepare)
{
    if (self->kept_size == 0)
        self->kept_size = samples->count;
    return PREPARED;
}
BAD(keeps_what_it_prepared_first,
    "9.1",
    .prepare = first_prepare,
    .batcher = prepared_batcher,
    .capabilities = SENTEVAL_CAP_DETERMINISTIC)
BATCHER(unprepared)
{
    if (self->prepared == 0)
        crash();
    return ENCODED;
}
PREPARE(nonempty_prepare)
{
    const senteval_status status = PREPARED;
    self->prepared = samples->count + 1;
    return status;
}
BAD(crashes_before_prepare, "9.2", .prepare = nonempty_prepare, .batcher = unprepared)

PREPARE(small_prepare)
{
    return samples->count > 1000 ? fail_with(call, SENTEVAL_UNSUPPORTED, "too many sentences")
                                 : PREPARED;
}
BAD(refuses_large_tasks, "10.1", .prepare = small_prepare)

PREPARE(language_prepare)
{
    self->carried = (float)strlen(task->language);
    return PREPARED;
}
BAD(wants_a_language, "4.2", .prepare = language_prepare)

/* ---- State of the process ---- */

#define DISTURBING(name, rule, ...)                                                                \
    BATCHER(name##_batcher)                                                                        \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        return ENCODED;                                                                            \
    }                                                                                              \
    BAD(name, rule, .batcher = name##_batcher)

DISTURBING(changes_the_locale, "6.1", setlocale(LC_ALL, "C.UTF-8"))
DISTURBING(changes_a_handler, "6.2", signal(SIGUSR1, SIG_IGN))
DISTURBING(changes_the_folder, "6.3", (void)!chdir("/"))
DISTURBING(rounds_upwards, "6.4", fesetround(FE_UPWARD))
DISTURBING(masks_files, "6.5", umask(0777))
DISTURBING(prints, "6.6", printf("printed\n"))
DISTURBING(redirects_its_output, "6.6", dup2(STDERR_FILENO, STDOUT_FILENO))
DISTURBING(exits, "6.7", exit(0))
DISTURBING(kills_itself_later, "6.7", self->batches > 20 ? raise(SIGKILL) : (int)++self->batches)
/* What can be read no longer is no finding. */
DISTURBING(opens_no_more_files, "", setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}))
/* The program is not there, and the child goes on as if it were the host. */
BATCHER(forking)
{
    if (++self->batches == 4 && fork() == 0)
        execl("/no/such/program", "program", (char*)NULL);
    return ENCODED;
}
BAD(forks_and_returns, "6.8", .batcher = forking)
static void moving_destroy(senteval_instance* self)
{
    (void)!chdir("/");
    correct_destroy(self);
}
BAD(moves_in_destroy, "6.3", .destroy = moving_destroy)
