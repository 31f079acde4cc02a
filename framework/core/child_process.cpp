#include "core/child_process.hpp"

#include "core/child_launch.hpp"
#include "core/error.hpp"
#include "core/lineage.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <functional>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

namespace senteval::core {
namespace {

using std::chrono::milliseconds;

void block_signals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

std::string ChildEnding::text() const
{
    if (limit)
        return fmt::format("was ended at the limit of {:g} s",
                           std::chrono::duration<double>(*limit).count());
    if (!known)
        return "ended, it is not known how";
    if (!WIFSIGNALED(status))
        return fmt::format("ended with status {}", WEXITSTATUS(status));
    const char* name = sigabbrev_np(WTERMSIG(status));
    const char* what = sigdescr_np(WTERMSIG(status));
    if (name == nullptr || what == nullptr)
        return fmt::format("was killed by signal {}", WTERMSIG(status));
    return fmt::format("was killed by SIG{} ({})", name, what);
}

int ChildEnding::signal() const noexcept
{
    return !limit && known && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

struct ChildProcess::State {
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    /// Calls start_it, which answers as ChildLaunch::start() does, on a thread that stays as long as the child.
    State(const Lineage& mark, const std::function<pid_t()>& start_it) : lineage(mark)
    {
        keeper = std::thread([&] {
            block_signals();
            process = start_it();
            if (process > 0)
                handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0)); // closed at exec
            started.release();
            release.acquire();
        });
        started.acquire();
    }

    ~State()
    {
        if (process > 0)
            kill();
        release.release();
        keeper.join();
        if (handle >= 0)
            ::close(handle);
    }

    /// Whether the child has ended; it stays a zombie, so that its number remains its own.
    bool look()
    {
        if (ending)
            return true;
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | WNOHANG) != 0) {
            if (errno == ECHILD) {
                is_reaped = true; // by others: SIGCHLD is ignored, or somebody waits for any child
                ending = ChildEnding{0, false};
            }
            return ending.has_value();
        }
        if (info.si_pid == 0)
            return false;
        const bool by_signal = info.si_code != CLD_EXITED;
        ending = ChildEnding{by_signal ? info.si_status : W_EXITCODE(info.si_status, 0)};
        return true;
    }

    void kill()
    {
        kill_group();
        if (!std::exchange(has_killed_lineage, true))
            lineage.end();
    }

    void kill_group()
    {
        if (is_reaped)
            return;
        ::kill(-process, SIGKILL);
        siginfo_t info{};
        while (waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT) != 0 &&
               errno == EINTR) {
        }
        look();
        if (is_reaped)
            return;
        while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
        }
        is_reaped = true;
    }

    pid_t process = -1; ///< below 0: why there is none
    int handle = -1;    ///< of the process, for poll()
    bool is_reaped = false;
    bool has_killed_lineage = false;
    Lineage lineage;
    std::optional<ChildEnding> ending;
    std::binary_semaphore started{0};
    std::binary_semaphore release{0};
    std::thread keeper;
};

ChildProcess::ChildProcess(const ChildCommand& command)
{
    if (command.words.empty() || command.words.front().empty())
        throw Error("there is no program to start");
    try {
        const Lineage lineage;
        ChildLaunch launch(command, lineage);
        state_ = std::make_unique<State>(lineage, [&launch] { return launch.start(); });
    } catch (const std::system_error& e) { // no thread can be had
        throw Error("cannot start '{}': {}", command.words.front(), e.what());
    }
    if (state_->process < 0)
        throw Error("cannot start '{}': {}", command.words.front(),
                    std::generic_category().message(-state_->process));
}

ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

int ChildProcess::id() const noexcept
{
    return state_->process;
}

bool ChildProcess::is_accused() const noexcept
{
    return state_->lineage.is_accused();
}

int ChildProcess::descriptor() const noexcept
{
    return state_->handle;
}

std::optional<ChildEnding> ChildProcess::wait(milliseconds at_most)
{
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    while (!state_->look()) {
        const auto left =
            std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left <= milliseconds::zero())
            return std::nullopt;
        // Where the system has no such descriptor, it is looked for now and then.
        const auto step = state_->handle >= 0 ? milliseconds(INT_MAX) : milliseconds(10);
        pollfd ended{state_->handle, POLLIN, 0};
        (void)poll(&ended, 1, static_cast<int>(std::min(left, step).count()));
    }
    return state_->ending;
}

ChildEnding ChildProcess::kill()
{
    state_->look();
    state_->kill();
    return state_->ending.value_or(ChildEnding{0, false});
}

ChildEnding ChildProcess::kill_at_limit(milliseconds limit)
{
    const bool by_itself = state_->look();
    state_->kill();
    if (!by_itself && state_->ending)
        state_->ending->limit = limit;
    return kill();
}

} // namespace senteval::core
