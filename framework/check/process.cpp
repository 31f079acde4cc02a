#include "check/process.hpp"

#include <fmt/format.h>

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace senteval::check {
namespace {

/// The line of a file that begins with these words; empty where there is none.
std::string line_of(const std::string& path, std::string_view words)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(words))
            return line;
    return {};
}

/// What could not be read is empty.
std::optional<std::string> if_any(std::string text)
{
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

/// Rounding mode and the control words of both units; the flags that calculations set do not count.
std::string floating_point()
{
    unsigned vectors = 0;
    unsigned short scalars = 0;
#if defined(__SSE__)
    constexpr unsigned flags = 0x3f;
    vectors = _mm_getcsr() & ~flags;
#endif
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("fnstcw %0" : "=m"(scalars));
#endif
    return fmt::format("rounding {}, control words {:#x} and {:#x}", std::fegetround(), vectors,
                       scalars);
}

/// Nothing where it cannot be listed.
std::vector<std::string> entries(const char* folder)
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        names.push_back(entry.path().filename().string());
    return names;
}

} // namespace

std::vector<Property> process_state()
{
    std::fflush(stdout);
    std::error_code gone;
    std::vector<Property> state = {
        {"6.1", "the locale", std::setlocale(LC_ALL, nullptr)},
        {"6.1", "the thread's locale", fmt::format("{}", fmt::ptr(uselocale(nullptr)))},
        {"6.3", "the working directory", if_any(std::filesystem::current_path(gone).string())},
        {"6.4", "the floating-point environment", floating_point()},
        // umask() would have to change it to read it.
        {"6.5", "the mask of new files", if_any(line_of("/proc/self/status", "Umask:"))},
    };
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction action {};
        (void)sigaction(number, nullptr, &action);
        state.push_back({"6.2", fmt::format("the handling of signal {}", number),
                         fmt::format("{:#x}{}", reinterpret_cast<std::uintptr_t>(action.sa_handler),
                                     sigismember(&blocked, number) == 1 ? ", blocked" : "")});
    }
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        struct stat file {};
        (void)fstat(number, &file);
        state.push_back({"6.6", fmt::format("descriptor {}", number),
                         fmt::format("file {}:{}", file.st_dev, file.st_ino)});
        if (number == STDOUT_FILENO)
            state.push_back(
                {"6.6", "what was written to stdout", fmt::format("{} bytes", file.st_size)});
    }
    return state;
}

void keep_stdout_in_memory()
{
    if (const int memory = memfd_create("stdout", MFD_CLOEXEC); memory >= 0) {
        dup2(memory, STDOUT_FILENO);
        close(memory);
    }
}

std::vector<std::string> threads()
{
    return entries("/proc/self/task");
}

std::size_t busy_threads(const std::string& apart)
{
    const auto found = threads();
    return static_cast<std::size_t>(std::ranges::count_if(found, [&](const std::string& thread) {
        // A thread may end while this is read.
        const std::string line = line_of("/proc/self/task/" + thread + "/stat", thread);
        const std::size_t state = line.rfind(')') + 2; // behind the name
        return thread != apart && state < line.size() && line[state] == 'R';
    }));
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

void limit_memory()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    constexpr rlim_t more = rlim_t{4} << 30;
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur =
        std::min<rlim_t>(limit.rlim_cur, pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + more);
    setrlimit(RLIMIT_AS, &limit);
#endif
}

} // namespace senteval::check
