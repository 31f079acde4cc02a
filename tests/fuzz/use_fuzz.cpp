// Any bytes as one of the files of a model for TensorFlow.js, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/plugin_harness.hpp"
#include "support/tfjs_folder.hpp"
#include "use/use_encoder.hpp"

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const auto whole = test::small_use_model();
    fuzz::with_one_file_changed(whole, bytes, size, [](const std::string& folder) {
        try {
            static_cast<void>(use::UseEncoder::files_of(folder.c_str()));
        } catch (const std::exception&) { // the host takes that as: of another encoder
        }
        try {
            const auto encoder = test::PluginHarness::of<use::UseEncoder>({{"model", folder}});
            for (const auto& row : encoder.encode({"ab b!a", "", "b \u00e9 \U0001F600"}))
                fuzz::require(row.size() == encoder.dimension());
        } catch (const test::PluginFailure& e) {
            fuzz::require(e.status != SENTEVAL_INTERNAL);
        }
    });
    return 0;
}
