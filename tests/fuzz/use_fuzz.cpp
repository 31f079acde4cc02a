// Any bytes as one of the files of a model for TensorFlow.js, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/plugin_harness.hpp"
#include "support/tfjs_folder.hpp"
#include "use/use_encoder.hpp"

#include <iterator>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const fuzz::Folder folder;
    static const auto whole = test::small_use_model();
    static const bool is_written = [] {
        for (const auto& [name, content] : whole)
            folder.write(name, content);
        return true;
    }();
    if (size == 0 || !is_written)
        return 0;
    const auto& [name, content] =
        *std::next(whole.begin(), static_cast<std::ptrdiff_t>(bytes[0] % whole.size()));
    folder.write(name, fuzz::text(bytes + 1, size - 1));
    try {
        static_cast<void>(use::UseEncoder::files_of(folder.path().c_str()));
    } catch (const std::exception&) { // the host takes that as: of another encoder
    }
    try {
        const auto encoder = test::PluginHarness::of<use::UseEncoder>({{"model", folder.path()}});
        for (const auto& row : encoder.encode({"ab b!a", "", "b \u00e9 \U0001F600"}))
            fuzz::require(row.size() == encoder.dimension());
    } catch (const test::PluginFailure& e) {
        fuzz::require(e.status != SENTEVAL_INTERNAL);
    }
    folder.write(name, content);
    return 0;
}
