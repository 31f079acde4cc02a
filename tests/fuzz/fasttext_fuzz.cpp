// Any bytes as a fastText model: refused, or a model that encodes.
#include "fasttext/encoder.hpp"
#include "fuzz.hpp"
#include "support/plugin_harness.hpp"

#include <string>
#include <vector>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const std::vector<std::string> sentences = {
        "the cat purrs", "", "</s> nothing", "__label__animal catlike", std::string(300, 'a')};
    const fuzz::MemoryFile file(fuzz::text(bytes, size));
    try {
        auto encoder = test::PluginHarness::of<fasttext::Encoder>({{"model", file.path()}});
        encoder.prepare(sentences);
        const auto rows = encoder.encode(sentences);
        fuzz::require(rows.size() == sentences.size());
        (void)encoder.count_known(sentences);
    } catch (const test::PluginFailure&) {
    }
    return 0;
}
