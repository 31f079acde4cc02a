#include "process/child.hpp"

#include "core/lineage.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <functional>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace senteval::process {

class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    [[nodiscard]] int number() const noexcept { return number_; }
    void close() noexcept
    {
        if (number_ >= 0)
            ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

/// A thread that starts the program and stays as long as it runs: the system ties a child's life to the
/// thread that started it, and those that call an encoder come and go.
class Keeper {
public:
    explicit Keeper(const std::function<void()>& start)
        : thread_([this, &start] {
              sigset_t all;
              sigfillset(&all);
              pthread_sigmask(SIG_SETMASK, &all, nullptr);
              try {
                  start();
              } catch (...) {
                  failure_ = std::current_exception();
              }
              started_.release();
              end_.acquire();
          })
    {
        started_.acquire();
    }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    ~Keeper()
    {
        end_.release();
        thread_.join();
    }

    [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

private:
    std::binary_semaphore started_{0};
    std::binary_semaphore end_{0};
    std::exception_ptr failure_;
    std::thread thread_;
};

namespace {

struct Pipe {
    Pipe()
    {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::system_error(errno, std::generic_category());
        reading = Descriptor(ends[0]);
        writing = Descriptor(ends[1]);
    }
    Descriptor reading;
    Descriptor writing;
};

void do_not_block(int descriptor)
{
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// What the new process needs between fork and exec, where nothing may be allocated.
class Launch {
public:
    Launch(const Command& command, const core::Lineage& lineage)
        : lineage_(lineage),
          program_(command.program),
          folder_(command.folder),
          words_(command.words),
          parent_(getpid())
    {
        for (std::string& word : words_)
            arguments_.push_back(word.data());
        arguments_.push_back(nullptr);
    }

    /// Starts it; returns the process. Throws std::system_error.
    pid_t start(const std::array<int, 3>& streams)
    {
        Pipe problem;
        const pid_t child = _Fork(); // no handlers of libraries: nothing but exec follows
        if (child < 0)
            throw std::system_error(errno, std::generic_category());
        if (child == 0)
            execute(streams, problem.writing.number());
        problem.writing.close();
        int why = 0;
        ssize_t got = 0;
        do
            got = ::read(problem.reading.number(), &why, sizeof why);
        while (got < 0 && errno == EINTR);
        if (got != sizeof why)
            return child; // exec has closed the pipe
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        throw std::system_error(why, std::generic_category());
    }

private:
    [[noreturn]] void execute(const std::array<int, 3>& streams, int problem) const noexcept
    {
        if (become_child() && place(streams, problem)) {
            lineage_.begin();
            clear_signals();
            execv(program_.c_str(), arguments_.data());
        }
        const int why = errno;
        (void)!::write(problem, &why, sizeof why);
        _exit(127);
    }

    [[nodiscard]] bool become_child() const noexcept
    {
        return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
               getppid() == parent_ && chdir(folder_.c_str()) == 0;
    }

    /// The pipes become 0, 1 and 2; everything above is closed at exec.
    static bool place(const std::array<int, 3>& streams, int& problem) noexcept
    {
        constexpr int above = 10; // none of them lies where another shall go
        problem = fcntl(problem, F_DUPFD_CLOEXEC, above);
        std::array<int, 3> moved{};
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, above);
        for (std::size_t i = 0; i < moved.size(); ++i)
            if (moved[i] < 0 || dup2(moved[i], static_cast<int>(i)) < 0)
                return false;
        (void)close_range(3, UINT_MAX,
                          CLOSE_RANGE_CLOEXEC); // where there is none, those of others leak
        return true;
    }

    static void clear_signals() noexcept
    {
        struct sigaction action {};
        action.sa_handler = SIG_DFL;
        for (int number = 1; number < NSIG; ++number)
            sigaction(number, &action, nullptr);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
    }

    core::Lineage lineage_;
    std::string program_;
    std::string folder_;
    std::vector<std::string> words_;
    std::vector<char*> arguments_;
    pid_t parent_;
};

} // namespace

struct Child::State {
    Descriptor input;
    Descriptor output;
    Descriptor errors;
    pid_t process = -1;
    Descriptor handle; ///< of the process, for poll(); closed at exec
    bool has_ended = false;
    bool is_reaped = false;
    int status = 0;        ///< as waitpid() tells it; below 0: somebody else took it
    core::Lineage lineage; ///< killed when the program is, once
    bool has_killed_lineage = false;
    std::optional<Keeper> keeper;
};

Child::Child(const Command& command) : state_(std::make_unique<State>())
{
    try {
        Pipe input;
        Pipe output;
        Pipe errors;
        Launch launch(command, state_->lineage);
        state_->keeper.emplace([&] {
            state_->process = launch.start(
                {input.reading.number(), output.writing.number(), errors.writing.number()});
            state_->handle =
                Descriptor(static_cast<int>(syscall(SYS_pidfd_open, state_->process, 0)));
        });
        if (state_->keeper->failure())
            std::rethrow_exception(state_->keeper->failure());
        state_->input = std::move(input.writing);
        state_->output = std::move(output.reading);
        state_->errors = std::move(errors.reading);
    } catch (const std::system_error& e) {
        throw sdk::Error(SENTEVAL_INTERNAL,
                         fmt::format("'{}' cannot be started: {}: {}", command.text,
                                     command.program.string(), e.code().message()));
    }
    for (const int descriptor : {input(), output(), errors()})
        do_not_block(descriptor);
}

Child::~Child()
{
    kill();
}

int Child::input() const noexcept
{
    return state_->input.number();
}

int Child::output() const noexcept
{
    return state_->output.number();
}

int Child::errors() const noexcept
{
    return state_->errors.number();
}

void Child::close_input() noexcept
{
    state_->input.close();
}

void Child::close_errors() noexcept
{
    state_->errors.close();
}

bool Child::wait(int milliseconds)
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(milliseconds);
    while (!state_->has_ended) {
        // It stays a zombie until kill(), so that its number, and its group's, remains its own.
        siginfo_t info{};
        const int answer =
            waitid(P_PID, static_cast<id_t>(state_->process), &info, WEXITED | WNOWAIT | WNOHANG);
        if (answer != 0 && errno == ECHILD) {
            state_->is_reaped = true;
            state_->status = -1;
        }
        if (answer == 0 && info.si_pid != 0)
            state_->status =
                info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : info.si_status;
        state_->has_ended = state_->is_reaped || (answer == 0 && info.si_pid != 0);
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (state_->has_ended || left <= 0)
            break;
        // Where the system has no such descriptor, it is looked for now and then.
        constexpr std::int64_t step = 5;
        pollfd ended{state_->handle.number(), POLLIN, 0};
        (void)poll(&ended, 1, static_cast<int>(ended.fd < 0 ? std::min(left, step) : left));
    }
    return state_->has_ended;
}

void Child::kill() noexcept
{
    kill_group();
    if (!std::exchange(state_->has_killed_lineage, true))
        state_->lineage.end();
}

void Child::kill_group() noexcept
{
    if (state_->process <= 0 || state_->is_reaped)
        return;
    (void)wait(0);
    if (state_->is_reaped)
        return;
    ::kill(-state_->process, SIGKILL);
    int status = 0;
    while (waitpid(state_->process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!state_->has_ended)
        state_->status = status;
    state_->has_ended = true;
    state_->is_reaped = true;
}

std::string Child::ending() const
{
    if (state_->status < 0)
        return "ended";
    if (WIFSIGNALED(state_->status)) {
        const char* what = sigdescr_np(WTERMSIG(state_->status));
        return fmt::format("was ended by signal {} ({})", WTERMSIG(state_->status),
                           what == nullptr ? "unknown" : what);
    }
    return fmt::format("ended with exit code {}", WEXITSTATUS(state_->status));
}

} // namespace senteval::process
