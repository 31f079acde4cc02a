/*
 * char_ngrams.c -- a whole encoder in C: character n-grams by the hashing trick.
 *
 * Every n-gram of bytes, n from `min_n` to `max_n`, adds +1 or -1 to one of `dimension` buckets;
 * bucket and sign come from its hash, so that n-grams which share a bucket cancel on average
 * (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"). Nothing is
 * trained and nothing is stored. Of documents that are searched the square roots of the counts are
 * taken, so that what a long text repeats does not drown the rest.
 */
#include <senteval/encoder.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The encoder itself: knows nothing of plugins ------------------------------------------- */

struct senteval_instance {
    int64_t dimension;
    int64_t min_n;
    int64_t max_n;
    uint32_t normalise;
};

/* FNV-1a, 64 bit, with a final mix, so that both ends of the number are usable. */
static uint64_t hash_of(const char* bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
    hash ^= hash >> 32;
    hash *= 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static void
encode(const senteval_instance* self, senteval_role role, senteval_string sentence, float* row)
{
    const size_t dimension = (size_t)self->dimension;
    memset(row, 0, dimension * sizeof *row);
    for (size_t n = (size_t)self->min_n; n <= (size_t)self->max_n; ++n) {
        for (size_t i = 0; i + n <= sentence.size; ++i) {
            const uint64_t hash = hash_of(sentence.data + i, n);
            row[(hash >> 1) % dimension] += (hash & 1) ? 1.0F : -1.0F;
        }
    }
    for (size_t k = 0; k < dimension && role == SENTEVAL_ROLE_DOCUMENT; ++k)
        row[k] = copysignf(sqrtf(fabsf(row[k])), row[k]);
    if (!self->normalise)
        return;
    double squares = 0;
    for (size_t k = 0; k < dimension; ++k)
        squares += (double)row[k] * row[k];
    if (squares > 0)
        for (size_t k = 0; k < dimension; ++k)
            row[k] = (float)(row[k] / sqrt(squares));
}

/* ---- What the host calls -------------------------------------------------------------------- */

static senteval_status fail(const senteval_call* call, senteval_status status, const char* message)
{
    call->fail(call, (senteval_string){message, strlen(message)});
    return status;
}

static int is_key(const senteval_param* param, const char* key)
{
    return param->key.size == strlen(key) && memcmp(param->key.data, key, param->key.size) == 0;
}

/* The host has checked names and types; the ranges are ours to check. */
static senteval_status read_params(senteval_instance* self,
                                   const senteval_call* call,
                                   const senteval_param* params,
                                   size_t param_count)
{
    for (size_t i = 0; i < param_count; ++i) {
        if (is_key(&params[i], "dimension"))
            self->dimension = params[i].value.as.integer;
        else if (is_key(&params[i], "min_n"))
            self->min_n = params[i].value.as.integer;
        else if (is_key(&params[i], "max_n"))
            self->max_n = params[i].value.as.integer;
        else if (is_key(&params[i], "normalise"))
            self->normalise = params[i].value.as.boolean;
    }

    char message[128];
    if (self->dimension < 1 || self->dimension > 1 << 20) {
        snprintf(message, sizeof message, "parameter 'dimension' must be 1 to 1048576, not %lld",
                 (long long)self->dimension);
        return fail(call, SENTEVAL_INVALID_ARGUMENT, message);
    }
    if (self->min_n < 1 || self->max_n < self->min_n || self->max_n > 16) {
        snprintf(message, sizeof message,
                 "1 <= min_n <= max_n <= 16 must hold, but min_n is %lld and max_n %lld",
                 (long long)self->min_n, (long long)self->max_n);
        return fail(call, SENTEVAL_INVALID_ARGUMENT, message);
    }
    return SENTEVAL_OK;
}

static senteval_status create(const senteval_call* call,
                              const senteval_host* host,
                              const senteval_param* params,
                              size_t param_count,
                              senteval_instance** out)
{
    (void)host;
    senteval_instance* self = malloc(sizeof *self);
    if (self == NULL)
        return fail(call, SENTEVAL_OUT_OF_MEMORY, "out of memory");
    *self = (senteval_instance){.dimension = 512, .min_n = 3, .max_n = 5, .normalise = 1};
    const senteval_status status = read_params(self, call, params, param_count);
    if (status != SENTEVAL_OK)
        free(self);
    else
        *out = self;
    return status;
}

static void destroy(senteval_instance* self)
{
    free(self);
}

static senteval_status
dimension(const senteval_call* call, const senteval_instance* self, size_t* out)
{
    (void)call;
    *out = (size_t)self->dimension;
    return SENTEVAL_OK;
}

/* Texts that are queries or documents of a search. */
static senteval_status encode_as(const senteval_call* call,
                                 senteval_instance* self,
                                 senteval_role role,
                                 const senteval_batch* batch,
                                 senteval_matrix* out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        if (call->is_cancelled(call))
            return fail(call, SENTEVAL_CANCELLED, "cancelled");
        encode(self, role, batch->sentences[i], out->data + i * out->row_stride);
    }
    return SENTEVAL_OK;
}

/* All others. */
static senteval_status batcher(const senteval_call* call,
                               senteval_instance* self,
                               const senteval_batch* batch,
                               senteval_matrix* out)
{
    return encode_as(call, self, SENTEVAL_ROLE_AS_IS, batch, out);
}

static const void* get_extension(const senteval_encoder* encoder, const char* id)
{
    static const senteval_roles roles = {sizeof(senteval_roles), 0, encode_as};
    (void)encoder;
    return strcmp(id, SENTEVAL_ROLES_EXTENSION) == 0 ? &roles : NULL;
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define INTEGER_PARAM(name, fallback, text)                                                        \
    {                                                                                              \
        .struct_size = sizeof(senteval_param_spec), .key = (name), .help = (text),                 \
        .default_value = {                                                                         \
            .type = SENTEVAL_TYPE_INTEGER,                                                         \
            .as.integer = (fallback)                                                               \
        }                                                                                          \
    }

static const senteval_param_spec dimension_spec =
    INTEGER_PARAM("dimension", 512, "Number of buckets, 1 to 1048576.");
static const senteval_param_spec min_n_spec =
    INTEGER_PARAM("min_n", 3, "Bytes of the shortest n-grams, 1 to 16.");
static const senteval_param_spec max_n_spec =
    INTEGER_PARAM("max_n", 5, "Bytes of the longest n-grams, min_n to 16.");
static const senteval_param_spec normalise_spec = {
    .struct_size = sizeof(senteval_param_spec),
    .key = "normalise",
    .help = "Scale every vector to length 1.",
    .default_value = {.type = SENTEVAL_TYPE_BOOLEAN, .as.boolean = 1},
};
static const senteval_param_spec* const specs[] = {&dimension_spec, &min_n_spec, &max_n_spec,
                                                   &normalise_spec};

static const senteval_encoder char_ngrams = {
    .struct_size = sizeof(senteval_encoder),
    .capabilities =
        SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT | SENTEVAL_CAP_DETERMINISTIC,
    .id = "org.example.char-ngrams",
    .name = "Hashed character n-grams",
    .version = "1.0",
    .description = "Counts of character n-grams, hashed into a fixed number of buckets.",
    .license = "MIT",
    .params = specs,
    .param_count = sizeof specs / sizeof specs[0],
    .create = create,
    .destroy = destroy,
    .dimension = dimension,
    .batcher = batcher,
    .get_extension = get_extension,
};
static const senteval_encoder* const encoders[] = {&char_ngrams};
static const senteval_plugin plugin = {sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, encoders, 1};

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : NULL;
}
