// Any bytes as one of the files of a cross-encoder's folder, by the first byte; the others are whole.
#include "fuzz.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "transformer/cross_encoder.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using nlohmann::json;

namespace {

std::string weights()
{
    std::vector<test::MadeTensor> tensors = test::small_bert_tensors();
    for (const auto& [name, rows] : {std::pair{"pooler.dense", 8}, {"classifier", 1}}) {
        const auto outputs = static_cast<std::size_t>(rows);
        tensors.push_back(test::f32(std::string(name) + ".weight", {outputs, 8},
                                    std::vector<float>(outputs * 8, 0.5F)));
        tensors.push_back(
            test::f32(std::string(name) + ".bias", {outputs}, std::vector<float>(outputs, 0.25F)));
    }
    return test::safetensors(tensors);
}

/// With a template of its own, which counts where the class of the tokenizer says nothing.
std::string tokenizer()
{
    json made = test::bert_tokenizer({"red", "##der", "blue", "odd", "##d"});
    const auto special = [](const char* name, int type) {
        return json{{"SpecialToken", {{"id", name}, {"type_id", type}}}};
    };
    const auto text = [](const char* name, int type) {
        return json{{"Sequence", {{"id", name}, {"type_id", type}}}};
    };
    made["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", {special("[CLS]", 0), text("A", 0), special("[SEP]", 0)}},
        {"pair",
         {special("[CLS]", 0), text("A", 0), special("[SEP]", 0), text("B", 1),
          special("[SEP]", 1)}},
        {"special_tokens", {{"[CLS]", {{"ids", {1}}}}, {"[SEP]", {{"ids", {2}}}}}}};
    return made.dump();
}

std::string config()
{
    json made = test::small_bert_config();
    made["architectures"] = {"BertForSequenceClassification"};
    return made.dump();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const std::vector<std::pair<std::string, std::string>> whole = {
        {"model.safetensors", weights()},
        {"tokenizer.json", tokenizer()},
        {"config.json", config()},
        {"modules.json", R"([{"path": "", "type": "sentence_transformers.models.Transformer"}])"},
        {"config_sentence_transformers.json", "{}"},
        {"tokenizer_config.json", R"({"tokenizer_class": "PreTrainedTokenizerFast"})"}};
    fuzz::with_one_file_changed(whole, bytes, size, [](const std::string& folder) {
        static_cast<void>(transformer::CrossEncoder::files_of(folder.c_str()));
        try {
            auto encoder = test::PluginHarness::of<transformer::CrossEncoder>({{"model", folder}});
            encoder.prepare({"red redder"});
            for (const auto& row : encoder.encode({"red redder", "", "blue [SEP] odd \u00e9"}))
                fuzz::require(row.size() == 1);
        } catch (const test::PluginFailure& e) {
            fuzz::require(e.status != SENTEVAL_INTERNAL);
        }
    });
    return 0;
}
