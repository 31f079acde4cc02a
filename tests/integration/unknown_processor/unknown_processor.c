/* Preloaded, this makes OpenBLAS choose as on a processor that it does not know: kernels of 2004. It is
 * the answer that OpenBLAS gets when it asks for OPENBLAS_CORETYPE and the environment has none; everybody
 * else gets the truth. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

extern char** environ;

char* getenv(const char* name)
{
    static char oldest[] = "Prescott";
    const size_t size = strlen(name);
    for (char** entry = environ; entry != NULL && *entry != NULL; ++entry)
        if (strncmp(*entry, name, size) == 0 && (*entry)[size] == '=')
            return *entry + size + 1;
    Dl_info caller;
    if (strcmp(name, "OPENBLAS_CORETYPE") == 0 &&
        dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != NULL &&
        strstr(caller.dli_fname, "openblas") != NULL)
        return oldest;
    return NULL;
}
