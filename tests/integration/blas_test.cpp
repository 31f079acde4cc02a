// The kernels that BLAS runs, on a processor that it does not know.
#include "base/processor.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

#include <csignal>

using namespace senteval;
using namespace senteval::test;

namespace {

/// Whoever runs the tests may have chosen kernels.
const std::string unknown_processor =
    "unset OPENBLAS_CORETYPE; LD_PRELOAD=" + quoted(binary_dir() / "tests/unknown_processor.so") +
    " ";

/// The line of `senteval --version` that begins with "BLAS".
std::string blas_line(const std::string& environment, const std::string& option = "--version")
{
    const Run run = shell(0, environment + program + " " + option);
    CHECK(run.err.empty());
    const auto begin = run.out.find("\nBLAS ");
    REQUIRE(begin != std::string::npos);
    return run.out.substr(begin + 1, run.out.find('\n', begin + 1) - begin - 1);
}

/// The kernels that such a processor should get; empty where it can do no better (says so), or the
/// system's BLAS does not choose.
std::string wanted_core()
{
    const base::ProcessorFeatures features = base::processor_features();
    const Run chosen = shell("OPENBLAS_CORETYPE=Prescott " + program + " --version");
    if (!features.avx2 || !test::contains(chosen.out, " Prescott")) {
        MESSAGE("skipped: needs AVX2 and an OpenBLAS that chooses its kernels");
        return {};
    }
    return features.avx512 ? "SkylakeX" : "Haswell";
}

/// BLAS makes the columns of an orthogonal matrix.
base::Json orthogonal(const std::string& environment, const std::filesystem::path& store)
{
    const Run run = shell(0, environment + program +
                                 " run -q --encoder borep --set dimension=64 --set "
                                 "initialisation=orthogonal --set vectors=" +
                                 quoted(samples / "vectors/sample.50d.txt") + on_samples("STS14") +
                                 " --json -" + into(store));
    CHECK(run.err.empty());
    return json_of(run).at("results").at(0).at("document");
}

} // namespace

TEST_CASE("where OpenBLAS falls back, it gets the kernels that the processor can run")
{
    const std::string wanted = wanted_core();
    if (wanted.empty())
        return;
    CHECK(test::contains(blas_line(unknown_processor), " " + wanted + " (it had chosen Prescott)"));
    CHECK(test::contains(blas_line(unknown_processor, "-V"), " " + wanted + " "));
}

TEST_CASE("a choice that the user made is respected")
{
    if (wanted_core().empty())
        return;
    for (const char* core : {"Nehalem", "Prescott", "Haswell"}) {
        const std::string mine = "OPENBLAS_CORETYPE=" + std::string(core) + " ";
        CHECK(blas_line(unknown_processor + mine).ends_with(std::string(" ") + core));
        CHECK(blas_line(mine).ends_with(std::string(" ") + core));
    }
}

TEST_CASE("a choice that OpenBLAS does not know is said to be none")
{
    if (wanted_core().empty())
        return;
    const Run run = shell(0, "OPENBLAS_CORETYPE=nonsense " + program + " --version");
    CHECK(test::contains(run.err, "warning: OPENBLAS_CORETYPE=nonsense names no kernels"));
}

TEST_CASE("too small an address space is said at once, and nothing waits for memory")
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    MESSAGE("skipped: a sanitizer reserves terabytes");
#else
    if (!test::contains(shell(program + " --version").out, "OpenBLAS")) {
        MESSAGE("skipped: needs OpenBLAS");
        return;
    }
    // 180 MiB: the program can be loaded, and the threads of OpenBLAS get no memory.
    const Run run = shell("ulimit -v 184320; timeout -s KILL 10 " + program + " tasks");
    if (run.exit_code == 128 + SIGKILL) {
        MESSAGE("skipped: this OpenBLAS waits for memory before the program begins");
        return;
    }
    CHECK(run.exit_code == 2);
    CHECK(test::contains(run.err, "limited to 184320 KiB (ulimit -v)"));
#endif
}

TEST_CASE("a plugin's products are those of the kernels that the result names")
{
    const std::string wanted = wanted_core();
    if (wanted.empty())
        return;
    const ScratchFolder folder;
    const base::Json changed = orthogonal(unknown_processor, folder / "changed");
    const base::Json named = orthogonal("OPENBLAS_CORETYPE=" + wanted + " ", folder / "named");
    for (const base::Json* document : {&changed, &named}) {
        const base::Json& run = document->at("run");
        CHECK(run.at("blas").get<std::string>().ends_with(" " + wanted));
        CHECK_FALSE(run.at("processor").get<std::string>().empty());
        CHECK_FALSE(run.at("compiler").get<std::string>().empty());
        CHECK(run.at("abi") == "1.0");
    }
    CHECK(store_content(folder / "changed") == store_content(folder / "named"));
}
