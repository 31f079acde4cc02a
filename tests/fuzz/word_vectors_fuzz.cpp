// Any bytes as a file of word vectors: the first byte chooses the layout.
#include "fuzz.hpp"
#include "support/plugin_harness.hpp"
#include "word_vectors/word_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    using namespace senteval::word_vectors;
    if (size == 0)
        return 0;
    const fuzz::MemoryFile file(fuzz::text(bytes + 1, size - 1));
    const auto malformed = bytes[0] < 128 ? Malformed::skip : Malformed::fail;
    const test::FakeHost host;
    const test::FakeCall call;
    try {
        const WordVectors vectors({file.path(), static_cast<Format>(bytes[0] % 4), malformed},
                                  host.sdk(), call.sdk());
        fuzz::require(vectors.dimension() > 0 && vectors.size() > 0);
        std::vector<double> values(vectors.dimension());
        for (Row row = 0; row < vectors.size(); ++row) {
            fuzz::require(vectors.find(vectors.word(row)).has_value());
            if (vectors.read(row, values))
                fuzz::require(
                    std::ranges::all_of(values, [](double v) { return std::isfinite(v); }));
        }
    } catch (const sdk::Error&) {
    }
    return 0;
}
