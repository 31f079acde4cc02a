#include "transformer/transformer_encoder.hpp"

#include "base/processor.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Json;
using test::MadeTensor;
using test::PluginHarness;
using test::ScratchFolder;
using transformer::TransformerEncoder;

namespace {

constexpr std::size_t width = 8;
using Vector = std::vector<float>;
using test::small_bert_config;
using test::small_bert_tensors;

/// A folder with the small BERT, without modules.json.
struct ModelFolder {
    ScratchFolder scratch;

    ModelFolder()
    {
        write("config.json", small_bert_config());
        write("tokenizer.json", test::bert_tokenizer({"red", "blue", "green", "query", ":"}));
        weigh(small_bert_tensors());
    }
    void write(const std::string& name, const Json& json) const
    {
        scratch.write(name, json.dump());
    }
    void weigh(const std::vector<MadeTensor>& tensors) const
    {
        scratch.write("model.safetensors", test::safetensors(tensors));
    }
    static Json module(int idx, const std::string& kind, const char* path = "none")
    {
        return {{"idx", idx}, {"path", path}, {"type", "sentence_transformers.models." + kind}};
    }
    /// Pooling, as old files say it.
    void pool(const char* mode, const Json& more = Json::array()) const
    {
        Json modules = {module(0, "Transformer", ""), module(1, "Pooling", "1_Pooling")};
        modules.insert(modules.end(), more.begin(), more.end());
        write("modules.json", modules);
        Json pooling = {{"word_embedding_dimension", 8}, {"pooling_mode_mean_tokens", false}};
        pooling[std::string("pooling_mode_") + mode] = true;
        write("1_Pooling/config.json", pooling);
    }
    [[nodiscard]] PluginHarness open(std::vector<test::Parameter> more = {}) const
    {
        more.push_back({"model", scratch.path().string()});
        return PluginHarness::of<TransformerEncoder>(more);
    }
    [[nodiscard]] std::string refusal(const std::vector<test::Parameter>& more = {}) const
    {
        return test::error_of<test::PluginFailure>([&] { return open(more); });
    }
};

double difference(const Vector& a, const Vector& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::fabs(static_cast<double>(a[i] - b[i])));
    return worst;
}

} // namespace

