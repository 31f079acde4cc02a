// child.hpp -- a program in a process of its own, which does not outlive this one. Linux; header only.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/close_range.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace senteval::sdk {

/// An open descriptor of this process, and the number that the child knows it by.
struct PassedDescriptor {
    int here = -1;
    int there = -1;
};

struct ChildCommand {
    /// Program and arguments. A program without a slash is looked for along PATH.
    std::vector<std::string> words;
    std::string folder = {}; ///< where it runs; empty: where this process does

    /// The descriptors that the child finds open; every other descriptor is closed to it. Where 0 is not among them,
    /// it is /dev/null; where 1 or 2 are not, they lead to this process's standard error.
    std::vector<PassedDescriptor> descriptors = {};

    /// "NAME=value", added to this process's environment or replacing what is there.
    std::vector<std::string> environment = {};

    /// Most bytes that it may allocate or map to write; 0: as this process. Nothing under a sanitizer, whose runtime
    /// reserves terabytes.
    std::uint64_t memory = 0;
    std::uint64_t open_files = 0; ///< most descriptors; 0: as this process
};

/// How a child ended.
struct ChildEnding {
    int status = 0;    ///< as waitpid() tells it
    bool known = true; ///< false where something else in this process took the status
    std::optional<std::chrono::milliseconds> limit = {}; ///< it was ended at this limit

    /// "was killed by SIGSEGV (Segmentation fault)", "ended with status 3", "was ended at the limit of
    /// 5 s": what follows the child's name in a sentence.
    [[nodiscard]] std::string text() const
    {
        if (limit) {
            std::array<char, 64> seconds{};
            std::snprintf(seconds.data(), seconds.size(), "%g",
                          std::chrono::duration<double>(*limit).count());
            return std::string("was ended at the limit of ") + seconds.data() + " s";
        }
        if (!known)
            return "ended, it is not known how";
        if (!WIFSIGNALED(status))
            return "ended with status " + std::to_string(WEXITSTATUS(status));
        const char* name = sigabbrev_np(WTERMSIG(status));
        const char* what = sigdescr_np(WTERMSIG(status));
        if (name == nullptr || what == nullptr)
            return "was killed by signal " + std::to_string(WTERMSIG(status));
        return std::string("was killed by SIG") + name + " (" + what + ")";
    }

    /// The signal that ended it by itself or from outside, or 0.
    [[nodiscard]] int signal() const noexcept
    {
        return !limit && known && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
};

namespace detail {

inline bool adopts_orphans = false;

/// Kills the children of this process that are in another session, which a Child never is. Returns whether
/// there were any.
inline bool end_orphans_once()
{
    bool any = false;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        std::ifstream file(entry.path() / "stat");
        std::string text;
        int parent = 0;
        int session = 0;
        if (!std::getline(file, text) || text.rfind(')') == std::string::npos ||
            std::sscanf(text.c_str() + text.rfind(')') + 1, " %*c %d %*d %d", &parent, &session) !=
                2 ||
            parent != getpid() || session == getsid(0))
            continue;
        const pid_t process = std::atoi(text.c_str());
        ::kill(process, SIGKILL);
        while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
        }
        any = true;
    }
    return any;
}

} // namespace detail

/// Makes a process that was started by a child and has lost its parent a child of this process (a "child subreaper"),
/// which ends when any Child is killed. For programs that own their process.
inline void adopt_orphans() noexcept
{
    detail::adopts_orphans = prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/// Kills the adopted processes that have left their group (daemons): call it at the end of the program.
inline void end_orphans()
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (detail::adopts_orphans && detail::end_orphans_once() &&
           std::chrono::steady_clock::now() < deadline) {
    }
}

