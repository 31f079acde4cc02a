/* What get_extension() answers with. */
#include "correct.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static senteval_status count_two(const senteval_call* call,
                                 const senteval_instance* self,
                                 const senteval_batch* batch,
                                 uint32_t* tokens,
                                 uint32_t* known)
{
    (void)call, (void)self;
    for (size_t i = 0; i < batch->count; ++i) {
        tokens[i] = 1;
        known[i] = 2;
    }
    return SENTEVAL_OK;
}
/* As many as a task has. */
static senteval_status count_few(const senteval_call* call,
                                 const senteval_instance* self,
                                 const senteval_batch* batch,
                                 uint32_t* tokens,
                                 uint32_t* known)
{
    (void)self;
    for (size_t i = 0; i < batch->count; ++i)
        tokens[i] = known[i] = 1;
    return batch->count > 1000 ? fail_with(call, SENTEVAL_INTERNAL, "too many") : SENTEVAL_OK;
}
static senteval_status
state_similarity(const senteval_call* call, senteval_instance* self, senteval_string* json)
{
    (void)call, (void)self;
    *json = (senteval_string){"{\"similarity\":\"cosin\"}", 22};
    return SENTEVAL_OK;
}
/* Of which a run asks at once. */
static senteval_status
state_late(const senteval_call* call, senteval_instance* self, senteval_string* json)
{
    *json = (senteval_string){"{}", 2};
    return self->prepared == 0 ? fail_with(call, SENTEVAL_INTERNAL, "not yet") : SENTEVAL_OK;
}
static senteval_status
state_process(const senteval_call* call, senteval_instance* self, senteval_string* json)
{
    static char number[20];
    (void)call, (void)self;
    *json = (senteval_string){number, (size_t)snprintf(number, sizeof number, "%d", (int)getpid())};
    return SENTEVAL_OK;
}
static senteval_status
state_words(const senteval_call* call, senteval_instance* self, senteval_string* json)
{
    (void)call, (void)self;
    *json = (senteval_string){"no JSON", 7};
    return SENTEVAL_OK;
}
static senteval_status
state_time(const senteval_call* call, senteval_instance* self, senteval_string* json)
{
    static char digit[] = "0";
    (void)call, (void)self;
    digit[0] = digit[0] == '9' ? '0' : (char)(digit[0] + 1);
    *json = (senteval_string){digit, 1};
    return SENTEVAL_OK;
}

static senteval_status write_no_row(const senteval_call* call,
                                    senteval_instance* self,
                                    senteval_role role,
                                    const senteval_batch* batch,
                                    senteval_matrix* out)
{
    (void)call, (void)self, (void)role, (void)batch, (void)out;
    return SENTEVAL_OK;
}

