/* signatures.h -- the functions of an encoder's table, and those of a plugin with one encoder. */
#ifndef SENTEVAL_TESTS_SIGNATURES_H
#define SENTEVAL_TESTS_SIGNATURES_H

#include <senteval/encoder.h>

#include <string.h>

#define CREATE(name)                                                                               \
    static senteval_status name(const senteval_call* call, const senteval_host* host,              \
                                const senteval_param* params, size_t count,                        \
                                senteval_instance** out)
#define PREPARE(name)                                                                              \
    static senteval_status name(const senteval_call* call, senteval_instance* self,                \
                                const senteval_task* task, const senteval_batch* samples)
#define DIMENSION_OF(name)                                                                         \
    static senteval_status name(const senteval_call* call, const senteval_instance* self,          \
                                size_t* out)
#define BATCHER(name)                                                                              \
    static senteval_status name(const senteval_call* call, senteval_instance* self,                \
                                const senteval_batch* batch, senteval_matrix* out)

__attribute__((unused)) static senteval_status
fail_with(const senteval_call* call, senteval_status status, const char* reason)
{
    const senteval_string text = {reason, strlen(reason)};
    call->fail(call, text);
    return status;
}

#endif
