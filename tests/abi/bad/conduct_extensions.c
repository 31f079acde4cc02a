/* What get_extension() answers with. */
#include "correct.h"

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

static const senteval_vocabulary too_much = {sizeof(senteval_vocabulary), 0, count_two};
static const senteval_vocabulary no_size = {3, 0, count_two};
static const senteval_identity no_json = {.struct_size = sizeof(senteval_identity),
                                          .state = state_words};
static const senteval_identity no_rest = {.struct_size = sizeof(senteval_identity),
                                          .state = state_time};

static const senteval_roles no_rows = {sizeof(senteval_roles), 0, write_no_row};

#define EXTENDING(name, rule, extension, table)                                                    \
    static const void* name##_extension(const senteval_encoder* encoder, const char* id)           \
    {                                                                                              \
        (void)encoder;                                                                             \
        return strcmp(id, extension) == 0 ? table : NULL;                                          \
    }                                                                                              \
    BAD(name, rule, .get_extension = name##_extension)

EXTENDING(knows_more_than_there_is, "13.2", SENTEVAL_VOCABULARY_EXTENSION, &too_much)
EXTENDING(has_an_extension_of_no_size, "1.4", SENTEVAL_VOCABULARY_EXTENSION, &no_size)
EXTENDING(states_no_json, "13.3", SENTEVAL_IDENTITY_EXTENSION, &no_json)
EXTENDING(knows_roles_without_rows, "13.4", SENTEVAL_ROLES_EXTENSION, &no_rows)
EXTENDING(states_something_else_each_time, "13.3", SENTEVAL_IDENTITY_EXTENSION, &no_rest)

static const void* every_extension(const senteval_encoder* encoder, const char* id)
{
    static const senteval_vocabulary unused = {sizeof(senteval_vocabulary), 0, NULL};
    (void)encoder;
    return strcmp(id, SENTEVAL_IDENTITY_EXTENSION) == 0 ? NULL : (const void*)&unused;
}
BAD(knows_every_extension, "13.1", .get_extension = every_extension)
