#include "check/process.hpp"

#include "check/host.hpp"

#include <fmt/format.h>

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace senteval::check {
namespace {

std::string file_text(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Of the kernel's account: umask() would have to change it to read it.
std::string file_mask()
{
    const std::string status = file_text("/proc/self/status");
    const std::size_t at = status.find("Umask:");
    return at == std::string::npos ? std::string() : status.substr(at, status.find('\n', at) - at);
}

/// Rounding mode and the control words of both units; the flags that calculations set do not count.
std::array<unsigned, 3> floating_point()
{
    std::array<unsigned, 3> state{static_cast<unsigned>(std::fegetround()), 0, 0};
#if defined(__SSE__)
    constexpr unsigned flags = 0x3f;
    state[1] = _mm_getcsr() & ~flags;
#endif
#if defined(__x86_64__) || defined(__i386__)
    unsigned short word = 0;
    asm volatile("fnstcw %0" : "=m"(word));
    state[2] = word;
#endif
    return state;
}

void (*handler_of(int number))(int)
{
    struct sigaction action {};
    return sigaction(number, nullptr, &action) == 0 ? action.sa_handler : SIG_DFL;
}

std::string folder()
{
    std::error_code gone;
    return std::filesystem::current_path(gone).string();
}

std::set<std::string> entries(const char* folder)
{
    std::set<std::string> names;
    if (DIR* const stream = opendir(folder)) {
        while (const dirent* entry = readdir(stream))
            if (entry->d_name[0] != '.')
                names.insert(entry->d_name);
        closedir(stream);
    }
    return names;
}

} // namespace

Snapshot::Snapshot()
    : locale_(std::setlocale(LC_ALL, nullptr)),
      thread_locale_(uselocale(nullptr)),
      folder_(folder()),
      floating_point_(floating_point()),
      file_mask_(file_mask())
{
    std::fflush(stdout);
    for (std::size_t number = 1; number < signals; ++number)
        handlers_[number] = handler_of(static_cast<int>(number));
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked_);
    for (int number = 0; number < static_cast<int>(streams_.size()); ++number)
        if (fstat(number, &streams_[static_cast<std::size_t>(number)]) != 0)
            streams_[static_cast<std::size_t>(number)] = {};
}

std::vector<Change> Snapshot::changes() const
{
    const Snapshot now;
    std::vector<Change> found;
    if (now.locale_ != locale_)
        found.push_back(
            {"6.1", fmt::format("the locale is '{}' in place of '{}'", now.locale_, locale_)});
    if (now.thread_locale_ != thread_locale_)
        found.push_back({"6.1", "the thread has another locale"});
    for (int number = 1; number < static_cast<int>(signals); ++number) {
        const auto index = static_cast<std::size_t>(number);
        if (now.handlers_[index] != handlers_[index])
            found.push_back({"6.2", fmt::format("signal {} has another handler", number)});
        if (sigismember(&now.blocked_, number) != sigismember(&blocked_, number))
            found.push_back({"6.2", fmt::format("the thread has signal {} {}", number,
                                                sigismember(&blocked_, number) == 1 ? "unblocked"
                                                                                    : "blocked")});
    }
    if (now.folder_ != folder_)
        found.push_back({"6.3", fmt::format("the working directory is '{}'", now.folder_)});
    if (now.floating_point_ != floating_point_)
        found.push_back(
            {"6.4", now.floating_point_[0] != floating_point_[0]
                        ? "the rounding mode is another"
                        : "denormal numbers, precision or traps are treated otherwise"});
    if (now.file_mask_ != file_mask_)
        found.push_back({"6.5", fmt::format("{} in place of {}", now.file_mask_, file_mask_)});
    for (std::size_t number = 0; number < streams_.size(); ++number)
        if (now.streams_[number].st_dev != streams_[number].st_dev ||
            now.streams_[number].st_ino != streams_[number].st_ino)
            found.push_back({"6.6", fmt::format("descriptor {} is not what it was", number)});
    if (now.streams_[STDOUT_FILENO].st_size > streams_[STDOUT_FILENO].st_size)
        found.push_back({"6.6", "wrote " + shown(printed_since()) + " to stdout"});
    return found;
}

std::string Snapshot::printed_since() const
{
    std::array<char, 1000> text{};
    const ssize_t size =
        pread(STDOUT_FILENO, text.data(), text.size(), streams_[STDOUT_FILENO].st_size);
    return {text.data(), static_cast<std::size_t>(std::max(size, ssize_t{0}))};
}

void keep_stdout_in_memory()
{
    if (const int memory = memfd_create("stdout", MFD_CLOEXEC); memory >= 0) {
        dup2(memory, STDOUT_FILENO);
        close(memory);
    }
}

std::set<std::string> threads()
{
    return entries("/proc/self/task");
}

std::size_t busy_threads(const std::string& apart)
{
    std::size_t busy = 0;
    for (const std::string& thread : threads()) {
        const std::string text = file_text("/proc/self/task/" + thread + "/stat");
        const std::size_t state = text.rfind(')') + 2; // behind the name
        busy += thread != apart && state < text.size() && text[state] == 'R' ? 1 : 0;
    }
    return busy;
}

std::size_t open_descriptors()
{
    return entries("/proc/self/fd").size();
}

std::size_t heap_bytes()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

std::size_t mapped_bytes()
{
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace senteval::check