TEST_CASE("pooling, dense layers and normalisation, by the folder or by parameters")
{
    const ModelFolder folder;
    const Vector mean = folder.open().encode("red blue");
    CHECK(mean.size() == width);
    const Vector all =
        folder.open({{"pooling", "cls+max+mean+mean_sqrt_len_tokens+weightedmean+lasttoken"}})
            .encode("red blue");
    REQUIRE(all.size() == 6 * width);
    const auto part = [&](std::size_t i) {
        return Vector(all.begin() + static_cast<std::ptrdiff_t>(i * width),
                      all.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    CHECK(part(2) == mean);
    for (std::size_t c = 0; c < width; ++c) {
        CHECK(part(1)[c] >= std::max(part(0)[c], part(5)[c]));
        CHECK(part(3)[c] == doctest::Approx(2 * part(2)[c])); // of four tokens
    }
    const std::pair<const char*, std::size_t> flags[] = {
        {"cls_token", 0},           {"max_tokens", 1},
        {"mean_tokens", 2},         {"mean_sqrt_len_tokens", 3},
        {"weightedmean_tokens", 4}, {"lasttoken", 5}};
    for (const auto& [flag, place] : flags) {
        folder.pool(flag);
        CHECK(folder.open().encode("red blue") == part(place));
    }

    folder.pool("mean_tokens",
                {ModelFolder::module(2, "Dense", "2_Dense"), ModelFolder::module(3, "Normalize")});
    Json dense = {
        {"in_features", 8}, {"out_features", 2}, {"activation_function", "torch.nn.ReLU"}};
    folder.write("2_Dense/config.json", dense);
    Vector weights(16, 0.0F);
    weights[0] = 3.0F;  // the first output is three times the first element
    weights[8] = -3.0F; // the second its negative
    folder.scratch.write("2_Dense/model.safetensors",
                         test::safetensors({test::f32("linear.weight", {2, 8}, weights)}));
    CHECK(test::contains(folder.refusal(), "linear.bias"));
    dense["bias"] = false;
    folder.write("2_Dense/config.json", dense);
    const Vector raw = folder.open({{"normalize", "no"}}).encode("red blue");
    CHECK(raw[mean[0] > 0 ? 0 : 1] == doctest::Approx(3 * std::fabs(mean[0])));
    CHECK(raw[mean[0] > 0 ? 1 : 0] == 0.0F);
    const Vector unit = folder.open().encode("red blue");
    CHECK(unit[mean[0] > 0 ? 0 : 1] == doctest::Approx(1.0));
    CHECK(folder.open({{"normalize", "yes"}, {"pooling", "cls"}}).dimension() == 2);
}

TEST_CASE("prompts stand before every text, and may be left out of pooling")
{
    const ModelFolder folder;
    const Vector plain = folder.open().encode("red");
    folder.write("config_sentence_transformers.json",
                 {{"prompts", {{"q", "query: "}, {"d", ""}}}, {"default_prompt_name", "q"}});
    const Vector prompted = folder.open().encode("red");
    CHECK(difference(prompted, plain) > 1e-3);
    CHECK(folder.open({{"prompt_name", "none"}}).encode("red") == plain);
    CHECK(folder.open({{"prompt_name", "d"}}).encode("red") == plain);
    CHECK(folder.open({{"prompt", "query: "}, {"prompt_name", "none"}}).encode("red") == prompted);
    CHECK(folder.open({{"prompt_name", "none"}}).encode("query: red") == prompted);
    CHECK(test::contains(folder.refusal({{"prompt_name", "x"}}), "'x'"));

    // By role: queries and documents have those of their names or none, others the default.
    folder.write("config_sentence_transformers.json",
                 {{"prompts", {{"query", "query: "}, {"document", "blue"}, {"x", "green"}}}});
    const auto as = [](const PluginHarness& encoder, sdk::Role role) {
        return encoder.encode_as(role, {"red"}).front();
    };
    CHECK(folder.open().encode("red") == plain);
    CHECK(as(folder.open(), sdk::Role::as_is) == plain);
    CHECK(as(folder.open(), sdk::Role::query) == prompted);
    CHECK(as(folder.open(), sdk::Role::document) == folder.open().encode("bluered"));
    for (const auto role : {sdk::Role::query, sdk::Role::document}) {
        CHECK(as(folder.open({{"prompt_name", "none"}}), role) == plain);
        CHECK(as(folder.open({{"prompt_name", "x"}}), role) == folder.open().encode("greenred"));
        CHECK(as(folder.open({{"prompt", "query: "}}), role) == prompted);
    }
    CHECK(as(folder.open({{"prompt", "query: "}}), sdk::Role::as_is) == plain);
    Json config = {{"prompts", {{"q", "query: "}, {"passage", "blue"}, {"corpus", "green"}}},
                   {"default_prompt_name", "q"},
                   {"truncate_dim", nullptr}};
    folder.write("config_sentence_transformers.json", config);
    CHECK(folder.open().encode("red") == prompted);
    CHECK(as(folder.open(), sdk::Role::query) == plain);
    CHECK(as(folder.open(), sdk::Role::document) == plain);
    config["truncate_dim"] = 4;
    folder.write("config_sentence_transformers.json", config);
    CHECK_THROWS_AS((void)folder.open(), test::PluginFailure);
    config.erase("truncate_dim");
    folder.write("config_sentence_transformers.json", config);

    // Of [CLS] query : red [SEP] the last two are pooled: twice their mean less one is the other.
    folder.pool("mean_tokens");
    folder.write("1_Pooling/config.json",
                 {{"embedding_dimension", 8}, {"pooling_mode", "mean"}, {"include_prompt", false}});
    const Vector last_two = folder.open().encode("red");
    folder.write("1_Pooling/config.json", {{"pooling_mode", {"lasttoken", "mean"}}});
    const Vector both = folder.open().encode("red");
    Vector others(width);
    for (std::size_t c = 0; c < width; ++c)
        others[c] = (5 * both[width + c] - 2 * last_two[c]) / 3;
    folder.write("1_Pooling/config.json", {{"pooling_mode", "max"}, {"include_prompt", false}});
    const Vector most = folder.open().encode("red");
    for (std::size_t c = 0; c < width; ++c)
        CHECK(std::max(both[c], 2 * last_two[c] - both[c]) ==
              doctest::Approx(most[c]).epsilon(1e-4));
}

TEST_CASE("texts beyond the limit are cut, and a task says how many")
{
    const ModelFolder folder;
    PluginHarness harness = folder.open();
    const std::string eight = "red blue red blue red blue red blue"; // ten with [CLS] and [SEP]
    CHECK(harness.encode(eight) == harness.encode(eight + " green"));
    CHECK(difference(harness.encode(eight),
                     harness.encode("red blue red blue red blue red green")) > 1e-3);
    harness.prepare({"red", eight, eight + " green"});
    CHECK(harness.host().warnings("1 of 3 texts") == 1);
    CHECK(harness.count_known({"red odd", ""}) ==
          std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}, {0, 0}});

    folder.write("tokenizer_config.json", {{"do_lower_case", false}});
    CHECK(folder.open().encode("RED") == folder.open().encode("odd"));
    CHECK(folder.open().host().warnings("normalizer") == 1); // as tokenizer.json says other things
    folder.write("sentence_bert_config.json", {{"max_seq_length", 4}, {"do_lower_case", true}});
    CHECK(folder.open().encode("red blue") == folder.open().encode("RED blue green"));
    for (const Json& limit : {Json(2), Json(-1), Json("8")}) {
        folder.write("sentence_bert_config.json", {{"max_seq_length", limit}});
        CHECK(test::contains(folder.refusal(), limit == 2 ? "2 tokens" : "max_seq_length"));
    }
    folder.write("sentence_bert_config.json", Json::object());
    folder.write("tokenizer_config.json", {{"model_max_length", 3}});
    CHECK(folder.open().encode("red") == folder.open().encode("red blue"));
    folder.write("tokenizer_config.json", {{"truncation_side", "left"}, {"model_max_length", 3}});
    CHECK(folder.open().encode("red blue") == folder.open().encode("blue"));
    folder.write("tokenizer_config.json", {{"truncation_side", "up"}});
    CHECK(test::contains(folder.refusal(), "'up'"));
    folder.write("tokenizer_config.json",
                 {{"model_max_length", 1e30}, {"truncation_side", "right"}});
    CHECK(folder.open().encode(eight) == harness.encode(eight));
}

