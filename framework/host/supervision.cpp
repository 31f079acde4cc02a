#include "host/supervision.hpp"

#include "core/descriptor.hpp"
#include "core/lineage.hpp"
#include "core/printed_text.hpp"
#include "host/ending.hpp"
#include "host/exit_codes.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <new>
#include <string>

namespace senteval::host {
namespace {

/// What both processes see. Foreign code may write to it: it is read as text of a bounded length.
struct Shared {
    struct AtWork {
        std::array<char, 256> encoder;
        std::array<char, 256> task;
    };
    std::array<AtWork, 2> at_work; ///< one is written while the other is read
    std::atomic<unsigned> current;
    std::atomic<int> goodbye;   ///< exit code + 1
    std::atomic<pid_t> process; ///< the child: others that foreign code forks have nothing to tell
};
static_assert(std::atomic<unsigned>::is_always_lock_free);

// Of the process, which is supervised once.
Shared* watched_page = nullptr;
pid_t watched_process = 0;

bool is_told_here() noexcept
{
    return watched_page != nullptr && watched_page->process == getpid();
}

template <std::size_t size>
void put_text(std::array<char, size>& place, std::string_view text) noexcept
{
    place.fill('\0');
    std::memcpy(place.data(), text.data(), std::min(text.size(), size - 1));
}

template <std::size_t size>
std::string bounded_text(const std::array<char, size>& place)
{
    return {place.data(), strnlen(place.data(), size)};
}

Shared::AtWork at_work_now() noexcept
{
    return watched_page->at_work[watched_page->current % 2];
}

/// A debugger follows one process.
bool is_traced()
{
    std::ifstream status("/proc/self/status");
    constexpr std::string_view label = "TracerPid:\t";
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(label))
            return line.substr(label.size()) != "0";
    return false;
}

void pass_signal_on(int number, siginfo_t* info, void* /*context*/)
{
    // What a terminal sends goes to the whole group, and has reached the child.
    // An encoder in a process of its own has nothing to say here.
    const int before = errno;
    if (info->si_code <= 0 && !core::Lineage::accuse(info->si_pid))
        ::kill(watched_process, number);
    errno = before;
}

void pass_signals_on()
{
    for (const int number : stop_signals) {
        struct sigaction action {};
        sigaction(number, nullptr, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_sigaction = pass_signal_on;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigaction(number, &action, nullptr);
    }
}

/// Shows what the child prints, by the encoder that is at work.
class Prints {
public:
    /// As much as there is; returns whether more may come.
    bool read(int pipe)
    {
        std::array<char, 65536> block;
        for (;;) {
            const ssize_t got = ::read(pipe, block.data(), block.size());
            if (got > 0)
                of(bounded_text(at_work_now().encoder))
                    .add({block.data(), static_cast<std::size_t>(got)});
            else if (got == 0 || (errno != EINTR && errno != EAGAIN))
                return false;
            else if (errno == EAGAIN)
                return true;
        }
    }

    void end()
    {
        for (auto& [encoder, text] : texts_)
            text.end();
    }

private:
    core::PrintedText& of(const std::string& encoder)
    {
        return texts_
            .try_emplace(encoder,
                         [encoder](std::string_view line) {
                             note("{}{}{}\n", encoder, encoder.empty() ? "" : ": ", line);
                         })
            .first->second;
    }

    std::map<std::string, core::PrintedText> texts_;
};

/// Returns how the child ended, as waitpid() tells it.
int watch_over(int pipe)
{
    Prints prints;
    const core::Descriptor child(static_cast<int>(syscall(SYS_pidfd_open, watched_process, 0)));
    constexpr int tick = 100; // milliseconds, where the system has no such descriptor
    std::array<pollfd, 2> sources{{{pipe, POLLIN, 0}, {child.number(), POLLIN, 0}}};
    for (int status = 0;;) {
        (void)poll(sources.data(), sources.size(), child.number() < 0 ? tick : -1);
        const bool has_ended = waitpid(watched_process, &status, WNOHANG) == watched_process;
        if (sources[0].fd >= 0 && !prints.read(pipe))
            sources[0].fd = -1; // all ends of it are closed
        if (!has_ended)
            continue;
        prints.end();
        return status;
    }
}

/// `who` may have done it.
std::string ending_text(int status, std::string_view who)
{
    if (!WIFSIGNALED(status))
        return fmt::format("it ended with status {}, and nothing in the program did that: {} "
                           "called _exit(), or executed another program",
                           WEXITSTATUS(status), who);
    const char* what = sigdescr_np(WTERMSIG(status));
    return fmt::format("it was killed by signal {} ({})", WTERMSIG(status),
                       what == nullptr ? "unknown" : what);
}

/// Returns the exit code.
int tell_end(int status)
{
    const int goodbye = watched_page->goodbye;
    if (goodbye > 0 && !WIFSIGNALED(status)) // a sanitizer may have found something since
        return WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : goodbye - 1;
    if (goodbye > 0) {
        note("senteval: after everything was done {}\n", ending_text(status, "a library"));
        return goodbye - 1;
    }
    if (WIFSIGNALED(status) &&
        std::ranges::find(stop_signals, WTERMSIG(status)) != stop_signals.end()) {
        say_stopped(); // it was asked to before it could listen
        return exit_interrupted;
    }
    const Shared::AtWork at_work = at_work_now();
    const std::string encoder = bounded_text(at_work.encoder);
    const std::string task = bounded_text(at_work.task);
    std::string where = encoder.empty() ? "before an encoder was at work"
                                        : fmt::format("with encoder '{}'", encoder);
    if (!task.empty())
        where += fmt::format(" at work on task {}", task);
    note("senteval: the run broke off {}: {}. What was finished by then is stored: go on with "
         "--resume, and with --isolate where an encoder has no process of its own yet\n",
         where, ending_text(status, encoder.empty() ? "a library" : "an encoder"));
    return exit_failed;
}

[[noreturn]] void supervise(int pipe)
{
    pass_signals_on();
    fcntl(pipe, F_SETFL, fcntl(pipe, F_GETFL) | O_NONBLOCK);
    int exit_code = exit_failed;
    try {
        exit_code = tell_end(watch_over(pipe));
    } catch (const std::exception& e) {
        note("senteval: {}\n", e.what());
    }
    _exit(exit_code);
}

} // namespace

void supervise_this_process()
{
#if defined(__SANITIZE_THREAD__)
    return; // its runtime starts no thread in a forked process
#endif
    if (is_traced())
        return;
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    if (memory == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0)
        return;
    watched_page = new (memory) Shared{};
    const pid_t parent = getpid();
    watched_process = fork();
    if (watched_process > 0) {
        close(ends[1]);
        supervise(ends[0]);
    }
    close(ends[0]);
    if (watched_process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(exit_failed);
        watched_page->process = getpid();
        lead_prints_to(ends[1]);
    }
    close(ends[1]);
}

void tell_at_work(std::string_view encoder, std::string_view task) noexcept
{
    if (!is_told_here())
        return;
    const unsigned next = watched_page->current + 1;
    put_text(watched_page->at_work[next % 2].encoder, encoder);
    put_text(watched_page->at_work[next % 2].task, task);
    watched_page->current = next;
}

bool is_supervisor(int process) noexcept
{
    return is_told_here() && process == getppid();
}

void say_goodbye(int exit_code) noexcept
{
    if (is_told_here())
        watched_page->goodbye = exit_code + 1;
}

} // namespace senteval::host
