/* One plugin whose table breaks one promise; which one, the build says with -DBAD_... . */
#include <senteval/encoder.h>

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct senteval_instance {
    int unused;
};

static senteval_status create(const senteval_call* call,
                              const senteval_host* host,
                              const senteval_param* params,
                              size_t param_count,
                              senteval_instance** out)
{
    (void)call;
    (void)host;
    (void)params;
    (void)param_count;
    *out = malloc(sizeof **out);
    return *out != NULL ? SENTEVAL_OK : SENTEVAL_OUT_OF_MEMORY;
}

static void destroy(senteval_instance* self)
{
    free(self);
}

static senteval_status
dimension(const senteval_call* call, const senteval_instance* self, size_t* out)
{
    (void)call;
    (void)self;
    *out = 1;
    return SENTEVAL_OK;
}

static senteval_status batcher(const senteval_call* call,
                               senteval_instance* self,
                               const senteval_batch* batch,
                               senteval_matrix* out)
{
    (void)call;
    (void)self;
    for (size_t i = 0; i < batch->count; ++i)
        out->data[i * out->row_stride] = 0.0F;
    return SENTEVAL_OK;
}

static const senteval_param_spec specs[] = {
    {.struct_size = sizeof(senteval_param_spec),
#ifdef BAD_PARAM_STRUCT_SIZE
     .struct_size = 8,
#endif
     .key = "first",
#ifdef BAD_NULL_PARAM_KEY
     .key = NULL,
#elif defined(BAD_UPPER_KEY)
     .key = "First-One",
#endif
     .help = "A number.",
#ifdef BAD_UNKNOWN_FLAGS
     .flags = 1u << 9,
#endif
#ifdef BAD_BOOLEAN_DEFAULT
     .default_value = {.type = SENTEVAL_TYPE_BOOLEAN, .as.boolean = 7}},
#elif defined(BAD_REAL_DEFAULT)
     .default_value = {.type = SENTEVAL_TYPE_REAL, .as.real = INFINITY}},
#else
     .default_value = {.type = SENTEVAL_TYPE_INTEGER}},
#endif
    {.struct_size = sizeof(senteval_param_spec),
     .key = "second",
#ifdef BAD_DUPLICATE_PARAM
     .key = "first",
#endif
     .help = "Another number.",
     .default_value = {.type = SENTEVAL_TYPE_INTEGER,
#ifdef BAD_PARAM_TYPE
                       .type = 77,
#endif
                       .as.integer = 1}},
};
static const senteval_param_spec* const params[] = {&specs[0],
#ifdef BAD_NULL_PARAM
                                                    NULL
#else
                                                    &specs[1]
#endif
};

#define ENCODER(identifier)                                                                        \
    {                                                                                              \
        .struct_size = sizeof(senteval_encoder), .id = (identifier), .name = "Bad table",          \
        .version = "1.0", .description = "Breaks one promise of the table.", .params = params,     \
        .param_count = 2, .create = create, .destroy = destroy, .dimension = dimension,            \
        .batcher = batcher, OVERRIDES                                                              \
    }

#if defined(BAD_ENCODER_STRUCT_SIZE)
#define OVERRIDES .struct_size = 40
#elif defined(BAD_NULL_CREATE)
#define OVERRIDES .create = NULL
#elif defined(BAD_NULL_DESTROY)
#define OVERRIDES .destroy = NULL
#elif defined(BAD_NULL_DIMENSION)
#define OVERRIDES .dimension = NULL
#elif defined(BAD_NULL_BATCHER)
#define OVERRIDES .batcher = NULL
#elif defined(BAD_NULL_ID)
#define OVERRIDES .id = NULL
#elif defined(BAD_EMPTY_ID)
#define OVERRIDES .id = ""
#elif defined(BAD_DOT_ID)
#define OVERRIDES .id = ".."
#elif defined(BAD_PATH_ID)
#define OVERRIDES .id = "../bad"
#elif defined(BAD_LONG_ID)
#define TEN(text) text text text text text text text text text text
#define OVERRIDES .id = TEN(TEN("bad"))
#elif defined(BAD_NO_NAME)
#define OVERRIDES .name = ""
#elif defined(BAD_NO_VERSION)
#define OVERRIDES .version = NULL
#elif defined(BAD_LINES_IN_NAME)
#define OVERRIDES .name = "Two\nlines"
#elif defined(BAD_NULL_PARAMS)
#define OVERRIDES .params = NULL
#else
#define OVERRIDES .license = NULL
#endif

static const senteval_encoder first = ENCODER("bad.table");
#if defined(BAD_NULL_ENCODER)
#define SECOND NULL
#else
#define SECOND &second
#if defined(BAD_DUPLICATE_IDS)
static const senteval_encoder second = ENCODER("bad.table");
#else
static const senteval_encoder second = ENCODER("bad.table.second");
#endif
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
#elif defined(BAD_NO_ENCODERS)
    .encoder_count = 0,
#elif defined(BAD_NULL_ENCODERS)
    .encoders = NULL,
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
    *(volatile int*)NULL = 1;
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
__attribute__((constructor)) static void crash(void)
{
    *(volatile int*)NULL = 1;
}
#endif
