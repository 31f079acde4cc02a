// Any bytes as a file of precomputed vectors: the first byte says whether the sentences stand beside.
#include "fuzz.hpp"
#include "precomputed/encoder.hpp"
#include "support/plugin_harness.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    if (size == 0)
        return 0;
    const fuzz::MemoryFile vectors(fuzz::text(bytes + 1, size - 1));
    const fuzz::MemoryFile sentences("a b\nc\n");
    std::vector<test::Parameter> parameters = {{"vectors", vectors.path()}};
    if (bytes[0] % 2 == 0)
        parameters.push_back({"sentences", sentences.path()});
    const std::vector<std::string> task = {"a b", "c"};
    try {
        auto encoder = test::PluginHarness::of<precomputed::Encoder>(parameters);
        encoder.prepare(task);
        for (const auto& row : encoder.encode(task))
            fuzz::require(!row.empty() && std::ranges::all_of(row, [](float value) {
                return std::isfinite(value);
            }));
    } catch (const test::PluginFailure&) {
    }
    return 0;
}
