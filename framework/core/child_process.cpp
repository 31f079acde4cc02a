#include "core/child_process.hpp"

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/lineage.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/// The C view of strings, which must outlive it.
std::vector<char*> pointers_to(const std::vector<std::string>& strings)
{
    std::vector<char*> pointers;
    pointers.reserve(strings.size() + 1);
    for (const std::string& string : strings)
        pointers.push_back(const_cast<char*>(string.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

std::string_view name_of(std::string_view setting)
{
    return setting.substr(0, setting.find('='));
}

std::vector<std::string> environment_with(const std::vector<std::string>& additions)
{
    std::vector<std::string> all = additions;
    for (char** at = environ; at != nullptr && *at != nullptr; ++at)
        if (std::none_of(additions.begin(), additions.end(), [&](const std::string& addition) {
                return name_of(addition) == name_of(*at);
            }))
            all.emplace_back(*at);
    return all;
}

/// Everything the child needs between vfork and exec, where nothing may be allocated.
class Launch {
public:
    Launch(const ChildCommand& command, const Lineage& lineage)
        : lineage_(lineage),
          words_(command.words),
          environment_(environment_with(command.environment)),
          argv_(pointers_to(words_)),
          envp_(pointers_to(environment_)),
          descriptors_(command.descriptors),
          address_space_(command.address_space),
          memory_(command.memory),
          open_files_(command.open_files),
          parent_(getpid())
    {
        const auto missing = [&](int number) {
            return std::none_of(descriptors_.begin(), descriptors_.end(),
                                [&](const PassedDescriptor& one) { return one.there == number; });
        };
        for (const int number : {STDOUT_FILENO, STDERR_FILENO})
            if (missing(number))
                descriptors_.push_back({STDERR_FILENO, number});
        needs_input_ = missing(STDIN_FILENO);
        std::sort(descriptors_.begin(), descriptors_.end(),
                  [](const auto& a, const auto& b) { return a.there < b.there; });
        above_ = descriptors_.back().there + 1;
    }

    /// In the child. Writes why to `problem` (errno) where the program cannot be executed.
    [[noreturn]] void execute(int problem) noexcept
    {
        // What is passed goes to numbers above all others first: they may overlap.
        if (const int moved = fcntl(problem, F_DUPFD_CLOEXEC, above_); moved >= 0)
            problem = moved;
        if (become_child() && place_descriptors() && set_limits()) {
            lineage_.begin();
            clear_signals();
            execvpe(argv_[0], argv_.data(), envp_.data());
        }
        const int why = errno;
        (void)!::write(problem, &why, sizeof why);
        _exit(127);
    }

private:
    [[nodiscard]] bool become_child() const noexcept
    {
        return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent_;
    }

    bool place_descriptors() noexcept
    {
        for (PassedDescriptor& one : descriptors_) {
            one.here = fcntl(one.here, F_DUPFD_CLOEXEC, above_);
            if (one.here < 0)
                return false;
        }
        int next = 0; // below it, everything is as the child shall find it
        if (needs_input_) {
            const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
            if (null < 0 || dup2(null, STDIN_FILENO) < 0)
                return false;
            next = 1;
        }
        for (const PassedDescriptor& one : descriptors_) {
            close_at_exec(next, one.there - 1);
            if (dup2(one.here, one.there) < 0)
                return false;
            next = one.there + 1;
        }
        close_at_exec(next, INT_MAX);
        return true;
    }

    static void close_at_exec(int first, int last) noexcept
    {
        if (first > last || close_range(static_cast<unsigned>(first), static_cast<unsigned>(last),
                                        CLOSE_RANGE_CLOEXEC) == 0)
            return;
        constexpr int most = 65536; // an old kernel: one by one
        for (int number = first; number <= std::min(last, most); ++number)
            fcntl(number, F_SETFD, FD_CLOEXEC);
    }

    [[nodiscard]] bool set_limits() const noexcept
    {
        bool done = lower(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        if (address_space_ > 0)
            done = done && lower(RLIMIT_AS, address_space_);
        if (memory_ > 0)
            done = done && lower(RLIMIT_DATA, memory_);
#endif
        if (open_files_ > 0)
            done = done && lower(RLIMIT_NOFILE, open_files_);
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

    static void clear_signals() noexcept
    {
        struct sigaction action {};
        for (int number = 1; number < NSIG; ++number) {
            // What was meant for the parent's group and came before the child left it is forgotten.
            action.sa_handler = SIG_IGN;
            sigaction(number, &action, nullptr);
            action.sa_handler = SIG_DFL;
            sigaction(number, &action, nullptr);
        }
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
    }

    Lineage lineage_;
    std::vector<std::string> words_;
    std::vector<std::string> environment_;
    std::vector<char*> argv_;
    std::vector<char*> envp_;
    std::vector<PassedDescriptor> descriptors_;
    std::uint64_t address_space_;
    std::uint64_t memory_;
    std::uint64_t open_files_;
    pid_t parent_;
    bool needs_input_ = false;
    int above_ = 0; ///< higher than every number that is passed
};

void block_signals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

/// Why the child could not execute its program, or 0: the pipe closes when it does.
int read_problem(int pipe)
{
    int problem = 0;
    ssize_t got = 0;
    do
        got = ::read(pipe, &problem, sizeof problem);
    while (got < 0 && errno == EINTR);
    return got == sizeof problem ? problem : 0;
}

/// The new process borrows this one's memory until it executes its program, so that none of it has to
/// be copied; only this thread waits. Its signals are blocked: no handler runs in the meantime.
pid_t start_in_borrowed_memory(Launch& launch, int problem)
{
    // As posix_spawn does, which sets no limits.
    const pid_t child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (child == 0)
        launch.execute(problem);
    return child;
}

/// Starts the child. Returns its process, or below 0 why not (errno).
pid_t start(Launch& launch)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    const Descriptor reading(ends[0]);
    pid_t child = -1;
    {
        const Descriptor writing(ends[1]);
        child = start_in_borrowed_memory(launch, writing.number());
        if (child < 0)
            return -errno;
    }
    const int problem = read_problem(reading.number());
    if (problem == 0)
        return child;
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return -problem;
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

    /// Calls start_it, which answers as start() does, on a thread that stays as long as the child.
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
        Launch launch(command, lineage);
        state_ = std::make_unique<State>(lineage, [&launch] { return start(launch); });
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