/// A running child. It leads a process group of its own (Ctrl-C at a terminal is not for it), writes no core
/// file, and has default signal handlers and an empty signal mask. It is killed with its group when this object
/// is destroyed, and dies when this process does, however that happens. A thread waits beside each child, since
/// the system ties a child's life to the thread that started it. Calls on one object do not overlap.
class Child {
public:
    /// Returns as soon as the program runs. Throws std::system_error that names the program where it cannot
    /// be started.
    explicit Child(const ChildCommand& command) : state_(std::make_unique<State>())
    {
        const std::string name = command.words.empty() ? "" : command.words.front();
        Launch launch(command);
        state_->keeper = std::thread([&launch, state = state_.get()] {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, nullptr);
            state->process = launch.start();
            if (state->process > 0) // closed at exec
                state->handle = static_cast<int>(syscall(SYS_pidfd_open, state->process, 0));
            state->started.release();
            state->release.acquire();
        });
        state_->started.acquire();
        if (state_->process < 0)
            throw std::system_error(-state_->process, std::generic_category(),
                                    "cannot start '" + name + "'");
    }

    [[nodiscard]] int id() const noexcept { return state_->process; }

    /// A descriptor for poll(): readable once the child has ended; below 0 where the system has no such thing. Owned by
    /// this object.
    [[nodiscard]] int descriptor() const noexcept { return state_->handle; }

    /// How the child ended, if it does so within this time. What it has started may still run.
    std::optional<ChildEnding> wait(std::chrono::milliseconds at_most)
    {
        using std::chrono::milliseconds;
        const auto deadline = std::chrono::steady_clock::now() + at_most;
        while (!state_->look()) {
            const auto left =
                std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
            if (left <= milliseconds::zero())
                return std::nullopt;
            const auto step = state_->handle >= 0 ? milliseconds(INT_MAX) : milliseconds(10);
            pollfd ended{state_->handle, POLLIN, 0};
            (void)poll(&ended, 1, static_cast<int>(std::min(left, step).count()));
        }
        return state_->ending;
    }

    /// Gives the child this long to end by itself, then kills it, its group, and what this process has adopted.
    /// Returns how it ended, also when called again.
    ChildEnding end(std::chrono::milliseconds patience = std::chrono::milliseconds(0))
    {
        (void)wait(patience);
        state_->kill();
        return *state_->ending;
    }

    /// end() of a child that took longer than it may: the ending names the limit, unless the child has
    /// ended by itself meanwhile.
    ChildEnding end_at_limit(std::chrono::milliseconds limit)
    {
        const bool by_itself = state_->look();
        state_->kill();
        if (!by_itself && state_->ending->known)
            state_->ending->limit = limit;
        return *state_->ending;
    }

