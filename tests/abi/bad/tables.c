/* One plugin whose table breaks one promise; which one, the build says with -DBAD_... . */
#include "correct.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

SPEC(odd_spec, "Odd-One", 0, "A number.", SENTEVAL_TYPE_INTEGER, .integer = 0)
SPEC(typeless_spec, "typeless", 0, "A value.", 77, .integer = 0)
__attribute__((unused)) static const senteval_param_spec* const wrong_params[] = {&odd_spec,
                                                                                  &typeless_spec};

#if defined(BAD_PATH_ID)
#define OVERRIDES .id = "../bad"
#elif defined(BAD_NO_VERSION)
#define OVERRIDES .version = NULL
#elif defined(BAD_LINES_IN_NAME)
#define OVERRIDES .name = "Two\nlines"
#elif defined(BAD_UPPER_KEY)
#define OVERRIDES .params = wrong_params, .param_count = 1
#elif defined(BAD_PARAM_TYPE)
#define OVERRIDES .params = wrong_params + 1, .param_count = 1
#else
#define OVERRIDES .license = NULL
#endif
#define ENCODER(identifier)                                                                        \
    {                                                                                              \
        .struct_size = sizeof(senteval_encoder), .id = (identifier), .name = "Bad table",          \
        .version = "1.0", .params = correct_params, .param_count = 5, .create = correct_create,    \
        .destroy = correct_destroy, .prepare = correct_prepare, .dimension = correct_dimension,    \
        .batcher = correct_batcher, OVERRIDES                                                      \
    }

static const senteval_encoder first = ENCODER("bad.table");
#ifdef BAD_NULL_ENCODER
#define SECOND NULL
#else
static const senteval_encoder second = ENCODER("bad.table.second");
#define SECOND &second
#endif

static const senteval_encoder* const encoders[] = {&first, SECOND};

static const senteval_plugin plugin = {
    .struct_size = sizeof(senteval_plugin),
    .abi_version = SENTEVAL_ABI_VERSION,
    .encoders = encoders,
    .encoder_count = 2,
#if defined(BAD_PLUGIN_STRUCT_SIZE)
    .struct_size = 8,
#elif defined(BAD_OTHER_MAJOR)
    .abi_version = (SENTEVAL_ABI_MAJOR + 1) << 16,
#endif
};

#ifdef BAD_STARTS_A_THREAD
static void* wait_for_ever(void* nothing)
{
    for (;;)
        pause();
    return nothing;
}
#endif

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
#if defined(BAD_NULL_TABLE)
    (void)plugin;
    (void)host_abi_version;
    return NULL;
#elif defined(BAD_FUTURE_HOST)
    (void)host_abi_version;
    return &plugin;
#else
#if defined(BAD_CRASH_IN_ENTRY)
    crash();
#elif defined(BAD_HANG_IN_ENTRY)
    for (;;)
        pause();
#elif defined(BAD_STARTS_A_THREAD)
    pthread_t thread = 0;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
#elif defined(BAD_OPENS_A_FILE)
    (void)!open("/dev/null", O_RDONLY);
#elif defined(BAD_ANOTHER_TABLE)
    static senteval_plugin tables[2];
    static int next;
    next = 1 - next;
    tables[next] = plugin;
    return &tables[next];
#endif
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : NULL;
#endif
}

#ifdef BAD_MASKS_FILES_ON_LOAD
__attribute__((constructor)) static void mask_files(void)
{
    (void)umask(0777);
}
#endif
#ifdef BAD_CRASH_ON_LOAD
__attribute__((constructor)) static void crash_at_once(void)
{
    crash();
}
#endif