TEST_CASE("settings of texts, by sentence_bert_config.json")
{
    const ModelFolder folder;
    const Vector plain = folder.open().encode("red blue green");
    const auto with = [&](const Json& config) {
        folder.write("sentence_bert_config.json", config);
        return folder.open();
    };
    const auto text = [](const Json& settings) {
        return Json{{"processing_kwargs", {{"text", settings}}}};
    };
    const Vector bare = with(text({{"add_special_tokens", false}})).encode("red blue");
    CHECK(difference(bare, with(Json::object()).encode("red blue")) > 1e-3);
    CHECK(bare ==
          with(text({{"add_special_tokens", false}, {"max_length", 2}})).encode("red blue green"));
    CHECK(with({{"modality_config",
                 {{"text", {{"method", "forward"}, {"method_output_name", "last_hidden_state"}}}}},
                {"module_output_name", "token_embeddings"},
                {"unpad_inputs", true},
                {"odd", Json::array()}})
              .encode("red blue green") == plain);
    for (const Json& other :
         {Json{{"odd", 1}}, Json{{"transformer_task", "fill-mask"}}, Json{{"max_seq_length", 0}},
          Json{{"max_seq_length", 4.5}}, Json{{"document_length", 2}},
          Json{{"model_args", {{"a", 1}}}}, Json{{"module_output_name", "scores"}},
          Json{{"query_expansion", {{"length", 3}}}}, text({{"truncation", false}}),
          text({{"stride", 1}}),
          Json{{"modality_config", {{"message", {{"method", "forward"}}}}}}}) {
        folder.write("sentence_bert_config.json", other);
        CAPTURE(other.dump());
        CHECK_FALSE(folder.refusal().empty());
    }
}

