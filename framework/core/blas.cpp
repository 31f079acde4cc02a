#include "core/blas.hpp"

#include <fmt/format.h>

#include <dlfcn.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <mutex>

namespace senteval::core {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

/// Looked up by name, so that any BLAS alternative of the system works.
template <typename Function>
Function* blas_function(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// 0 where the library does not say.
int thread_count()
{
    auto* const count = blas_function<int()>("openblas_get_num_threads");
    return count == nullptr ? 0 : count();
}

/// Starts threads again that were ended, so it is not called without need.
void set_threads(int threads)
{
    auto* const set = blas_function<void(int)>("openblas_set_num_threads");
    if (set != nullptr && thread_count() != threads)
        set(threads);
}

/// Ends the threads that OpenBLAS starts when it is loaded: each looks for work for a tenth of a second, on
/// a processor that others could use, before it sleeps. Where it is set to several, they come back.
void end_threads()
{
    if (auto* const end = blas_function<int()>("blas_thread_shutdown_"))
        end();
}

/// The number of threads is the process's, so what it was has to be, too.
struct Pinned {
    std::mutex mutex;
    int scopes = 0;
    int threads_before = 0;
};

Pinned& pinned()
{
    static Pinned state;
    return state;
}

std::string core_name()
{
    auto* const name = blas_function<char*()>("openblas_get_corename");
    return name == nullptr ? std::string() : name();
}

/// Makes OpenBLAS choose again, as when it was loaded. Returns whether it has such functions.
bool choose_again()
{
    auto* const forget = blas_function<void()>("gotoblas_dynamic_quit");
    auto* const choose = blas_function<void()>("gotoblas_dynamic_init");
    if (forget == nullptr || choose == nullptr)
        return false;
    forget();
    choose();
    return true;
}

/// Returns the core in use afterwards: one of `wanted`, or the one before.
std::string choose_one_of(std::span<const std::string_view> wanted)
{
    for (const std::string_view core : wanted) {
        ::setenv(variable, std::string(core).c_str(), 1);
        if (choose_again() && core_name() == core)
            return core_name();
    }
    // The library was built without any of them: back to its own choice.
    ::unsetenv(variable);
    choose_again();
    return core_name();
}

} // namespace

std::span<const std::string_view> faster_blas_cores(std::string_view core,
                                                    const base::ProcessorFeatures& features)
{
    // All that OpenBLAS has for x86-64 processors without AVX2. Its fallbacks are among them: Prescott,
    // Nehalem, Sandybridge, Barcelona.
    static constexpr auto old = std::to_array<std::string_view>(
        {"Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Atom", "Nano", "Opteron",
         "Opteron_SSE3", "Barcelona", "Bobcat", "Sandybridge", "Bulldozer", "Piledriver",
         "Steamroller"});
    static constexpr auto faster = std::to_array<std::string_view>({"SkylakeX", "Haswell"});
    if (std::ranges::find(old, core) == old.end() || !features.avx2)
        return {};
    return std::span(faster).subspan(features.avx512 ? 0 : 1);
}

std::string why_blas_lacks_memory()
{
    // A thread has a buffer of 128 MiB, a heap of 64 that counts as data where it is used, and a stack.
    struct Need {
        decltype(RLIMIT_AS) resource;
        char option;
        rlim_t alone; ///< MiB, of the program and one thread
        rlim_t each;  ///< MiB, of a further thread
    };
    const int threads = thread_count();
    for (const Need& need : {Need{RLIMIT_AS, 'v', 456, 200}, Need{RLIMIT_DATA, 'd', 32, 144}}) {
        const rlim_t kib = 1024 * (need.alone + need.each * static_cast<rlim_t>(threads - 1));
        rlimit limit{};
        if (threads > 0 && getrlimit(need.resource, &limit) == 0 && limit.rlim_cur / 1024 < kib)
            return fmt::format("the memory is limited to {} KiB (ulimit -{}); the matrix library "
                               "needs {} with {} threads (OPENBLAS_NUM_THREADS=1: less)",
                               limit.rlim_cur / 1024, need.option, kib, threads);
    }
    return {};
}

BlasKernels prepare_blas()
{
    set_threads(1);
    end_threads();
    BlasKernels kernels;
    kernels.found = core_name();
    kernels.used = kernels.found;
    const auto faster = faster_blas_cores(kernels.found, base::processor_features());
    if (const char* asked = std::getenv(variable); asked != nullptr) {
        if (!kernels.found.empty() && strcasecmp(asked, kernels.found.c_str()) != 0)
            kernels.refused = asked;
        return kernels;
    }
    if (faster.empty())
        return kernels;
    kernels.used = choose_one_of(faster);
    kernels.slow = kernels.used == kernels.found;
    return kernels;
}

SingleThreadedBlas::SingleThreadedBlas()
{
    Pinned& state = pinned();
    const std::lock_guard lock(state.mutex);
    if (state.scopes++ > 0)
        return;
    state.threads_before = thread_count();
    set_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas()
{
    Pinned& state = pinned();
    const std::lock_guard lock(state.mutex);
    if (--state.scopes == 0 && state.threads_before > 0)
        set_threads(state.threads_before);
}

std::string blas_name()
{
    auto* const configuration = blas_function<char*()>("openblas_get_config");
    if (configuration == nullptr)
        return "unknown";
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ... Haswell MAX_THREADS=64"
    const std::string all = configuration();
    return all.substr(0, all.find(' ', all.find(' ') + 1)) + " " + core_name();
}

} // namespace senteval::core
