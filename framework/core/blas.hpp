// blas.hpp -- the BLAS library of this process: which kernels it runs, and on how many threads.
//
// OpenBLAS picks its kernels when it is loaded. A version older than the processor does not know it and
// takes those of 2004 (Prescott), which are several times slower than what the processor can do:
// Debian 12's 0.3.21 on processors of 2023, for example. The library takes another choice any time
// before it is used; that is in no header of it, so the functions are looked up by name, and the outcome
// is asked of the library. Starting the program again with OPENBLAS_CORETYPE set would need no such
// functions, but doubles the start, needs the program's own path, and is no way for a library.
//
// Everything here is about the whole process. All of it does nothing where the BLAS is no OpenBLAS.
#pragma once

#include "base/processor.hpp"

#include <span>
#include <string>
#include <string_view>

namespace senteval::core {

/// The kernels that OpenBLAS ran when it was asked first, and those it runs now; empty where the library does not
/// say. They differ where prepare_blas() found something faster.
struct BlasKernels {
    std::string found;
    std::string used;
    std::string refused; ///< what OPENBLAS_CORETYPE asked for, where that is not what runs
    bool slow = false;   ///< the processor can do more, but the library could not be told
};

/// Pins OpenBLAS to one thread (parallelism lives above it, and the bits of a product then do not depend
/// on the number of threads), ends the others, and makes it run kernels that fit the processor, where
/// those it took are older than AVX2 and the processor is not. A user's own OPENBLAS_CORETYPE is
/// respected; otherwise the variable is set, for copies of OpenBLAS that plugins bring along.
///
/// Call it at the start, before any other thread uses BLAS or reads the environment. Calling it again is
/// harmless.
BlasKernels prepare_blas();

/// Why OpenBLAS will not work in the memory that 'ulimit -v' and 'ulimit -d' leave this process, and what
/// to do; empty where it will. Each of its threads waits for its memory without end, and the end of the
/// process for the threads: where this is not empty, end it with _exit(). Before prepare_blas().
std::string why_blas_lacks_memory();

/// While any lives, OpenBLAS computes on one thread, as after prepare_blas(); when the last one dies, on as
/// many as before the first. For a library, whose process is not its own. From any thread.
class SingleThreadedBlas {
public:
    SingleThreadedBlas();
    ~SingleThreadedBlas();
    SingleThreadedBlas(const SingleThreadedBlas&) = delete;
    SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
    SingleThreadedBlas(SingleThreadedBlas&&) = delete;
    SingleThreadedBlas& operator=(SingleThreadedBlas&&) = delete;
};

/// Library, version and kernels, such as "OpenBLAS 0.3.21 SkylakeX"; "unknown" for another library.
std::string blas_name();

/// Kernels of OpenBLAS that the processor can run and that beat `core`, the best first; none where
/// `core` was made for AVX2 or AVX-512, or is not known here.
std::span<const std::string_view> faster_blas_cores(std::string_view core,
                                                    const base::ProcessorFeatures& features);

} // namespace senteval::core