TEST_CASE("steps of tokens before pooling, and residual ones behind it")
{
    const ModelFolder folder;
    const auto module = ModelFolder::module;
    const Vector plain = folder.open().encode("red blue");
    folder.pool("mean_tokens", Json::array({module(2, "Dense", "2_Dense")}));
    Json dense = {{"in_features", 8},
                  {"out_features", 8},
                  {"bias", false},
                  {"activation_function", "torch.nn.Identity"},
                  {"use_residual", true}};
    Vector twice(64, 0.0F);
    for (std::size_t i = 0; i < 8; ++i)
        twice[i * 9] = 2.0F;
    const auto write = [&](const std::vector<MadeTensor>& tensors) {
        folder.write("2_Dense/config.json", dense);
        folder.scratch.write("2_Dense/model.safetensors", test::safetensors(tensors));
    };
    const auto times = [&](float factor) {
        Vector result = plain;
        for (float& value : result)
            value *= factor;
        return result;
    };
    write({test::f32("linear.weight", {8, 8}, twice)});
    CHECK(difference(folder.open().encode("red blue"), times(3)) < 1e-5);
    dense["out_features"] = 4;
    const Vector half(twice.begin(), twice.begin() + 32);
    write({test::f32("linear.weight", {4, 8}, half)});
    CHECK(test::contains(folder.refusal(), "residual.weight"));
    write({test::f32("linear.weight", {4, 8}, half), test::f32("residual.weight", {4, 8}, half)});
    Vector four = times(4);
    four.resize(4);
    CHECK(difference(folder.open().encode("red blue"), four) < 1e-5);
    dense["use_residual"] = false;
    write({test::f32("linear.weight", {4, 8}, half), test::f32("residual.weight", {4, 8}, half)});
    CHECK(test::contains(folder.refusal(), "residual.weight")); // which nothing asks for

    Json modules = {module(0, "Transformer", ""), module(1, "Dense", "2_Dense"),
                    module(2, "Pooling", "1_Pooling")};
    folder.write("modules.json", modules);
    folder.write("1_Pooling/config.json", {{"embedding_dimension", 4}, {"pooling_mode", "mean"}});
    dense["module_input_name"] = "token_embeddings";
    write({test::f32("linear.weight", {4, 8}, half)});
    Vector two = times(2);
    two.resize(4);
    CHECK(difference(folder.open().encode("red blue"), two) < 1e-5); // mean and product exchange
    for (const auto& [key, value] : {std::pair{"module_input_name", Json("sentence_embedding")},
                                     {"module_output_name", "other"},
                                     {"scale", 2},
                                     {"in_features", -8},
                                     {"in_features", 8.5},
                                     {"activation_function", "mine.ReLU"}}) {
        Json other = dense;
        other[key] = value;
        folder.write("2_Dense/config.json", other);
        CAPTURE(other.dump());
        CHECK(test::contains(folder.refusal(), "2_Dense/config.json"));
    }
    write({test::f32("linear.weight", {4, 8}, half)});
    modules[1]["kwargs"] = Json::array();
    modules[1]["scale"] = 2;
    folder.write("modules.json", modules);
    CHECK(test::contains(folder.refusal(), "'scale'"));
}

TEST_CASE("weights of which the configuration says nothing, and keys that are not known")
{
    const ModelFolder folder;
    std::vector<MadeTensor> tensors = small_bert_tensors();
    for (const auto& [name, is_refused] : {std::pair{"encoder.layer.1.output.dense.weight", true},
                                           {"embeddings.scale", true},
                                           {"encoder.layer.0.rotary_emb.inv_freq", false},
                                           {"embeddings.position_ids", false},
                                           {"pooler.dense.weight", false},
                                           {"cls.predictions.bias", false}}) {
        CAPTURE(name);
        tensors.push_back(test::f32(name, {1}, {1}));
        folder.weigh(tensors);
        CHECK(folder.refusal().empty() != is_refused);
        tensors.pop_back();
    }
    folder.weigh(tensors);
    Json config = small_bert_config();
    config.update({{"soft_cap", 3}, {"pruned_heads", Json::object()}, {"torch_dtype", "float16"}});
    folder.write("config.json", config);
    folder.write("tokenizer_config.json",
                 {{"odd_tokens", true}, {"never_split", nullptr}, {"odd", {}}});
    const PluginHarness harness = folder.open();
    CHECK(harness.host().warnings("'soft_cap' (3)") == 1);
    CHECK(harness.host().warnings("'odd_tokens'") == 1);
    CHECK(harness.host().warnings("not known") == 2);
}

