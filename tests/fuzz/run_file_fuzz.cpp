// Any text as a run file: applied, or refused as the user's mistake.
#include "base/error.hpp"
#include "fuzz.hpp"
#include "run/config.hpp"
#include "run/run_file.hpp"

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const fuzz::MemoryFile file(fuzz::text(bytes, size));
    run::Config config;
    try {
        run::read_run_file(file.path(), config);
    } catch (const base::UsageError&) {
    }
    return 0;
}
