// The side of crash_report.hpp that crashes. What runs in the handler calls nothing that is not
// safe in one: no allocation, no lock.
#include "isolation/crash_report.hpp"

#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace senteval::isolation {
namespace {

constexpr auto crash_signals =
    std::to_array({SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS});

/// Of the process: there is one handler, and it can be told nothing.
struct Recorder {
    CrashRecord* record = nullptr;
    char* maps = nullptr;
    std::size_t maps_size = 0;
    int maps_file = -1;   ///< opened beforehand: descriptors may be used up
    int status_file = -1; ///< likewise
    std::atomic<bool> exit_is_expected{false};
};
constinit Recorder recorder;

struct Current {
    bool is_own = false;
    Operation operation{};
    const std::byte* guard = nullptr;
};
constinit thread_local Current current;

struct Registers {
    std::uint64_t instruction = 0;
    std::uint64_t stack = 0;
};

Registers registers_of(const void* context) noexcept
{
#if defined(__x86_64__)
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
    return {static_cast<std::uint64_t>(machine.gregs[REG_RIP]),
            static_cast<std::uint64_t>(machine.gregs[REG_RSP])};
#elif defined(__aarch64__)
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
    return {machine.pc, machine.sp};
#else
    (void)context;
    return {};
#endif
}

CrashRecord::Place place_of(std::uint64_t address, const Registers& registers) noexcept
{
    constexpr std::uint64_t page = 4096;
    const auto guard = reinterpret_cast<std::uint64_t>(current.guard);
    if (guard != 0 && address >= guard && address < guard + page)
        return CrashRecord::Place::past_rows;
    constexpr std::uint64_t frame = 64 * page;
    const std::uint64_t distance =
        address > registers.stack ? address - registers.stack : registers.stack - address;
    if (registers.stack != 0 && distance < frame)
        return CrashRecord::Place::stack_end;
    return CrashRecord::Place::unknown;
}

void record_memory_map() noexcept
{
    std::size_t used = 0;
    while (used < recorder.maps_size) {
        const ssize_t got = pread(recorder.maps_file, recorder.maps + used,
                                  recorder.maps_size - used, static_cast<off_t>(used));
        if (got <= 0)
            break;
        used += static_cast<std::size_t>(got);
        recorder.record->maps = static_cast<std::uint32_t>(used);
    }
}

void record_what_is_taken() noexcept
{
    CrashRecord& record = *recorder.record;
    const ssize_t got =
        pread(recorder.status_file, record.status_text, sizeof record.status_text, 0);
    record.status = got > 0 ? static_cast<std::uint32_t>(got) : 0;
    const int file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    record.is_out_of_files = file < 0 && errno == EMFILE ? 1 : 0;
    if (file >= 0)
        close(file);
}

/// Whether this thread is the first to end the process.
bool begin_record(int signal) noexcept
{
    auto none = CrashRecord::State::none;
    if (!recorder.record->state.compare_exchange_strong(none, CrashRecord::State::begun))
        return false;
    recorder.record->signal = signal;
    recorder.record->is_own_thread = current.is_own ? 1 : 0;
    recorder.record->operation = current.operation;
    return true;
}

/// From `from` on, where that is among the callers.
void record_callers(std::uint64_t from) noexcept
{
    void* frames[CrashRecord::most_frames + 8];
    const int count = backtrace(frames, static_cast<int>(std::size(frames)));
    int first = 0;
    for (int i = 0; i < count && first == 0; ++i)
        if (reinterpret_cast<std::uint64_t>(frames[i]) == from)
            first = i;
    std::uint32_t kept = 0;
    for (int i = first; i < count && kept < CrashRecord::most_frames; ++i)
        recorder.record->frame[kept++] = reinterpret_cast<std::uint64_t>(frames[i]);
    recorder.record->frames = kept;
}

/// What follows may wait for a lock that the crash has left locked: then this ends the process.
void end_soon() noexcept
{
    constexpr unsigned enough = 20;
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(SIGALRM, &action, nullptr);
    sigset_t alarm_alone;
    sigemptyset(&alarm_alone);
    sigaddset(&alarm_alone, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm_alone, nullptr);
    alarm(enough);
}

void on_crash(int number, siginfo_t* info, void* context)
{
    if (!begin_record(number))
        for (;;)
            pause(); // another thread is about to end the process
    end_soon();
    const Registers registers = registers_of(context);
    if (info->si_code > 0) { // from the processor, not from kill()
        const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
        recorder.record->has_address = 1;
        recorder.record->address = address;
        if (number == SIGSEGV || number == SIGBUS)
            recorder.record->place = place_of(address, registers);
    }
    record_what_is_taken();
    record_memory_map();
    recorder.record->frame[0] = registers.instruction;
    recorder.record->frames = 1;
    recorder.record->state = CrashRecord::State::complete; // whatever the rest comes to
    record_callers(registers.instruction);

    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, nullptr);
    sigset_t this_one;
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
    raise(number);
}

void on_exit_called(int status, void* /*argument*/)
{
    if (recorder.exit_is_expected)
        return;
    if (begin_record(0)) {
        record_what_is_taken();
        record_memory_map();
        record_callers(0);
        recorder.record->state = CrashRecord::State::complete;
    }
    _exit(status); // what other threads use is not destroyed
}

} // namespace

WatchedThread::WatchedThread() : stack_(1U << 17U)
{
    stack_t stack{};
    stack.ss_sp = stack_.data();
    stack.ss_size = stack_.size();
    sigaltstack(&stack, nullptr);
    current.is_own = true;
}

WatchedThread::~WatchedThread()
{
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    current = {};
}

void WatchedThread::begins(Operation operation, const std::byte* guard) noexcept
{
    current.operation = operation;
    current.guard = guard;
}

void WatchedThread::ends() noexcept
{
    current.operation = {};
    current.guard = nullptr;
}

void record_crashes(SharedBuffer& memory)
{
    recorder.record = reinterpret_cast<CrashRecord*>(memory.data());
    recorder.maps = reinterpret_cast<char*>(memory.data()) + sizeof(CrashRecord);
    recorder.maps_size = memory.size() - sizeof(CrashRecord);
    recorder.maps_file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    recorder.status_file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    void* frame = nullptr;
    (void)backtrace(&frame, 1); // loads what it needs, which a handler could not

    struct sigaction action {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : crash_signals)
        sigaction(number, &action, nullptr);
    on_exit(on_exit_called, nullptr);
}

void expect_exit() noexcept
{
    recorder.exit_is_expected = true;
}

} // namespace senteval::isolation