/* As the correct batcher() with one thing wrong. */
#define ROLE(name, ...)                                                                            \
    static senteval_status name(const senteval_call* call, senteval_instance* self,                \
                                senteval_role role, const senteval_batch* batch,                   \
                                senteval_matrix* out)                                              \
    {                                                                                              \
        const senteval_status status = ENCODED;                                                    \
        for (size_t i = 0; i < batch->count && status == SENTEVAL_OK; ++i) {                       \
            float* const row = row_of(out, i);                                                     \
            const size_t size = batch->sentences[i].size;                                          \
            (void)row, (void)size, (void)role;                                                     \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        return status;                                                                             \
    }
ROLE(nan_of_long, if (role == SENTEVAL_ROLE_DOCUMENT && size > 100) row[1] = NAN)
ROLE(sized_role, row[0] += (float)batch->count)
ROLE(carrying_role, row[0] += self->carried; self->carried += 0.5F)
ROLE(reversed_role, correct_row(self, batch->sentences[batch->count - 1 - i], row))

static const senteval_vocabulary too_much = {sizeof(senteval_vocabulary), 0, count_two};
static const senteval_vocabulary no_size = {3, 0, count_two};
static const senteval_identity no_json = {.struct_size = sizeof(senteval_identity),
                                          .state = state_words};
static const senteval_identity no_rest = {.struct_size = sizeof(senteval_identity),
                                          .state = state_time};

static const senteval_vocabulary few = {sizeof(senteval_vocabulary), 0, count_few};
#define STATING(name, function)                                                                    \
    static const senteval_identity name = {.struct_size = sizeof(senteval_identity),               \
                                           .state = function};
STATING(other_similarity, state_similarity)
STATING(not_yet, state_late)
STATING(of_process, state_process)

static const senteval_roles no_rows = {sizeof(senteval_roles), 0, write_no_row};
static const senteval_roles nan_rows = {sizeof(senteval_roles), 0, nan_of_long};
static const senteval_roles sized_rows = {sizeof(senteval_roles), 0, sized_role};
static const senteval_roles carried_rows = {sizeof(senteval_roles), 0, carrying_role};
static const senteval_roles reversed_rows = {sizeof(senteval_roles), 0, reversed_role};

#define EXTENDING(name, rule, extension, table) CLAIMING(name, rule, extension, table, 0)
#define CLAIMING(name, rule, extension, table, claims)                                             \
    static const void* name##_extension(const senteval_encoder* encoder, const char* id)           \
    {                                                                                              \
        (void)encoder;                                                                             \
        return strcmp(id, extension) == 0 ? table : NULL;                                          \
    }                                                                                              \
    BAD(name, rule, .get_extension = name##_extension, .capabilities = claims)

EXTENDING(knows_more_than_there_is, "13.2", SENTEVAL_VOCABULARY_EXTENSION, &too_much)
EXTENDING(has_an_extension_of_no_size, "1.4", SENTEVAL_VOCABULARY_EXTENSION, &no_size)
EXTENDING(states_no_json, "13.3", SENTEVAL_IDENTITY_EXTENSION, &no_json)
EXTENDING(knows_roles_without_rows, "13.4", SENTEVAL_ROLES_EXTENSION, &no_rows)
EXTENDING(counts_no_task, "13.2", SENTEVAL_VOCABULARY_EXTENSION, &few)
EXTENDING(states_no_similarity, "13.3", SENTEVAL_IDENTITY_EXTENSION, &other_similarity)
EXTENDING(states_late, "13.3", SENTEVAL_IDENTITY_EXTENSION, &not_yet)
EXTENDING(states_its_process, "13.3", SENTEVAL_IDENTITY_EXTENSION, &of_process)
EXTENDING(makes_nan_of_long_documents, "13.4", SENTEVAL_ROLES_EXTENSION, &nan_rows)
EXTENDING(reverses_roles, "13.4", SENTEVAL_ROLES_EXTENSION, &reversed_rows)
CLAIMING(depends_on_the_batch_in_roles,
         "12.1",
         SENTEVAL_ROLES_EXTENSION,
         &sized_rows,
         SENTEVAL_CAP_BATCH_INVARIANT)
CLAIMING(carries_over_in_roles,
         "12.1",
         SENTEVAL_ROLES_EXTENSION,
         &carried_rows,
         SENTEVAL_CAP_BATCH_INVARIANT)
EXTENDING(states_something_else_each_time, "13.3", SENTEVAL_IDENTITY_EXTENSION, &no_rest)

/* As many numbers as ever, whatever prepare() was shown. */
EXTENDING(ranks_no_documents, "13.5", SENTEVAL_RANKER_EXTENSION, &no_rows)
EXTENDING(judges_pairs_six_times, "13.5", SENTEVAL_RERANKER_EXTENSION, &no_rows)

static const void* every_extension(const senteval_encoder* encoder, const char* id)
{
    static const senteval_vocabulary unused = {sizeof(senteval_vocabulary), 0, NULL};
    (void)encoder;
    return strcmp(id, SENTEVAL_IDENTITY_EXTENSION) == 0 ? NULL : (const void*)&unused;
}
BAD(knows_every_extension, "13.1", .get_extension = every_extension)
