/* The mean of a sentence's word vectors, as the encoder glove computes it: bag_of_vectors VECTORS.txt
 *
 *   cc -O2 -o bag_of_vectors bag_of_vectors.c -lm */
#define _GNU_SOURCE
#include "senteval_client.h"

#include <search.h>

/* Words with their vectors; hsearch() keeps one table for the process. */
static size_t load(const char* path)
{
    FILE* file = fopen(path, "r");
    char* line = NULL;
    size_t capacity = 0, dimension = 0;
    int dimensions_known = 0;
    hcreate(1U << 21);
    while (file && getline(&line, &capacity, file) > 0) {
        for (const char* c = line; dimensions_known == 0 && *c; ++c)
            dimension += *c == ' ' && c[1] > ' ';
        dimensions_known = 1;
        char* at = strchr(line, ' ');
        double* vector = malloc(dimension * sizeof(double));
        if (!at || !vector)
            return 0;
        *at++ = '\0';
        for (size_t i = 0; i < dimension; ++i)
            vector[i] = strtod(at, &at);
        hsearch((ENTRY){strdup(line), vector}, ENTER);
    }
    return dimension;
}

static void mean(const void* model, const char* sentence, size_t size, size_t dimension, float* out)
{
    double* sum = calloc(dimension, sizeof(double));
    char* words = size ? strndup(sentence, size) : strdup(".");
    size_t known = 0;
    char* rest = words;
    for (char* word; (word = strsep(&rest, " "));) {
        const ENTRY* found = hsearch((ENTRY){word, NULL}, FIND);
        known += found != NULL;
        for (size_t i = 0; found && i < dimension; ++i)
            sum[i] += ((const double*)found->data)[i];
    }
    for (size_t i = 0; i < dimension; ++i)
        out[i] = (float)(known ? sum[i] / (double)known : 0.0);
    free(words);
    free(sum);
    (void)model;
}

int main(int argc, char** argv)
{
    const size_t dimension =
        argc > 1 ? load(argv[1]) : 0; /* of words and their numbers, line by line */
    if (dimension == 0)
        return fprintf(stderr, "usage: bag_of_vectors VECTORS.txt\n"), 2;
    return senteval_serve("bag of vectors", "1.0", dimension, mean, NULL);
}
