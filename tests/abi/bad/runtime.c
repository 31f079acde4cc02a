/* An encoder with a sound table that misbehaves when it runs, as its parameter `what` asks; what ends or keeps its
 * process is in faults.cpp. Well-behaved ("nothing"), its vector is (bytes, 1, the byte in the middle).
 * nan, infinity: an element of the sentences that contain "bad", or of all with `always`. dimension_changes: another
 * one at each question without a prepare between. hang: until it is cancelled. slow: a tenth of a second. flood: 4 MB,
 * the first time. print: in four ways. redirect_all: all descriptors but 0 to 2. fork: a process that returns. */
#define _POSIX_C_SOURCE 200809L /* nanosleep, chdir, sigaction */
#include "signatures.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct senteval_instance {
    char what[32];
    int always;
    size_t*
        asked; /* how often dimension() was called; shared, because the instance is const there */
};

static int does(const senteval_instance* self, const char* what)
{
    return strcmp(self->what, what) == 0;
}

/* The new process goes on where this function returns. */
static void start_process(int exits)
{
    const pid_t child = fork();
    if (child == 0 && exits)
        exit(0);
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) != child)
        abort();
}

static void destroy(senteval_instance* self)
{
    if (does(self, "fork_in_destroy"))
        start_process(0);
    free(self->asked);
    free(self);
}

static void loop(void)
{
    const struct timespec moment = {.tv_sec = 1};
    for (;;)
        nanosleep(&moment, NULL);
}

static void read_params(senteval_instance* self, const senteval_param* params, size_t count)
{
    strcpy(self->what, "nothing");
    for (size_t i = 0; i < count; ++i) {
        if (params[i].key.size == strlen("always")) {
            self->always = params[i].value.as.boolean != 0;
        } else {
            const senteval_string value = params[i].value.as.string;
            const size_t size = value.size < sizeof self->what ? value.size : sizeof self->what - 1;
            memcpy(self->what, value.data, size);
            self->what[size] = '\0';
        }
    }
}

CREATE(create)
{
    (void)host;
    senteval_instance* self = calloc(1, sizeof *self);
    if (self != NULL)
        self->asked = calloc(1, sizeof *self->asked);
    if (self == NULL || self->asked == NULL) {
        free(self);
        return fail_with(call, SENTEVAL_OUT_OF_MEMORY, "out of memory");
    }
    read_params(self, params, count);

    senteval_status status = SENTEVAL_OK;
    if (does(self, "create_error"))
        status = fail_with(call, SENTEVAL_NOT_FOUND, "the model file 'none.bin' is not there");
    else if (does(self, "create_silent_error"))
        status = SENTEVAL_INTERNAL;
    else if (does(self, "hang_at_exit"))
        atexit(loop);
    else if (does(self, "setlocale_in_create"))
        setlocale(LC_ALL, "");
    if (status != SENTEVAL_OK || does(self, "create_null"))
        destroy(self);
    else
        *out = self;
    return status;
}

PREPARE(prepare)
{
    (void)task;
    (void)samples;
    *self->asked = 0;
    if (does(self, "prepare_error"))
        return fail_with(call, SENTEVAL_UNSUPPORTED, "this task cannot be prepared");
    return SENTEVAL_OK;
}

DIMENSION_OF(dimension)
{
    *out = 3;
    if (does(self, "dimension_zero"))
        *out = 0;
    else if (does(self, "dimension_changes"))
        *out = 3 + (*self->asked)++;
    else if (does(self, "dimension_error"))
        return fail_with(call, SENTEVAL_INTERNAL, "the dimension is unknown");
    return SENTEVAL_OK;
}

static int contains_bad(senteval_string sentence)
{
    for (size_t i = 0; i + 3 <= sentence.size; ++i)
        if (memcmp(sentence.data + i, "bad", 3) == 0)
            return 1;
    return 0;
}

