// Any text as a manifest: read, or refused as the user's mistake.
#include "base/error.hpp"
#include "data/manifest.hpp"
#include "fuzz.hpp"

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    try {
        const auto manifest = data::parse_manifest(fuzz::text(bytes, size), "fuzz.toml");
        for (const auto& dataset : manifest.datasets)
            for (const auto& file : dataset.files) {
                fuzz::require(!file.path.empty() && file.path.front() != '/');
                for (const auto& recipe : file.recipes)
                    for (const auto& name : recipe.from)
                        (void)dataset.original(name);
            }
    } catch (const base::UsageError&) {
    }
    return 0;
}
