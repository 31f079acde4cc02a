// An encoder that harms its process, as its parameters ask:
//
//   fault  what it does (see `harms`, below); "none" is well-behaved
//   in     the function that does it: create, prepare, batcher (as long as nothing is said), dimension,
//          count_known or destroy
//   word   only where a sentence contains this; in dimension, where one of prepare's did
//
// Vectors are made from the bytes of a sentence, batches may overlap.
#include <senteval/encoder.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct senteval_instance {
    std::string fault = "none";
    std::string in = "batcher";
    std::string word;
    const senteval_host* host = nullptr;
    bool is_armed = false;
};

namespace {

constexpr std::size_t dimension_of_vectors = 8;

[[noreturn]] void sleep_for_ever()
{
    for (;;)
        std::this_thread::sleep_for(std::chrono::hours(1));
}

volatile int zero = 0; // that no compiler knows to be so

int overflow(int depth)
{
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    return (zero == 0 ? overflow(depth + 1) : 0) + frame[0];
}

/// What else may be open, it takes to be its own.
void for_each_descriptor(const std::function<void(int)>& use)
{
    for (int number = 3; number < 256; ++number)
        use(number);
}

void write_near_null()
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): no other address is sure to be nobody's
    *reinterpret_cast<volatile int*>(8 * zero) = 1;
}

void take_all_memory()
{
    std::vector<char*> all;
    try {
        for (;;) {
            all.push_back(new char[16U << 20U]);
            std::memset(all.back(), 1, 16U << 20U);
        }
    } catch (const std::bad_alloc&) {
        for (char* one : all)
            delete[] one;
        throw;
    }
}

/// A process that lost its parent and leads a session of its own; it prints its number. Returns when it runs.
void start_daemon()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    if (const pid_t parent = fork(); parent != 0) {
        waitpid(parent, nullptr, 0);
        close(ends[1]);
        char byte = 0;
        (void)!read(ends[0], &byte, 1); // closed at exec
        close(ends[0]);
        return;
    }
    (void)setsid();
    if (fork() == 0) {
        dprintf(STDOUT_FILENO, "daemon %d\n", static_cast<int>(getpid()));
        execlp("env", "env", "-i", "/bin/sleep", "1000", nullptr);
    }
    _exit(0);
}

/// What can be done without knowing the call.
const std::map<std::string, void (*)()> harms = {
    {"segv", write_near_null},
    {"abort", [] { std::abort(); }},
    {"fpe", [] { (void)raise(SIGFPE); }},
    {"ill", [] { __builtin_trap(); }},
    {"bus", [] { (void)raise(SIGBUS); }},
    {"kill", [] { (void)raise(SIGKILL); }},
    {"term", [] { (void)raise(SIGTERM); }},
    {"term_parent",
     [] {
         (void)kill(getppid(), SIGTERM);
         sleep_for_ever();
     }},
    {"file_size", [] { (void)raise(SIGXFSZ); }},
    {"stack", [] { zero = overflow(0); }},
    {"exit", [] { std::exit(3); }},
    {"quick_exit", [] { std::quick_exit(4); }},
    {"_exit", [] { _exit(5); }},
    {"exec", [] { execlp("sleep", "sleep", "1000", nullptr); }},
    {"free_twice",
     [] {
         void* volatile block = std::malloc(100);
         std::free(block);
         std::free(block);
     }},
    {"terminate",
     [] { std::thread([] { throw std::runtime_error("thrown on a thread of its own"); }).join(); }},
    {"thread_segv", [] { std::thread(write_near_null).join(); }},
    {"sleep", [] { sleep_for_ever(); }},
    {"spin",
     [] {
         while (zero == 0) {
         }
     }},
    {"stop", [] { (void)raise(SIGSTOP); }},
    {"garbage",
     [] { for_each_descriptor([](int number) { (void)!write(number, "garbage", 7); }); }},
    {"much_garbage",
     [] {
         for_each_descriptor([](int number) {
             fcntl(number, F_SETFL, O_NONBLOCK);
             for (int i = 0; i < 100; ++i)
                 (void)!write(number, "garbage", 7);
         });
     }},
    {"close", [] { for_each_descriptor([](int number) { close(number); }); }},
    {"truncate", [] { for_each_descriptor([](int number) { (void)!ftruncate(number, 0); }); }},
    {"memory", take_all_memory},
    {"throw", [] { throw std::runtime_error("thrown out of the library"); }},
    {"handler",
     [] {
         std::signal(SIGSEGV, [](int) { _exit(6); });
         write_near_null();
     }},
};

/// "daemon_" and a fault are both.
void harm(const std::string& what, senteval_matrix* out)
{
    constexpr std::string_view daemon = "daemon_";
    const bool leaves_daemon = what.compare(0, daemon.size(), daemon) == 0;
    const std::string fault = leaves_daemon ? what.substr(daemon.size()) : what;
    if (leaves_daemon)
        start_daemon();
    if (const auto found = harms.find(fault); found != harms.end())
        found->second();
    else if (fault == "past_rows" && out != nullptr)
        out->data[out->rows * out->row_stride] = 1;
}