static void fill(const senteval_instance* self, const senteval_batch* batch, senteval_matrix* out)
{
    for (size_t i = 0; i < batch->count; ++i) {
        float* row = out->data + i * out->row_stride;
        const senteval_string text = batch->sentences[i];
        const float middle = text.size == 0 ? 0 : (float)(unsigned char)text.data[text.size / 2];
        for (size_t k = 0; k < out->cols; ++k)
            row[k] = does(self, "constant") ? 1.0F
                     : k == 0               ? (float)text.size
                     : k == 1               ? 1.0F
                                            : middle;
        if (self->always || contains_bad(batch->sentences[i])) {
            if (does(self, "nan"))
                row[1] = NAN;
            else if (does(self, "infinity"))
                row[1] = INFINITY;
        }
    }
}

static senteval_status hang(const senteval_call* call)
{
    const struct timespec moment = {.tv_sec = 0, .tv_nsec = 10 * 1000 * 1000};
    while (!call->is_cancelled(call))
        nanosleep(&moment, NULL);
    return fail_with(call, SENTEVAL_CANCELLED, "cancelled");
}

static void flood(void)
{
    for (int line = 0; line < 50000; ++line)
        printf("line %05d of a flood that goes on and on, whatever anybody wants to know of it\n",
               line);
    fflush(stdout);
}

static void print(void)
{
    printf("printed by the encoder\n");
    fflush(stdout);
    if (write(STDOUT_FILENO, "written by the encoder\n", 23) != 23 ||
        system("echo echoed by the encoder") != 0)
        abort();
    printf("left in the encoder's buffer\n");
}

/* What the process has, or the thread. */
static void change_state(const senteval_instance* self)
{
    if (does(self, "setlocale"))
        setlocale(LC_ALL, "");
    if (does(self, "rounding"))
        fesetround(FE_UPWARD);
    if (does(self, "redirect_all")) {
        const int zero = open("/dev/zero", O_RDWR);
        for (int number = STDERR_FILENO + 1; number <= 30; ++number)
            dup2(zero, number);
    }
}

/* What concerns the whole process. */
static void disturb(const senteval_instance* self)
{
    if (does(self, "print"))
        print();
    if (does(self, "escapes")) {
        fputs("\033[31mred\rgone\n", stderr);
        puts("\033]0;title\007");
        fflush(stdout);
    }
    if (does(self, "flood") && (*self->asked)++ == 0)
        flood();
    if (does(self, "chdir") && chdir("/") != 0)
        abort();
    change_state(self);
}

BATCHER(batcher)
{
    if (does(self, "error"))
        return fail_with(call, SENTEVAL_INTERNAL, "the model is out of order");
    if (does(self, "silent_error"))
        return SENTEVAL_INTERNAL;
    if (does(self, "unknown_status"))
        return fail_with(call, 4711, "a status from the future");
    if (does(self, "cancelled"))
        return fail_with(call, SENTEVAL_CANCELLED, "cancelled, though nobody asked");
    if (does(self, "hang"))
        return hang(call);
    if (does(self, "slow"))
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    disturb(self);
    if (!does(self, "write_nothing"))
        fill(self, batch, out);
    if (does(self, "fork") || does(self, "fork_and_exit"))
        start_process(does(self, "fork_and_exit"));
    return SENTEVAL_OK;
}

static const senteval_param_spec what_spec = {
    .struct_size = sizeof(senteval_param_spec),
    .key = "what",
    .help = "How to misbehave.",
    .default_value = {.type = SENTEVAL_TYPE_STRING, .as.string = {"nothing", 7}},
};
static const senteval_param_spec always_spec = {
    .struct_size = sizeof(senteval_param_spec),
    .key = "always",
    .help = "For every sentence, not only those that contain 'bad'.",
    .default_value = {.type = SENTEVAL_TYPE_BOOLEAN},
};
static const senteval_param_spec* const specs[] = {&what_spec, &always_spec};

static const senteval_encoder runtime = {
    .struct_size = sizeof(senteval_encoder),
    .id = "bad.runtime",
    .name = "Misbehaving",
    .version = "1.0",
    .description = "Misbehaves when it runs, as its parameter asks.",
    .params = specs,
    .param_count = 2,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .dimension = dimension,
    .batcher = batcher,
};
static const senteval_encoder* const encoders[] = {&runtime};
static const senteval_plugin plugin = {sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, encoders, 1};

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : NULL;
}
