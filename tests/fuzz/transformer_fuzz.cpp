// Any bytes as one of the files of a model's folder, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "transformer/transformer_encoder.hpp"

#include <array>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const test::ScratchFolder folder;
    static const std::string weights = test::safetensors(test::small_bert_tensors());
    if (size == 0)
        return 0;
    folder.write("model.safetensors", weights);
    folder.write("tokenizer.json", test::bert_tokenizer({"red", "##der", "blue"}).dump());
    folder.write("config.json", test::small_bert_config().dump());
    constexpr std::array files = {"model.safetensors",
                                  "tokenizer.json",
                                  "config.json",
                                  "modules.json",
                                  "config_sentence_transformers.json",
                                  "sentence_bert_config.json"};
    const char* const file = files[bytes[0] % files.size()];
    folder.write(file, fuzz::text(bytes + 1, size - 1));
    try {
        const auto encoder = test::PluginHarness::of<transformer::TransformerEncoder>(
            {{"model", folder.path().string()}});
        for (const auto& row : encoder.encode({"red redder", "", "blue [SEP] odd \u00e9"}))
            fuzz::require(row.size() == encoder.dimension());
    } catch (const test::PluginFailure& e) {
        fuzz::require(e.status != SENTEVAL_INTERNAL);
    }
    std::filesystem::remove(folder / file);
    return 0;
}