TEST_CASE("a vector depends on its text alone, and nothing is computed after a cancellation")
{
    const ModelFolder folder;
    PluginHarness harness = folder.open();
    std::vector<std::string> texts;
    for (int i = 0; i < 300; ++i)
        texts.push_back(i % 3 == 0 ? "red" : i % 3 == 1 ? "blue green red blue" : "");
    const test::Rows rows = harness.encode(texts);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(difference(harness.encode(texts[i]), rows[i + 297]) < 1e-6);
    CHECK(harness.encode(std::vector<std::string>{}).empty());
    harness.cancel();
    CHECK_THROWS_AS(std::ignore = harness.encode(texts), test::PluginFailure);
}

TEST_CASE("names of old and of other checkpoints")
{
    const ModelFolder folder;
    const Vector expected = folder.open().encode("red blue");
    std::vector<MadeTensor> tensors = small_bert_tensors();
    for (MadeTensor& tensor : tensors) {
        tensor.name = "bert." + tensor.name;
        for (const auto& [now, then] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                        std::pair{"LayerNorm.bias", "LayerNorm.beta"}})
            if (tensor.name.ends_with(now))
                tensor.name.replace(tensor.name.size() - std::string(now).size(), std::string::npos,
                                    then);
    }
    tensors.push_back(test::f32("bert.pooler.dense.weight", {1}, {1}));
    folder.weigh(tensors);
    CHECK(folder.open().encode("red blue") == expected);
}

TEST_CASE("positions of RoBERTa, beside a padding token that somebody wrote")
{
    const ModelFolder folder;
    std::vector<MadeTensor> tensors = small_bert_tensors();
    folder.weigh(tensors);
    Json config = small_bert_config();
    config["model_type"] = "xlm-roberta";
    folder.write("config.json", config);
    const Vector usual = folder.open().encode("blue");
    for (const Json& pad : {Json(nullptr), Json(1), Json(3), Json(-1), Json("a"), Json(9)}) {
        config["pad_token_id"] = pad;
        folder.write("config.json", config);
        if (pad == 3) // another position
            CHECK(difference(folder.open().encode("blue"), usual) > 1e-3);
        else if (pad.is_null() || pad == 1)
            CHECK(folder.open().encode("blue") == usual);
        else
            CHECK(test::contains(folder.refusal(), pad == 9 ? "positions" : "pad_token_id"));
    }
    config["pad_token_id"] = 3; // which is "red"
    folder.write("config.json", config);
    const PluginHarness roberta = folder.open();
    const std::string text = "blue red green";
    const Vector padded = roberta.encode(text);
    CHECK(roberta.encode("blue green blue green") == roberta.encode("blue green blue green blue"));

    std::string& table = tensors[1].bytes; // of positions, rows of BERT in the order of this text
    std::string rows;
    for (const std::size_t row : {4, 5, 3, 6, 7})
        rows += table.substr(row * width * sizeof(float), width * sizeof(float));
    table.replace(0, rows.size(), rows);
    folder.weigh(tensors);
    folder.write("config.json", small_bert_config());
    CHECK(folder.open().encode(text) == padded);
    for (MadeTensor& tensor : tensors)
        tensor.name = "roberta." + tensor.name;
    folder.weigh(tensors);
    CHECK(folder.open().encode(text) == padded);
}

