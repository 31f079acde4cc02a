/* correct.h -- an encoder that keeps every rule of encoder.h, and how to make one that breaks one of them.
 *
 *     BAD(prints, "6.6", .batcher = printing_batcher)
 *
 * is the correct encoder with one function replaced, called "bad.prints". Its description is the rule that
 * it breaks: that is what the test expects, and nothing else. What is not said otherwise claims nothing. */
#ifndef SENTEVAL_TESTS_CORRECT_H
#define SENTEVAL_TESTS_CORRECT_H

#include "signatures.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSION = 6 };

#define ALL_CLAIMS                                                                                 \
    (SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT | SENTEVAL_CAP_DETERMINISTIC | \
     SENTEVAL_CAP_PREPARE_IRRELEVANT)

struct senteval_instance {
    double scale;
    size_t prepared; /* sentences that prepare() was shown */
    size_t batches;  /* for those that count them, against the rules */
    float carried;   /* from batch to batch, likewise */
    float scratch[DIMENSION];
    const void* kept; /* for those that keep what they must not */
    size_t kept_size;
};

__attribute__((unused)) static int is_key(const senteval_param* param, const char* key)
{
    return param->key.size == strlen(key) && memcmp(param->key.data, key, param->key.size) == 0;
}

/* Takes the parameters below. */
__attribute__((unused)) CREATE(correct_create)
{
    (void)host;
    double scale = 1;
    for (size_t i = 0; i < count; ++i) {
        const senteval_value* const value = &params[i].value;
        if (is_key(&params[i], "scale") && value->type == SENTEVAL_TYPE_REAL) {
            if (!(value->as.real >= 0.5 && value->as.real <= 2))
                return fail_with(call, SENTEVAL_INVALID_ARGUMENT, "'scale' must be 0.5 to 2");
            scale = value->as.real;
        }
        if (is_key(&params[i], "count") && value->type == SENTEVAL_TYPE_INTEGER &&
            (value->as.integer < 1 || value->as.integer > 9))
            return fail_with(call, SENTEVAL_INVALID_ARGUMENT, "'count' must be 1 to 9");
        if (is_key(&params[i], "word") && value->type == SENTEVAL_TYPE_STRING &&
            (value->as.string.size != 4 || memcmp(value->as.string.data, "mean", 4) != 0))
            return fail_with(call, SENTEVAL_INVALID_ARGUMENT, "'word' must be mean");
        if (is_key(&params[i], "model") && value->type == SENTEVAL_TYPE_PATH)
            return fail_with(call, SENTEVAL_NOT_FOUND, "'model' is not there");
    }
    senteval_instance* const self = (senteval_instance*)calloc(1, sizeof *self);
    if (self == NULL)
        return fail_with(call, SENTEVAL_OUT_OF_MEMORY, "out of memory");
    self->scale = scale;
    *out = self;
    return SENTEVAL_OK;
}

__attribute__((unused)) static void correct_destroy(senteval_instance* self)
{
    free(self);
}

__attribute__((unused)) PREPARE(correct_prepare)
{
    (void)call;
    (void)task;
    self->prepared = samples->count;
    return SENTEVAL_OK;
}

__attribute__((unused)) DIMENSION_OF(correct_dimension)
{
    (void)call;
    (void)self;
    *out = DIMENSION;
    return SENTEVAL_OK;
}

/* How often each residue of bytes occurs, by length. */
__attribute__((unused)) static void
correct_row(const senteval_instance* self, senteval_string sentence, float* row)
{
    double sums[DIMENSION] = {1};
    for (size_t i = 0; i < sentence.size; ++i)
        sums[(unsigned char)sentence.data[i] % DIMENSION] += 1;
    for (size_t k = 0; k < DIMENSION; ++k)
        row[k] = (float)(self->scale * sums[k] / (1 + (double)sentence.size));
}

__attribute__((unused)) static float* row_of(const senteval_matrix* out, size_t i)
{
    return out->data + i * out->row_stride;
}

__attribute__((unused)) BATCHER(correct_batcher)
{
    for (size_t i = 0; i < batch->count; ++i) {
        if (call->is_cancelled(call))
            return SENTEVAL_CANCELLED;
        correct_row(self, batch->sentences[i], row_of(out, i));
        call->progress(call, i + 1, batch->count);
    }
    return SENTEVAL_OK;
}

#define SPEC(name, key, flags, help, type, ...)                                                    \
    __attribute__((unused)) static const senteval_param_spec name = {                              \
        sizeof(senteval_param_spec), flags, key, help, {type, 0, {__VA_ARGS__}}};
SPEC(scale_spec, "scale", 0, "Factor, 0.5 to 2.", SENTEVAL_TYPE_REAL, .real = 1)
SPEC(count_spec, "count", 0, "A number, 1 to 9.", SENTEVAL_TYPE_INTEGER, .integer = 2)
SPEC(word_spec, "word", 0, "A word: mean.", SENTEVAL_TYPE_STRING, .string = {"mean", 4})
SPEC(model_spec, "model", 0, "A file.", SENTEVAL_TYPE_PATH, .string = {NULL, 0})
SPEC(threads_spec,
     "threads",
     SENTEVAL_PARAM_NO_EFFECT,
     "Threads.",
     SENTEVAL_TYPE_INTEGER,
     .integer = 1)
static const senteval_param_spec* const correct_params[] = {&scale_spec, &count_spec, &word_spec,
                                                            &model_spec, &threads_spec};

/* The linker gathers the encoders of all files that are linked into one library. */
#define BAD(identifier, rule, ...)                                                                 \
    static const senteval_encoder identifier##_encoder = {.struct_size = sizeof(senteval_encoder), \
                                                          .id = "bad." #identifier,                \
                                                          .name = "Breaks a rule",                 \
                                                          .version = "1.0",                        \
                                                          .description = rule,                     \
                                                          .params = correct_params,                \
                                                          .param_count = 5,                        \
                                                          .create = correct_create,                \
                                                          .destroy = correct_destroy,              \
                                                          .prepare = correct_prepare,              \
                                                          .dimension = correct_dimension,          \
                                                          .batcher = correct_batcher,              \
                                                          __VA_ARGS__};                            \
    __attribute__((section("bad_encoders"),                                                        \
                   used)) static const senteval_encoder* const identifier##_entry =                \
        &identifier##_encoder;

/* ---- To write the wrong ones with ---- */

#define CREATED correct_create(call, host, params, count, out)
#define PREPARED correct_prepare(call, self, task, samples)
#define ENCODED correct_batcher(call, self, batch, out)

__attribute__((unused)) static void crash(void)
{
    *(volatile int*)NULL = 1;
}

#endif
