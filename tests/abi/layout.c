/* Fails to compile when a struct of version 1.0 has changed its size or a member its place (64-bit
 * targets). Never edit a line for a new version: append asserts for appended members only. */
#include <senteval/encoder.h>

#define AT(type, member, at) _Static_assert(offsetof(type, member) == (at), #type "." #member)
/* `last` is the last member of version 1.0: what comes after it was appended. */
#define SIZE(type, last, size)                                                                     \
    _Static_assert(offsetof(type, last) + sizeof(((type*)0)->last) == (size), #type)
#define FROZEN(type, size) _Static_assert(sizeof(type) == (size), #type)

/* Passed in arrays, so their size never changes within major version 1. */
FROZEN(senteval_status, 4);
FROZEN(senteval_type, 4);
FROZEN(senteval_log_level, 4);

AT(senteval_string, data, 0);
AT(senteval_string, size, 8);
FROZEN(senteval_string, 16);

AT(senteval_value, type, 0);
AT(senteval_value, reserved, 4);
AT(senteval_value, as, 8);
AT(senteval_value, as.boolean, 8);
AT(senteval_value, as.integer, 8);
AT(senteval_value, as.real, 8);
AT(senteval_value, as.string, 8);
FROZEN(senteval_value, 24);

AT(senteval_param, key, 0);
AT(senteval_param, value, 16);
FROZEN(senteval_param, 40);

/* Reached by pointer: they may grow at the end. */
AT(senteval_host, struct_size, 0);
AT(senteval_host, abi_version, 4);
AT(senteval_host, name, 8);
AT(senteval_host, version, 16);
AT(senteval_host, ctx, 24);
AT(senteval_host, log, 32);
AT(senteval_host, get_extension, 40);
SIZE(senteval_host, get_extension, 48);

AT(senteval_call, struct_size, 0);
AT(senteval_call, thread_budget, 4);
AT(senteval_call, ctx, 8);
AT(senteval_call, fail, 16);
AT(senteval_call, progress, 24);
AT(senteval_call, is_cancelled, 32);
SIZE(senteval_call, is_cancelled, 40);

AT(senteval_batch, struct_size, 0);
AT(senteval_batch, flags, 4);
AT(senteval_batch, count, 8);
AT(senteval_batch, sentences, 16);
SIZE(senteval_batch, sentences, 24);

AT(senteval_matrix, struct_size, 0);
AT(senteval_matrix, reserved, 4);
AT(senteval_matrix, data, 8);
AT(senteval_matrix, rows, 16);
AT(senteval_matrix, cols, 24);
AT(senteval_matrix, row_stride, 32);
SIZE(senteval_matrix, row_stride, 40);

AT(senteval_task, struct_size, 0);
AT(senteval_task, reserved, 4);
AT(senteval_task, name, 8);
AT(senteval_task, language, 16);
SIZE(senteval_task, language, 24);

AT(senteval_param_spec, struct_size, 0);
AT(senteval_param_spec, flags, 4);
AT(senteval_param_spec, key, 8);
AT(senteval_param_spec, help, 16);
AT(senteval_param_spec, default_value, 24);
SIZE(senteval_param_spec, default_value, 48);

AT(senteval_encoder, struct_size, 0);
AT(senteval_encoder, capabilities, 4);
AT(senteval_encoder, id, 8);
AT(senteval_encoder, name, 16);
AT(senteval_encoder, version, 24);
AT(senteval_encoder, description, 32);
AT(senteval_encoder, license, 40);
AT(senteval_encoder, params, 48);
AT(senteval_encoder, param_count, 56);
AT(senteval_encoder, create, 64);
AT(senteval_encoder, destroy, 72);
AT(senteval_encoder, prepare, 80);
AT(senteval_encoder, dimension, 88);
AT(senteval_encoder, batcher, 96);
AT(senteval_encoder, get_extension, 104);
SIZE(senteval_encoder, get_extension, 112);

AT(senteval_vocabulary, struct_size, 0);
AT(senteval_vocabulary, reserved, 4);
AT(senteval_vocabulary, count_known, 8);
SIZE(senteval_vocabulary, count_known, 16);

AT(senteval_roles, struct_size, 0);
AT(senteval_roles, reserved, 4);
AT(senteval_roles, encode, 8);
SIZE(senteval_roles, encode, 16);

AT(senteval_identity, struct_size, 0);
AT(senteval_identity, reserved, 4);
AT(senteval_identity, state, 8);
AT(senteval_identity, ignores_prepare, 16);
AT(senteval_identity, capabilities, 24);
SIZE(senteval_identity, capabilities, 32);

AT(senteval_plugin, struct_size, 0);
AT(senteval_plugin, abi_version, 4);
AT(senteval_plugin, encoders, 8);
AT(senteval_plugin, encoder_count, 16);
SIZE(senteval_plugin, encoder_count, 24);

/* Values that binaries carry. */
_Static_assert(SENTEVAL_OK == 0 && SENTEVAL_INVALID_ARGUMENT == 1 && SENTEVAL_NOT_FOUND == 2 &&
                   SENTEVAL_UNSUPPORTED == 3 && SENTEVAL_OUT_OF_MEMORY == 4 &&
                   SENTEVAL_CANCELLED == 5 && SENTEVAL_INTERNAL == 6,
               "status");
_Static_assert(SENTEVAL_LOG_DEBUG == 0 && SENTEVAL_LOG_INFO == 1 && SENTEVAL_LOG_WARNING == 2 &&
                   SENTEVAL_LOG_ERROR == 3,
               "log levels");
_Static_assert(SENTEVAL_TYPE_BOOLEAN == 1 && SENTEVAL_TYPE_INTEGER == 2 &&
                   SENTEVAL_TYPE_REAL == 3 && SENTEVAL_TYPE_STRING == 4 && SENTEVAL_TYPE_PATH == 5,
               "types");
_Static_assert(SENTEVAL_BATCH_TOKENISED == 1 && SENTEVAL_PARAM_REQUIRED == 1 &&
                   SENTEVAL_PARAM_LIST == 2 && SENTEVAL_CAP_CONCURRENT_BATCHER == 1 &&
                   SENTEVAL_CAP_BATCH_INVARIANT == 2 && SENTEVAL_CAP_DETERMINISTIC == 4 &&
                   SENTEVAL_CAP_PREPARE_IRRELEVANT == 8,
               "flags");
_Static_assert(SENTEVAL_ROLE_AS_IS == 0 && SENTEVAL_ROLE_QUERY == 1 && SENTEVAL_ROLE_DOCUMENT == 2,
               "roles");
_Static_assert(SENTEVAL_ABI_VERSION == 0x10000, "version");