/// Faults that end in an answer, if in a wrong one. Returns whether that was it.
bool answer_badly(const std::string& fault,
                  const senteval_call* call,
                  const senteval_host* host,
                  senteval_status& status)
{
    if (fault == "message") {
        const std::string text(10U << 20U, 'x');
        call->fail(call, {text.data(), text.size()});
        status = SENTEVAL_INTERNAL;
        return true;
    }
    if (fault == "files") {
        while (open("/dev/null", O_RDONLY) >= 0) {
        }
        constexpr std::string_view text = "no file can be opened";
        call->fail(call, {text.data(), text.size()});
        status = SENTEVAL_INTERNAL;
        return true;
    }
    if (fault == "log") {
        const std::string line(100'000, 'l');
        for (int i = 0; i < 20; ++i)
            host->log(host, SENTEVAL_LOG_DEBUG, {line.data(), line.size()});
    }
    return false;
}

std::string_view view(senteval_string text)
{
    return {text.data, text.size};
}

bool is_due(const senteval_instance& self, std::string_view function, const senteval_batch& batch)
{
    return self.in == function &&
           std::any_of(batch.sentences, batch.sentences + batch.count, [&](senteval_string one) {
               return view(one).find(self.word) != std::string_view::npos;
           });
}

senteval_status create(const senteval_call* call,
                       const senteval_host* host,
                       const senteval_param* params,
                       std::size_t count,
                       senteval_instance** out)
{
    auto* self = new senteval_instance();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view key = view(params[i].key);
        std::string& value = key == "fault" ? self->fault : key == "in" ? self->in : self->word;
        value = view(params[i].value.as.string);
    }
    self->host = host;
    senteval_status status = SENTEVAL_OK;
    if (self->in == "create" && !answer_badly(self->fault, call, host, status))
        harm(self->fault, nullptr);
    if (status == SENTEVAL_OK)
        *out = self;
    else
        delete self;
    return status;
}

void destroy(senteval_instance* self)
{
    if (self->in == "destroy")
        harm(self->fault, nullptr);
    delete self;
}

senteval_status act(const senteval_call* call,
                    const senteval_instance* self,
                    std::string_view function,
                    const senteval_batch* batch,
                    senteval_matrix* out)
{
    senteval_status status = SENTEVAL_OK;
    if (is_due(*self, function, *batch) && !answer_badly(self->fault, call, self->host, status))
        harm(self->fault, out);
    return status;
}

senteval_status prepare(const senteval_call* call,
                        senteval_instance* self,
                        const senteval_task*,
                        const senteval_batch* samples)
{
    self->is_armed = is_due(*self, "dimension", *samples);
    return act(call, self, "prepare", samples, nullptr);
}

senteval_status dimension(const senteval_call*, const senteval_instance* self, std::size_t* out)
{
    if (self->is_armed)
        harm(self->fault, nullptr);
    *out = dimension_of_vectors;
    return SENTEVAL_OK;
}

senteval_status batcher(const senteval_call* call,
                        senteval_instance* self,
                        const senteval_batch* batch,
                        senteval_matrix* out)
{
    const bool forgets = self->fault == "unwritten" && is_due(*self, "batcher", *batch);
    for (std::size_t i = 0; i < batch->count && !forgets; ++i) {
        float* const row = out->data + i * out->row_stride;
        std::fill_n(row, out->cols, 1.0F);
        for (const char c : view(batch->sentences[i]))
            row[static_cast<unsigned char>(c) % out->cols] += 1;
    }
    return act(call, self, "batcher", batch, out);
}

senteval_status count_known(const senteval_call* call,
                            const senteval_instance* self,
                            const senteval_batch* batch,
                            std::uint32_t* tokens,
                            std::uint32_t* known)
{
    std::fill_n(tokens, batch->count, 1U);
    std::fill_n(known, batch->count, 1U);
    return act(call, self, "count_known", batch, nullptr);
}

constexpr senteval_param_spec text_parameter(const char* key)
{
    return {sizeof(senteval_param_spec), 0, key, "See the source.", {SENTEVAL_TYPE_STRING, 0, {}}};
}

const void* get_extension(const senteval_encoder*, const char* id)
{
    static constexpr senteval_vocabulary vocabulary{sizeof(senteval_vocabulary), 0, &count_known};
    return std::string_view(id) == SENTEVAL_VOCABULARY_EXTENSION ? &vocabulary : nullptr;
}

constexpr senteval_param_spec fault_spec = text_parameter("fault");
constexpr senteval_param_spec in_spec = text_parameter("in");
constexpr senteval_param_spec word_spec = text_parameter("word");
constexpr const senteval_param_spec* specs[] = {&fault_spec, &in_spec, &word_spec};

constexpr senteval_encoder faults{sizeof(senteval_encoder),
                                  SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                                      SENTEVAL_CAP_DETERMINISTIC,
                                  "bad.faults",
                                  "Harmful",
                                  "1.0",
                                  "Harms its process, as its parameters ask.",
                                  nullptr,
                                  specs,
                                  std::size(specs),
                                  &create,
                                  &destroy,
                                  &prepare,
                                  &dimension,
                                  &batcher,
                                  &get_extension};
constexpr const senteval_encoder* encoders[] = {&faults};
constexpr senteval_plugin plugin{sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, encoders, 1};

} // namespace

extern "C" const senteval_plugin* senteval_plugin_entry(std::uint32_t host_abi_version)
{
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : nullptr;
}
