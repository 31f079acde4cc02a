// Any bytes as one of the files of a model's folder, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "transformer/transformer_encoder.hpp"

#include <array>
#include <map>
#include <string>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const fuzz::Folder folder;
    static const std::map<std::string, std::string> whole = {
        {"model.safetensors", test::safetensors(test::small_bert_tensors())},
        {"tokenizer.json", test::bert_tokenizer({"red", "##der", "blue", "odd", "##d"}).dump()},
        {"config.json", test::small_bert_config().dump()},
        {"modules.json", R"([{"path": "", "type": "sentence_transformers.models.Transformer"}])"},
        {"config_sentence_transformers.json", "{}"},
        {"sentence_bert_config.json", "{}"}};
    static const bool is_written = [] {
        for (const auto& [name, content] : whole)
            folder.write(name, content);
        return true;
    }();
    if (size == 0 || !is_written)
        return 0;
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
            {{"model", folder.path()}, {"pooling", "mean"}});
        for (const auto& row : encoder.encode({"red redder", "", "blue [SEP] odd \u00e9"}))
            fuzz::require(row.size() == encoder.dimension());
    } catch (const test::PluginFailure& e) {
        fuzz::require(e.status != SENTEVAL_INTERNAL);
    }
    folder.write(file, whole.at(file));
    return 0;
}
