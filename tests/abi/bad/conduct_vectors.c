/* The matrix and the text. */
#include "correct.h"

#include <math.h>

/* A batcher whose rows are made by `statement`, which may use i, row and sentence. */
#define ROWS(name, statement)                                                                      \
    BATCHER(name)                                                                                  \
    {                                                                                              \
        (void)call;                                                                                \
        for (size_t i = 0; i < batch->count; ++i) {                                                \
            const senteval_string sentence = batch->sentences[i];                                  \
            float* row = row_of(out, i);                                                           \
            statement;                                                                             \
        }                                                                                          \
        return SENTEVAL_OK;                                                                        \
    }

#define CORRECT correct_row(self, sentence, row)

static senteval_status refuse(const senteval_call* call)
{
    return fail_with(call, SENTEVAL_UNSUPPORTED, "this text is not supported");
}

ROWS(short_row, {
    float all[DIMENSION];
    correct_row(self, sentence, all);
    memcpy(row, all, sizeof all - sizeof *all);
})
BAD(leaves_an_element, "11.1", .batcher = short_row)
ROWS(nan_row, CORRECT; if (sentence.size == 4) row[1] = NAN)
BAD(makes_nan, "11.2", .batcher = nan_row)
ROWS(other_row, (void)row; correct_row(self, sentence, row_of(out, batch->count - 1 - i)))
BAD(reverses_the_batch, "11.6", .batcher = other_row)
/* As large as a run's. */
ROWS(sorted_row, (void)row;
     correct_row(self, sentence, row_of(out, batch->count > 64 ? batch->count - 1 - i : i)))
BAD(reverses_large_batches, "11.6", .batcher = sorted_row)
/* And no two answers are the same. */
ROWS(noisy_row, (void)row; row = row_of(out, batch->count - 1 - i); CORRECT;
     row[0] += 2e-3F * (float)(++self->batches % 3))
BAD(reverses_with_noise, "11.6", .batcher = noisy_row)
ROWS(once_nan_row, CORRECT; if (++self->batches == 1500) row[1] = NAN)
BAD(makes_nan_once, "11.2", .batcher = once_nan_row)
ROWS(dense_row, (void)row; correct_row(self, sentence, out->data + i * out->cols))
BAD(ignores_row_stride, "11.3", .batcher = dense_row)
ROWS(long_row, CORRECT; row[DIMENSION] = 0)
BAD(writes_behind_rows, "11.3", .batcher = long_row)
ROWS(aligned_row, (void)row; if ((uintptr_t)out->data % 16 != 0) crash(); CORRECT)
BAD(wants_alignment, "11.4", .batcher = aligned_row)
ROWS(added_row, {
    float all[DIMENSION];
    correct_row(self, sentence, all);
    for (size_t k = 0; k < DIMENSION; ++k)
        row[k] += all[k];
})
BAD(adds_to_the_matrix, "11.5", .batcher = added_row)

DIMENSION_OF(zero_dimension)
{
    (void)call, (void)self;
    *out = 0;
    return SENTEVAL_OK;
}
BAD(has_no_dimension, "9.3", .dimension = zero_dimension)
DIMENSION_OF(growing_dimension)
{
    (void)call;
    *out = DIMENSION + self->batches;
    return SENTEVAL_OK;
}
ROWS(growing_batcher, CORRECT; self->batches = 1)
BAD(grows_its_dimension, "9.3", .dimension = growing_dimension, .batcher = growing_batcher)

BATCHER(lonely)
{
    return batch->count == 1 ? refuse(call) : ENCODED;
}
BAD(refuses_single_sentences, "10.1", .batcher = lonely)
BATCHER(no_empty_batch)
{
    return batch->count == 0 ? refuse(call) : ENCODED;
}
BAD(refuses_empty_batches, "10.2", .batcher = no_empty_batch)
ROWS(mean_row, CORRECT; row[0] = (float)(sentence.size == 0 ? NAN : 1.0))
BAD(divides_by_the_length, "10.3", .batcher = mean_row)
ROWS(c_string_row, if (sentence.data == NULL) crash(); CORRECT)
BAD(reads_where_nothing_is, "3.2", .batcher = c_string_row)
ROWS(terminated_row, {
    CORRECT;
    row[0] +=
        (float)(sentence.size > 0 && ((volatile const char*)sentence.data)[sentence.size] == ' ');
})
BAD(reads_behind_the_text, "3.2", .batcher = terminated_row)
ROWS(writing_row, {
    if (sentence.size > 0) {
        volatile char* const text = (volatile char*)(uintptr_t)sentence.data;
        text[0] = text[0];
    }
    CORRECT;
})
BAD(writes_to_the_text, "3.3", .batcher = writing_row)
ROWS(nul_row, if (sentence.size > 0 && memchr(sentence.data, 0, sentence.size) != NULL) crash();
     CORRECT)
BAD(crashes_on_nul, "10.4", .batcher = nul_row)
ROWS(token_row,
     if (sentence.size > 50000 && memchr(sentence.data, ' ', sentence.size) == NULL) crash();
     CORRECT)
BAD(crashes_on_long_tokens, "10.5", .batcher = token_row)
ROWS(pointer_row, {
    CORRECT;
    if (i > 0 && sentence.data == batch->sentences[i - 1].data + 0 && sentence.size > 0)
        row[0] += 1;
    for (size_t j = i < 64 ? 0 : i - 64; j < i; ++j)
        if (sentence.size > 0 && batch->sentences[j].data > sentence.data &&
            batch->sentences[j].data < sentence.data + sentence.size)
            row[0] += 1;
})
BAD(looks_at_addresses,
    "10.6",
    .batcher = pointer_row,
    .prepare = NULL,
    .capabilities = SENTEVAL_CAP_BATCH_INVARIANT)