TEST_CASE("what is not supported is refused by name")
{
    const auto with_config = [](const char* key, const Json& value) {
        const ModelFolder folder;
        Json config = small_bert_config();
        config[key] = value;
        folder.write("config.json", config);
        return folder.refusal();
    };
    CHECK(test::contains(with_config("model_type", "t5"), {"'t5'", "distilbert"}));
    CHECK(test::contains(with_config("position_embedding_type", "relative_key"), "relative_key"));
    CHECK_FALSE(with_config("is_decoder", true).empty());
    CHECK(test::contains(with_config("auto_map", Json::object()), "auto_map"));
    CHECK(test::contains(with_config("hidden_act", "odd"), "'odd'"));
    CHECK_FALSE(with_config("num_attention_heads", 3).empty());
    CHECK_FALSE(with_config("num_attention_heads", 0).empty());
    CHECK_FALSE(with_config("hidden_size", "wide").empty());
    CHECK(test::contains(with_config("intermediate_size", 13), {"12", "13"}));
    CHECK(test::contains(with_config("num_hidden_layers", 2), "encoder.layer.1."));
    CHECK(test::contains(with_config("quantization_config", {{"bits", 8}}), "quantization_config"));
    for (const double epsilon : {-1.0, 2.0, 1e300})
        CHECK(test::contains(with_config("layer_norm_eps", epsilon), "layer_norm_eps"));
    CHECK(with_config("pad_token_id", -1).empty()); // BERT does not need it
    for (const char* const name : {"BertForSequenceClassification", "HF_ColBERT"})
        CHECK(test::contains(with_config("architectures", {"BertModel", name}), name));

    const ModelFolder folder;
    const auto module = ModelFolder::module;
    folder.pool("mean_tokens");
    for (const std::vector<std::string>& kinds : {std::vector<std::string>{},
                                                  {"WordWeights"},
                                                  {"Transformer"},
                                                  {"Pooling"},
                                                  {"Normalize", "Pooling", "Transformer"},
                                                  {"Transformer", "Normalize"},
                                                  {"Transformer", "Dropout", "Pooling"},
                                                  {"Transformer", "Pooling", "Pooling"},
                                                  {"Transformer", "Pooling", "Transformer"},
                                                  {"Transformer", "Pooling", "LSTM"}}) {
        Json modules = Json::array();
        for (const std::string& kind : kinds)
            modules.push_back(module(static_cast<int>(kinds.size() - modules.size()), kind,
                                     kind == "Pooling" ? "1_Pooling" : ""));
        folder.write("modules.json", modules);
        CAPTURE(modules.dump());
        CHECK(test::contains(folder.refusal(), "modules.json"));
    }
    folder.write("modules.json", {module(0, "Transformer", ""), module(1, "Normalize", "none")});
    CHECK(folder.refusal({{"pooling", "cls"}}).empty());
    folder.write("modules.json", Json::object());
    CHECK(test::contains(folder.refusal(), "modules.json"));
    folder.write("modules.json", {{{"idx", 0}, {"path", ""}, {"type", "custom_st.Transformer"}}});
    CHECK(test::contains(folder.refusal(), "custom_st.Transformer"));
    folder.write("modules.json",
                 {{{"idx", 0}, {"path", ""}, {"type", "pylate.models.Dense.Dense"}}});
    CHECK(test::contains(folder.refusal(), "ColBERT"));
    folder.pool("mean_tokens");
    folder.write("1_Pooling/config.json", {{"word_embedding_dimension", 9}});
    CHECK(test::contains(folder.refusal(), "9"));
    for (const Json& pooling :
         {Json::object(), Json{{"pooling_mode_cls_token", true}},
          Json{{"pooling_mode_mean_tokens", false}}, Json{{"pooling_mode_mean_tokens", "yes"}},
          Json{{"pooling_mode", Json::array()}},
          Json{{"pooling_mode_mean_tokens", true}, {"pooling_mode_attention", true}}}) {
        folder.write("1_Pooling/config.json", pooling);
        CAPTURE(pooling.dump());
        CHECK(test::contains(folder.refusal(), "1_Pooling/config.json"));
    }
    folder.write("1_Pooling/config.json", {{"pooling_mode", "odd"}});
    CHECK(test::contains(folder.refusal(), "'odd'"));
    folder.pool("mean_tokens");
    CHECK(test::contains(folder.refusal({{"pooling", "odd"}}), "'odd'"));
    CHECK_FALSE(folder.refusal({{"pooling", ""}}).empty());
    CHECK(folder.refusal().empty());
    if (!base::processor_features().bfloat16)
        CHECK(test::contains(folder.refusal({{"arithmetic", "bfloat16"}}), "bfloat16"));
    folder.write("adapter_config.json", Json::object());
    CHECK(test::contains(folder.refusal(), "adapter"));

    const ModelFolder small;
    small.write("tokenizer.json", test::bert_tokenizer({"a", "b", "c", "d", "e", "f"}));
    CHECK(test::contains(small.refusal(), "8 rows"));
    small.write("tokenizer.json", test::bert_tokenizer({"a", "b"})); // of a vocabulary cut short
    CHECK(test::contains(small.refusal(), "5 tokens"));
    const std::vector<MadeTensor> tensors = small_bert_tensors();
    for (std::size_t i = 0; i < tensors.size(); ++i) { // also the biases
        std::vector<MadeTensor> others = tensors;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        small.weigh(others);
        CHECK(test::contains(small.refusal(), tensors[i].name));
        others.push_back(tensors[i]);
        others.back().type = "I8";
        others.back().bytes.resize(others.back().bytes.size() / sizeof(float));
        small.weigh(others);
        CHECK(test::contains(small.refusal(), "I8"));
    }
}

