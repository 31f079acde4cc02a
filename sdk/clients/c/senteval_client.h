/* The client's side of senteval's process protocol (../README.md), for encoders whose vectors depend on
 * their sentence alone and that need no prepare. Call senteval_serve() from main(); write nothing else to
 * stdout, what goes to stderr is logged. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the vector of a sentence of `size` bytes, which are not NUL-terminated. */
typedef void senteval_encode(
    const void* model, const char* sentence, size_t size, size_t dimension, float* vector);

/* Reads `count` sentences and writes their vectors. Returns 0 where the input ends too early. */
static int
senteval_answer(size_t count, size_t dimension, senteval_encode* encode, const void* model)
{
    const uint64_t bytes = (uint64_t)count * dimension * sizeof(float);
    float* vectors = malloc(bytes + 1);
    char* text = NULL;
    uint32_t size = 0;
    size_t done = 0;
    for (; vectors && done < count && fread(&size, sizeof size, 1, stdin) == 1; ++done) {
        char* larger = realloc(text, (size_t)size + 1);
        if (!larger)
            break;
        text = larger;
        if (fread(text, 1, size, stdin) != size)
            break;
        encode(model, text, size, dimension, vectors + done * dimension);
    }
    if (vectors && done == count) {
        printf("{\"rows\":%zu,\"dimension\":%zu}\n", count, dimension);
        fwrite(&bytes, sizeof bytes, 1, stdout);
        fwrite(vectors, 1, bytes, stdout);
    }
    free(text);
    free(vectors);
    return done == count;
}

static int senteval_serve(const char* name,
                          const char* version,
                          size_t dimension,
                          senteval_encode* encode,
                          const void* model)
{
    size_t count = 0;
    for (char line[4096]; fgets(line, sizeof line, stdin); fflush(stdout))
        if (strncmp(line, "{\"request\":\"hello\"", 18) == 0)
            printf("{\"protocol\":1,\"name\":\"%s\",\"version\":\"%s\",\"dimension\":%zu,"
                   "\"batch_invariant\":true,\"deterministic\":true}\n",
                   name, version, dimension);
        else if (sscanf(line, "{\"request\":\"encode\",\"count\":%zu,", &count) != 1 ||
                 !senteval_answer(count, dimension, encode, model))
            return 1;
    return 0;
}
