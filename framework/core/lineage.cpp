#include "core/lineage.hpp"

#include "core/descriptor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

namespace senteval::core {
namespace {

/// Of its 62 bits no process under real-time scheduling ever comes to the end: they are microseconds.
constexpr std::uint64_t highest_bit = std::uint64_t{1} << 61U;

/// The last marks that were accused: a signal handler can tell nobody but these.
constinit std::array<std::atomic<std::uint64_t>, 64> accused{};
constinit std::atomic<unsigned> accusations{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

bool carries(pid_t process, std::uint64_t mark)
{
    rlimit limit{};
    return prlimit(process, RLIMIT_RTTIME, nullptr, &limit) == 0 && limit.rlim_max == mark;
}

/// Whether it has not ended yet, perhaps without having been waited for.
bool runs(pid_t process)
{
    const Descriptor file(
        open(("/proc/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 512> bytes{};
    const ssize_t size = read(file.number(), bytes.data(), bytes.size());
    if (size <= 0)
        return false;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(size));
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string_view::npos || name_end + 2 >= text.size())
        return false;
    const char state = text[name_end + 2];
    return state != 'Z' && state != 'X';
}

/// Through a handle, so that nobody is hit who has got the number of one that ended just now.
void kill_one(pid_t process, std::uint64_t mark)
{
    const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    if (!carries(process, mark))
        return;
    if (handle.number() < 0)
        ::kill(process, SIGKILL); // an old kernel
    else
        syscall(SYS_pidfd_send_signal, handle.number(), SIGKILL, nullptr, 0);
}

/// Kills those that there are now; whether there were any.
bool kill_all(std::uint64_t mark)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> processes(opendir("/proc"), closedir);
    bool any = false;
    while (const dirent* entry = processes ? readdir(processes.get()) : nullptr) {
        pid_t process = 0;
        const char* const end = entry->d_name + std::strlen(entry->d_name);
        if (std::from_chars(entry->d_name, end, process).ptr != end || process <= 0 ||
            !carries(process, mark) || !runs(process))
            continue;
        any = true;
        kill_one(process, mark);
    }
    return any;
}

} // namespace

Lineage::Lineage()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0 || limit.rlim_max != RLIM_INFINITY)
        return;
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) == sizeof number)
        mark_ = (number & (highest_bit - 1)) | highest_bit;
}

void Lineage::begin() const noexcept
{
    const rlimit limit{mark_, mark_};
    if (mark_ != 0)
        (void)setrlimit(RLIMIT_RTTIME, &limit);
}

bool Lineage::accuse(int process) noexcept
{
    rlimit own{};
    rlimit limit{};
    if (getrlimit(RLIMIT_RTTIME, &own) != 0 ||
        prlimit(process, RLIMIT_RTTIME, nullptr, &limit) != 0 || limit.rlim_max == own.rlim_max ||
        limit.rlim_max < highest_bit || limit.rlim_max >= 2 * highest_bit)
        return false;
    accused[accusations++ % accused.size()] = limit.rlim_max;
    return true;
}

bool Lineage::is_accused() const noexcept
{
    return mark_ != 0 && accusations > 0 &&
           std::any_of(accused.begin(), accused.end(),
                       [this](const auto& one) { return one.load() == mark_; });
}

void Lineage::end() const noexcept
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(2);
    while (mark_ != 0 && kill_all(mark_) && Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace senteval::core