TEST_CASE("a folder with weights is claimed where its JSON cannot be read, to say why")
{
    const auto claim = [](const ModelFolder& folder) {
        return TransformerEncoder::files_of(folder.scratch.path().c_str());
    };
    for (const char* const broken : {"", "{\"model_type\": \"be", "version https://git-lfs"}) {
        const ModelFolder folder;
        CHECK(test::contains(claim(folder), "model.safetensors\n"));
        folder.scratch.write("config.json", broken);
        CHECK(claim(folder) == "config.json\n");
        CHECK(test::contains(folder.refusal(), "config.json"));
        std::filesystem::remove(folder.scratch.path() / "model.safetensors");
        CHECK(claim(folder).empty());
    }
    for (const char* const broken :
         {"[", R"([{"idx": 0, "path": ""}])", R"([{"type": "x.Y"}])",
          R"([{"idx": 0, "path": "", "type": "pylate.models.Dense"}])"}) {
        const ModelFolder folder;
        folder.scratch.write("modules.json", broken);
        CHECK(claim(folder) == "modules.json\n");
        CHECK(test::contains(folder.refusal(), "modules.json"));
    }
}

TEST_CASE("what newer families have and is not computed is refused by name")
{
    const auto refusal = [](Json config, const char* key, const Json& value) {
        const ModelFolder folder;
        config[key] = value;
        folder.write("config.json", config);
        return folder.refusal();
    };
    Json qwen = small_bert_config();
    qwen.update({{"model_type", "qwen3"}, {"rope_theta", 1e6}});
    CHECK(
        test::contains(refusal(qwen, "head_dim", 4), "embed_tokens")); // the first that is missing
    CHECK(test::contains(refusal(qwen, "rope_scaling", {{"type", "yarn"}}), "yarn"));
    CHECK(test::contains(refusal(qwen, "rope_parameters", {{"rope_type", "dynamic"}}), "dynamic"));
    CHECK(test::contains(refusal(qwen, "use_sliding_window", true), "use_sliding_window"));
    CHECK(test::contains(refusal(qwen, "layer_types", {"sliding_attention"}), "sliding_attention"));
    CHECK(test::contains(refusal(qwen, "layer_types", Json::array()), "0 layer_types"));
    CHECK(test::contains(refusal(qwen, "num_key_value_heads", 3), "3"));
    CHECK(test::contains(refusal(qwen, "head_dim", 5), "5"));
    CHECK(test::contains(refusal(qwen, "rope_theta", 0), "base 0"));
    CHECK(test::contains(refusal(qwen, "rope_theta", nullptr), "damaged"));

    Json gemma = qwen;
    gemma.update({{"model_type", "gemma3_text"}, {"hidden_activation", "gelu_pytorch_tanh"}});
    CHECK(test::contains(refusal(gemma, "sliding_window", 8), "use_bidirectional_attention"));

    Json nomic = {{"model_type", "nomic_bert"},
                  {"n_embd", 8},
                  {"n_layer", 1},
                  {"n_head", 2},
                  {"n_inner", 12},
                  {"n_positions", 10},
                  {"rotary_emb_base", 1000},
                  {"auto_map", "{}"},
                  {"activation_function", "swiglu"}};
    CHECK(test::contains(refusal(nomic, "prenorm", false), "emb_ln"));
    for (const auto& [key, value] : {std::pair{"prenorm", Json(true)},
                                     {"rotary_emb_fraction", 0.5},
                                     {"causal", true},
                                     {"rotary_emb_interleaved", true},
                                     {"use_rms_norm", true},
                                     {"activation_function", "gelu"}})
        CHECK(test::contains(refusal(nomic, key, value), key));

    const ScratchFolder gguf;
    gguf.write("model-Q8_0.gguf", "GGUF");
    for (const auto& path : {gguf.path(), gguf.path() / "model-Q8_0.gguf"})
        CHECK_ERROR(test::PluginFailure, "GGUF",
                    PluginHarness::of<TransformerEncoder>({{"model", path.string()}}));
}
