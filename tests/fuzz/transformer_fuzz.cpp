// Any bytes as one of the files of a model's folder, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "transformer/transformer_encoder.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const std::vector<std::pair<std::string, std::string>> whole = {
        {"model.safetensors", test::safetensors(test::small_bert_tensors())},
        {"tokenizer.json", test::bert_tokenizer({"red", "##der", "blue", "odd", "##d"}).dump()},
        {"config.json", test::small_bert_config().dump()},
        {"modules.json", R"([{"path": "", "type": "sentence_transformers.models.Transformer"}])"},
        {"config_sentence_transformers.json", "{}"},
        {"sentence_bert_config.json", "{}"}};
    fuzz::with_one_file_changed(whole, bytes, size, [](const std::string& folder) {
        try {
            const auto encoder = test::PluginHarness::of<transformer::TransformerEncoder>(
                {{"model", folder}, {"pooling", "mean"}});
            for (const auto& row : encoder.encode({"red redder", "", "blue [SEP] odd \u00e9"}))
                fuzz::require(row.size() == encoder.dimension());
        } catch (const test::PluginFailure& e) {
            fuzz::require(e.status != SENTEVAL_INTERNAL);
        }
    });
    return 0;
}
