#include "check/measure.hpp"

#include "core/descriptor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace senteval::check {
namespace {

using Clock = std::chrono::steady_clock;

/// The beginning of a small file of the kernel's; empty where it cannot be read.
std::string kernel_text(const std::string& path)
{
    const core::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    char text[1024];
    const ssize_t size = file.number() < 0 ? -1 : read(file.number(), text, sizeof text);
    return {text, size < 0 ? 0 : static_cast<std::size_t>(size)};
}

void for_each_entry(const char* folder, const std::function<void(std::string_view)>& use)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder), closedir);
    if (stream == nullptr)
        return;
    while (const dirent* entry = readdir(stream.get()))
        if (entry->d_name[0] != '.')
            use(entry->d_name);
}

/// Number `index` (from 0) of a line of numbers; 0 where there is none.
unsigned long long number_at(std::string_view line, std::size_t index)
{
    for (; index > 0; --index) {
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos)
            return 0;
        line.remove_prefix(space + 1);
    }
    unsigned long long value = 0;
    std::from_chars(line.data(), line.data() + line.size(), value);
    return value;
}

/// The calling thread is always counted.
std::vector<std::string>& not_counted()
{
    static std::vector<std::string> threads;
    return threads;
}

bool counts(std::string_view thread)
{
    return std::find(not_counted().begin(), not_counted().end(), thread) == not_counted().end();
}

/// The least of a few looks at something that others change for a moment.
template <typename Look>
std::size_t least_of(const Look& look)
{
    constexpr int looks = 5;
    std::size_t least = look();
    for (int i = 1; i < looks; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(500));
        least = std::min(least, look());
    }
    return least;
}

/// How long the threads waited for a processor so far.
Seconds waited()
{
    unsigned long long nanoseconds = 0;
    for_each_entry("/proc/self/task", [&](std::string_view thread) {
        if (!counts(thread))
            return;
        nanoseconds +=
            number_at(kernel_text("/proc/self/task/" + std::string(thread) + "/schedstat"), 1);
    });
    return Seconds(static_cast<double>(nanoseconds) * 1e-9);
}

} // namespace

Seconds cpu_time()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return Seconds(static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec));
}

OwnTime::OwnTime() : begin_(Clock::now()), waited_(waited()), cpu_(cpu_time()) {}

Seconds OwnTime::passed() const
{
    const Seconds clock = Clock::now() - begin_;
    // Threads that have ended took what they waited with them: never less than nothing. Several that waited at
    // the same time waited more than there was: never less than what all processors needed for the work.
    static const double processors = std::max(1U, std::thread::hardware_concurrency());
    return std::max(clock - std::min(clock, std::max(Seconds(0), waited() - waited_)),
                    (cpu_time() - cpu_) / processors);
}

void do_not_count_threads_so_far()
{
    const std::string own = std::to_string(syscall(SYS_gettid));
    for_each_entry("/proc/self/task", [&](std::string_view thread) {
        if (thread != own)
            not_counted().emplace_back(thread);
    });
}

std::size_t thread_count()
{
    std::size_t count = 0;
    for_each_entry("/proc/self/task", [&](std::string_view) { ++count; });
    return count;
}

std::size_t busy_threads()
{
    const std::string own = std::to_string(syscall(SYS_gettid));
    std::size_t busy = 0;
    for_each_entry("/proc/self/task", [&](std::string_view thread) {
        if (thread == own || !counts(thread))
            return;
        const std::string text = kernel_text("/proc/self/task/" + std::string(thread) + "/stat");
        const std::size_t name_end = text.rfind(')');
        if (name_end != std::string::npos && name_end + 2 < text.size())
            busy += text[name_end + 2] == 'R' ? 1 : 0;
    });
    return busy;
}

std::size_t open_descriptors()
{
    return least_of([] {
        std::size_t count = 0;
        for_each_entry("/proc/self/fd", [&](std::string_view) { ++count; });
        return count;
    });
}

std::size_t heap_bytes()
{
    return least_of([] {
        const struct mallinfo2 info = mallinfo2();
        return info.uordblks + info.hblkhd;
    });
}

std::size_t resident_bytes()
{
    return number_at(kernel_text("/proc/self/statm"), 1) * page_size();
}

std::size_t mapped_bytes()
{
    return number_at(kernel_text("/proc/self/statm"), 0) * page_size();
}

std::size_t page_size()
{
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

} // namespace senteval::check
