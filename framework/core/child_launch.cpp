#include "core/child_launch.hpp"

#include "core/descriptor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string_view>

namespace senteval::core {
namespace {

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

void close_at_exec(int first, int last) noexcept
{
    if (first > last || close_range(static_cast<unsigned>(first), static_cast<unsigned>(last),
                                    CLOSE_RANGE_CLOEXEC) == 0)
        return;
    constexpr int most = 65536; // an old kernel: one by one
    for (int number = first; number <= std::min(last, most); ++number)
        fcntl(number, F_SETFD, FD_CLOEXEC);
}

template <typename Resource>
bool lower(Resource resource, std::uint64_t most) noexcept
{
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0)
        return false;
    limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    return setrlimit(resource, &limit) == 0;
}

void clear_signals() noexcept
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

} // namespace

ChildLaunch::ChildLaunch(const ChildCommand& command, const Lineage& lineage)
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

void ChildLaunch::execute(int problem) noexcept
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

bool ChildLaunch::become_child() const noexcept
{
    return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent_;
}

bool ChildLaunch::place_descriptors() noexcept
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

bool ChildLaunch::set_limits() const noexcept
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

/// The new process borrows this one's memory until it executes its program, so that none of it has to
/// be copied; only this thread waits. Its signals are blocked: no handler runs in the meantime.
pid_t ChildLaunch::start_in_borrowed_memory(int problem)
{
    // As posix_spawn does, which sets no limits.
    const pid_t child = vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork)
    if (child == 0)
        execute(problem); // NOLINT(clang-analyzer-unix.Vfork): it calls the system and nothing else
    return child;
}

pid_t ChildLaunch::start()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    const Descriptor reading(ends[0]);
    pid_t child = -1;
    {
        const Descriptor writing(ends[1]);
        child = start_in_borrowed_memory(writing.number());
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

} // namespace senteval::core