private:
    /// All that is needed between vfork and exec, where nothing may be allocated.
    class Launch {
    public:
        explicit Launch(const ChildCommand& command)
            : command_(command),
              descriptors_(command.descriptors),
              environment_(command.environment)
        {
            const auto name_of = [](std::string_view setting) {
                return setting.substr(0, setting.find('='));
            };
            for (char** at = environ; at != nullptr && *at != nullptr; ++at)
                if (std::none_of(
                        command.environment.begin(), command.environment.end(),
                        [&](const std::string& one) { return name_of(one) == name_of(*at); }))
                    environment_.emplace_back(*at);
            for (const std::string& word : command.words)
                argv_.push_back(const_cast<char*>(word.c_str()));
            for (const std::string& setting : environment_)
                envp_.push_back(const_cast<char*>(setting.c_str()));
            argv_.push_back(nullptr);
            envp_.push_back(nullptr);
            for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                if (std::none_of(descriptors_.begin(), descriptors_.end(),
                                 [&](const auto& one) { return one.there == number; }))
                    descriptors_.push_back(
                        {number == STDIN_FILENO ? null_ : STDERR_FILENO, number});
            for (const PassedDescriptor& one : descriptors_)
                above_ = std::max(above_, one.there + 1);
        }

        Launch(const Launch&) = delete;
        Launch& operator=(const Launch&) = delete;
        ~Launch() { ::close(null_); }

        /// The new process borrows this one's memory until it executes its program; only this thread waits,
        /// and its signals are blocked. Returns the process, or below 0 why there is none (errno).
        pid_t start()
        {
            if (argv_.front() == nullptr)
                return -ENOENT;
            std::array<int, 2> problem{};
            if (pipe2(problem.data(), O_CLOEXEC) != 0)
                return -errno;
            const pid_t child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
            if (child == 0)
                execute(problem[1]);
            int why = child < 0 ? errno : 0;
            ::close(problem[1]);
            while (child > 0 && read(problem[0], &why, sizeof why) < 0 && errno == EINTR) {
            }
            ::close(problem[0]);
            if (why == 0)
                return child;
            while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
            }
            return -why;
        }

    private:
        /// Executes the program, in the child. Writes errno to `problem` where the program cannot be executed.
        [[noreturn]] void execute(int problem) noexcept
        {
            if (const int moved = fcntl(problem, F_DUPFD_CLOEXEC, above_); moved >= 0)
                problem = moved;
            if (become_child() && place_descriptors() && set_limits()) {
                clear_signals();
                execvpe(argv_[0], argv_.data(), envp_.data());
            }
            const int why = errno;
            (void)!::write(problem, &why, sizeof why);
            _exit(127);
        }

        [[nodiscard]] bool become_child() const noexcept
        {
            return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                   getppid() == parent_ &&
                   (command_.folder.empty() || chdir(command_.folder.c_str()) == 0);
        }

        bool place_descriptors() noexcept
        {
            for (PassedDescriptor& one : descriptors_) { // numbers may overlap
                one.here = fcntl(one.here, F_DUPFD_CLOEXEC, above_);
                if (one.here < 0)
                    return false;
            }
            (void)close_range(0, UINT_MAX, CLOSE_RANGE_CLOEXEC);
            return std::all_of(descriptors_.begin(), descriptors_.end(),
                               [](const auto& one) { return dup2(one.here, one.there) >= 0; });
        }

        [[nodiscard]] bool set_limits() const noexcept
        {
            bool done = lower(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
            if (command_.memory > 0)
                done = done && lower(RLIMIT_DATA, command_.memory);
#endif
            if (command_.open_files > 0)
                done = done && lower(RLIMIT_NOFILE, command_.open_files);
            return done;
        }

        template <typename Resource>
        static bool lower(Resource resource, std::uint64_t most) noexcept
        {
            rlimit limit{};
            if (getrlimit(resource, &limit) != 0)
                return false;
            limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
            limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
            return setrlimit(resource, &limit) == 0;
        }

        /// A signal that was meant for the parent's group and came before the child left it is forgotten.
        static void clear_signals() noexcept
        {
            struct sigaction action {};
            for (int number = 1; number < NSIG; ++number)
                for (const auto handler : {SIG_IGN, SIG_DFL}) {
                    action.sa_handler = handler;
                    sigaction(number, &action, nullptr);
                }
            sigset_t none;
            sigemptyset(&none);
            sigprocmask(SIG_SETMASK, &none, nullptr);
        }

        const ChildCommand& command_;
        std::vector<PassedDescriptor> descriptors_;
        std::vector<std::string> environment_;
        std::vector<char*> argv_;
        std::vector<char*> envp_;
        pid_t parent_ = getpid();
        int null_ = open("/dev/null", O_RDWR | O_CLOEXEC);
        int above_ = 0; ///< higher than every number that is passed
    };

    struct State {
        State() = default;
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        ~State()
        {
            if (process > 0)
                kill();
            release.release();
            if (keeper.joinable())
                keeper.join();
            if (handle >= 0)
                ::close(handle);
        }

        /// Whether the child has ended; it stays a zombie, so that its number remains its own.
        bool look(int how = WNOHANG)
        {
            if (ending)
                return true;
            siginfo_t info{};
            int answer = 0;
            do
                answer = waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | how);
            while (answer != 0 && errno == EINTR);
            if (answer !=
                0) { // others have reaped it: SIGCHLD is ignored, or somebody waits for any child
                is_reaped = true;
                ending = ChildEnding{0, false};
            } else if (info.si_pid != 0) {
                const bool by_signal = info.si_code != CLD_EXITED;
                ending = ChildEnding{by_signal ? info.si_status : W_EXITCODE(info.si_status, 0)};
            }
            return ending.has_value();
        }

        void kill()
        {
            look();
            if (is_reaped)
                return;
            ::kill(-process, SIGKILL);
            look(0);
            // The group ends, too, where it has come to this process.
            while (waitpid(-process, nullptr, 0) > 0 || errno == EINTR) {
            }
            is_reaped = true;
            end_orphans();
        }

        pid_t process = -1; ///< below 0: why there is none
        int handle = -1;    ///< of the process, for poll()
        bool is_reaped = false;
        std::optional<ChildEnding> ending;
        std::binary_semaphore started{0};
        std::binary_semaphore release{0};
        std::thread keeper;
    };

    std::unique_ptr<State> state_;
};

} // namespace senteval::sdk
