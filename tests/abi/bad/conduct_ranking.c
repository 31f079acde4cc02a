/* Rankers and rerankers that keep every rule, and some that do not. */
#include "correct.h"

#define MARKED(name, ...)                                                                          \
    static const void* name##_extension(const senteval_encoder* encoder, const char* id)           \
    {                                                                                              \
        return __VA_ARGS__ ? encoder : NULL;                                                       \
    }
MARKED(ranker, strcmp(id, SENTEVAL_RANKER_EXTENSION) == 0)
MARKED(reranker, strcmp(id, SENTEVAL_RERANKER_EXTENSION) == 0)
MARKED(both,
       strcmp(id, SENTEVAL_RANKER_EXTENSION) == 0 || strcmp(id, SENTEVAL_RERANKER_EXTENSION) == 0)

DIMENSION_OF(documents)
{
    if (self->prepared == 0)
        return fail_with(call, SENTEVAL_UNSUPPORTED, "there are no documents");
    *out = self->prepared;
    return SENTEVAL_OK;
}
/* The documents of odd number are found by no query. */
BATCHER(score)
{
    (void)call, (void)self;
    for (size_t i = 0; i < batch->count; ++i)
        for (size_t k = 0; k < out->cols; ++k)
            row_of(out, i)[k] =
                k % 2 == 1 ? SENTEVAL_NOT_FOUND_BY_QUERY : (float)(batch->sentences[i].size + k);
    return SENTEVAL_OK;
}
#define RANKING(name, rule, mark, ...)                                                             \
    BAD(name, rule, .capabilities = ALL_CLAIMS & ~(uint32_t)SENTEVAL_CAP_PREPARE_IRRELEVANT,       \
        .get_extension = mark##_extension, .dimension = documents, .batcher = score, __VA_ARGS__)

RANKING(ranks_well, "", ranker, .license = NULL)

/* It has one query: with more, its dimension would show it. */
RANKING(judges_pairs_well, "", reranker, .license = NULL)

RANKING(is_both, "13.5", both, .license = NULL)

PREPARE(one_more)
{
    const senteval_status status = PREPARED;
    ++self->prepared;
    return status;
}
RANKING(has_one_document_more, "13.5", ranker, .prepare = one_more)

/* Which differ by as little as no score that is close to those of documents that are not found. */
BATCHER(counting_score)
{
    const senteval_status status = score(call, self, batch, out);
    for (size_t i = 0; i < batch->count; ++i)
        row_of(out, i)[0] += (float)batch->count;
    return status;
}
RANKING(scores_by_batch, "12.1", ranker, .batcher = counting_score)
