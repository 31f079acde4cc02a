// Small cross-encoders of every kind beside what torch computes in double precision: skipped where they are not.
#include "transformer/cross_encoder.hpp"
#include "transformer/transformer_encoder.hpp"

#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Json;
using test::PluginHarness;
using transformer::CrossEncoder;
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> reference()
{
    return test::shared_or_skip("reference/retrieval/rerank");
}

PluginHarness open(const fs::path& folder, std::vector<test::Parameter> more = {})
{
    more.push_back({"model", folder.string()});
    return PluginHarness::of<CrossEncoder>(more);
}

float score(PluginHarness& encoder, const std::string& query, const std::string& document)
{
    encoder.prepare({query});
    return encoder.encode(document).front();
}

/// The tokens of pairs, of which the C ABI does not tell.
class Tokens {
public:
    explicit Tokens(const fs::path& folder)
    {
        const std::string path = folder;
        const senteval_param model = {sdk::to_c("model"),
                                      {SENTEVAL_TYPE_PATH, 0, {.string = sdk::to_c(path)}}};
        sdk::Call call(call_.c());
        encoder_.emplace(sdk::Setup{host_.sdk(), sdk::Params(&model, 1), call});
    }
    model_files::TypedIds of(const std::string& query, const std::string& document)
    {
        sdk::Call call(call_.c());
        encoder_->prepare(call, {}, test::Sentences({query}).sdk());
        return encoder_->pair_with(document);
    }

private:
    test::FakeHost host_;
    test::FakeCall call_;
    std::optional<CrossEncoder> encoder_;
};

/// A copy of a model whose files a test edits.
struct Copy {
    test::ScratchFolder scratch;

    explicit Copy(const fs::path& model)
    {
        fs::copy(model, scratch.path(), fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(scratch.path()))
            fs::permissions(entry, fs::perms::owner_all);
    }
    void edit(const std::string& file, const Json& patch) const
    {
        Json json = model_files::read_json_if(scratch.path() / file);
        json.merge_patch(patch);
        scratch.write(file, json.dump());
    }
    [[nodiscard]] std::string refusal(const std::vector<test::Parameter>& more = {}) const
    {
        return test::error_of<test::PluginFailure>([&] { return open(scratch.path(), more); });
    }
};

} // namespace

TEST_CASE("tokens, types and logits of small cross-encoders of every kind")
{
    const auto folder = reference();
    if (!folder)
        return;
    const Json pairs = model_files::read_json(*folder / "pairs.json");
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(*folder / "expected")) {
        const Json expected = model_files::read_json(entry);
        const std::string name = entry.path().stem();
        CAPTURE(name);
        ++count;
        CHECK(CrossEncoder::files_of((*folder / name).c_str()) ==
              model_files::model_files_of(*folder / name));
        CHECK(transformer::TransformerEncoder::files_of((*folder / name).c_str()).empty());
        Tokens tokens(*folder / name);
        PluginHarness encoder = open(*folder / name);
        CHECK(encoder.dimension() == 1);
        double worst = 0.0;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            CAPTURE(i);
            const model_files::TypedIds ids = tokens.of(pairs[i][0], pairs[i][1]);
            CHECK(Json(ids.ids) == expected["ids"][i]);
            CHECK(Json(ids.types) ==
                  (expected["types"].is_null() ? Json::array() : expected["types"][i]));
            encoder.prepare({pairs[i][0]});
            const test::Rows rows =
                encoder.encode({pairs[(i + 1) % pairs.size()][1], pairs[i][1], "another text"});
            worst = std::max(worst, std::fabs(static_cast<double>(rows[1][0]) -
                                              expected["logits"][i].get<double>()));
            CHECK(rows[1][0] == encoder.encode(pairs[i][1].get<std::string>())[0]);
        }
        CHECK(worst < 2e-5);
    }
    CHECK(count == 8);
}

TEST_CASE("longest first, as the tokenizers library cuts")
{
    using Lengths = std::array<std::size_t, 2>;
    const auto kept = [](std::size_t first, std::size_t second, std::size_t room) {
        return model_files::longest_first({first, second}, room);
    };
    CHECK(kept(3, 4, 7) == Lengths{3, 4});
    CHECK(kept(3, 9, 7) == Lengths{3, 4});
    CHECK(kept(9, 3, 7) == Lengths{4, 3});
    CHECK(kept(9, 9, 7) == Lengths{3, 4}); // of equal ones the second is the longer
    CHECK(kept(9, 8, 7) == Lengths{4, 3});
    CHECK(kept(8, 9, 7) == Lengths{3, 4});
    CHECK(kept(0, 9, 7) == Lengths{0, 7});
    CHECK(kept(5, 5, 0) == Lengths{0, 0});
}

TEST_CASE("the query is the one that was prepared last, and there is one")
{
    const auto folder = reference();
    if (!folder)
        return;
    PluginHarness encoder = open(*folder / "bert_ms_marco");
    CHECK_ERROR(test::PluginFailure, "query first", encoder.encode("That."));
    const float first = score(encoder, "What?", "That.");
    CHECK(score(encoder, "How?", "That.") != first);
    CHECK(score(encoder, "What?", "That.") == first);
    CHECK(score(encoder, "That.", "What?") != first);
    CHECK_ERROR(test::PluginFailure, "one query", encoder.prepare({"a", "b"}));
    CHECK_ERROR(test::PluginFailure, "one query", encoder.prepare({}));
    CHECK_ERROR(test::PluginFailure, "query first", encoder.encode("That."));
    CHECK(encoder.host().warnings("are cut") == 0);
    std::string text = "word";
    for (int i = 0; i < 100; ++i)
        text += " word";
    encoder.prepare({"What?"});
    static_cast<void>(encoder.encode({text, text}));
    CHECK(encoder.host().warnings("more than 96 tokens are cut") == 1);
}

TEST_CASE("prompt, instruction and limit, by the folder or by parameters")
{
    const auto folder = reference();
    if (!folder)
        return;
    PluginHarness plain = open(*folder / "bert_ms_marco");
    PluginHarness prompted = open(*folder / "bert_ms_marco", {{"prompt", "query: "}});
    CHECK(score(prompted, "a", "b") == score(plain, "query: a", "b"));
    PluginHarness own = open(*folder / "bert_st6");
    PluginHarness other = open(*folder / "bert_st6", {{"prompt", "find: "}});
    CHECK(score(own, "a", "b") != score(other, "a", "b"));

    PluginHarness usual = open(*folder / "qwen3_reranker");
    PluginHarness same = open(*folder / "qwen3_reranker",
                              {{"instruction", "Given a web search query, retrieve relevant "
                                               "passages that answer the query"}});
    PluginHarness told = open(*folder / "qwen3_reranker_st", {{"instruction", "Find duplicates"}});
    CHECK(score(usual, "a", "b") == score(same, "a", "b"));
    CHECK(score(usual, "a", "b") != score(told, "a", "b"));

    const std::string words = "one two three four five six seven";
    PluginHarness shorter = open(*folder / "bert_ms_marco", {{"max_length", std::int64_t{5}}});
    CHECK(score(shorter, "a", words) != score(plain, "a", words));
    CHECK(score(shorter, "a", "") == score(plain, "a", ""));
    for (const auto& [key, value, said] :
         {std::tuple<const char*, std::variant<bool, std::int64_t, double, std::string>,
                     const char*>{"max_length", std::int64_t{97}, "96"},
          {"max_length", std::int64_t{-1}, "96"},
          {"max_length", std::int64_t{3}, "3 special"},
          {"instruction", "x", "'prompt'"}})
        CHECK_ERROR(test::PluginFailure, said, open(*folder / "bert_ms_marco", {{key, value}}));
    CHECK_ERROR(test::PluginFailure, "'instruction'",
                open(*folder / "qwen3_reranker", {{"prompt", "x"}}));
}

TEST_CASE("a causal model's answers, alone or as a head of its own")
{
    const auto folder = reference();
    if (!folder)
        return;
    PluginHarness both = open(*folder / "qwen3_reranker_st");
    const float expected = score(both, "a", "b");
    const fs::path module = *folder / "qwen3_reranker_st/1_LogitScore/config.json";
    const auto alone = [&](const char* key) {
        const Copy copy(*folder / "qwen3_reranker_st");
        copy.edit(
            "1_LogitScore/config.json",
            {{"true_token_id", model_files::read_json(module)[key]}, {"false_token_id", nullptr}});
        PluginHarness one = open(copy.scratch.path());
        return score(one, "a", "b");
    };
    CHECK(alone("true_token_id") - alone("false_token_id") == doctest::Approx(expected));

    // A conversion has the difference of both rows as its head.
    const Copy copy(*folder / "qwen3_reranker");
    const model_files::Tensors tensors({*folder / "qwen3_reranker/model.safetensors"});
    const model_files::Tensor& words = tensors.require("model.embed_tokens.weight");
    const std::size_t width = words.shape[1];
    std::vector<float> difference(width);
    std::vector<float> no(width);
    const Json ids = model_files::read_json(module);
    words.read(ids["true_token_id"].get<std::size_t>() * width, difference);
    words.read(ids["false_token_id"].get<std::size_t>() * width, no);
    for (std::size_t i = 0; i < width; ++i)
        difference[i] -= no[i];
    copy.scratch.write("head.safetensors",
                       test::safetensors({test::f32("score.weight", {1, width}, difference)}));
    Json map = {{"score.weight", "head.safetensors"}};
    const std::string bytes = base::read_file(copy.scratch.path() / "model.safetensors");
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    const Json header = Json::parse(bytes.substr(sizeof size, size));
    for (const auto& [name, place] : header.items())
        if (name != "__metadata__")
            map[name] = "body.safetensors";
    fs::rename(copy.scratch.path() / "model.safetensors", copy.scratch.path() / "body.safetensors");
    copy.scratch.write("model.safetensors.index.json", Json{{"weight_map", map}}.dump());
    copy.edit("config.json", {{"architectures", {"Qwen3ForSequenceClassification"}}});
    CHECK(CrossEncoder::files_of(copy.scratch.path().c_str()).find("head") != std::string::npos);
    PluginHarness converted = open(copy.scratch.path());
    CHECK(score(converted, "a", "b") == doctest::Approx(expected));
    copy.edit("config.json", {{"id2label", {{"0", "no"}, {"1", "yes"}}}});
    CHECK(test::contains(copy.refusal(), "2 labels"));
}

TEST_CASE("XLM-R without a limit reads as many tokens as it has positions for, and says so")
{
    const auto folder = reference();
    if (!folder)
        return;
    const Copy copy(*folder / "xlmr_bge");
    copy.edit("tokenizer_config.json", {{"model_max_length", nullptr}});
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += " word";
    CHECK(Tokens(copy.scratch.path()).of("a", text).ids.size() == 128);
    CHECK(open(copy.scratch.path()).host().warnings("no model_max_length") == 1);
    CHECK(open(*folder / "xlmr_bge").host().warnings("no model_max_length") == 0);
}

TEST_CASE("cross-encoders that are not computed are refused by name")
{
    const auto folder = reference();
    if (!folder)
        return;
    struct Case {
        const char* model;
        const char* file;
        Json patch;
        const char* said;
    };
    const auto named = [](const char* name) { return Json{{"architectures", {name}}}; };
    const Json three = {{"id2label", {{"0", "no"}, {"1", "maybe"}, {"2", "yes"}}}};
    const Json dense = {{"type", "sentence_transformers.cross_encoder.modules.dense.Dense"},
                        {"idx", 1},
                        {"name", "1"},
                        {"path", "1_Dense"}};
    const Json module = {{"idx", 0},
                         {"name", "0"},
                         {"path", ""},
                         {"type", "sentence_transformers.base.modules.transformer.Transformer"}};
    const std::vector<Case> cases = {
        {"bert_ms_marco", "config.json", three, "3 labels"},
        {"bert_ms_marco", "config.json", named("DebertaV2ForSequenceClassification"), "DebertaV2"},
        {"bert_ms_marco", "config.json", named("NewForSequenceClassification"), "NewForSequence"},
        {"bert_ms_marco", "config.json", named("ElectraForSequenceClassification"), "Electra"},
        {"bert_ms_marco", "config.json", named("DistilBertForSequenceClassification"), "Distil"},
        {"bert_ms_marco", "config.json", named("MPNetForSequenceClassification"), "MPNet"},
        {"bert_ms_marco", "config.json", named("GemmaForCausalLM"), "GemmaForCausalLM"},
        {"bert_ms_marco", "config.json", {{"architectures", nullptr}}, "''"},
        {"bert_ms_marco", "config.json", {{"auto_map", {{"AutoModel", "x.Y"}}}}, "auto_map"},
        {"bert_ms_marco", "config.json", {{"quantization_config", {{"bits", 4}}}}, "quantised"},
        {"bert_ms_marco",
         "config.json",
         {{"sbert_ce_default_activation_function", "torch.nn.modules.activation.Tanh"}},
         "Tanh"},
        {"bert_st6", "config_sentence_transformers.json", {{"activation_fn", "my.Fn"}}, "my.Fn"},
        {"modernbert_cls",
         "config.json",
         {{"sentence_transformers", {{"activation_fn", "torch.nn.modules.activation.ReLU"}}}},
         "ReLU"},
        {"bert_st6", "config_sentence_transformers.json", {{"model_type", "X"}}, "'X'"},
        {"bert_st6", "sentence_bert_config.json", {{"module_output_name", "x"}}, "\"x\""},
        {"bert_st6", "modules.json", Json::array({module, dense}), "Dense"},
        {"bert_st6", "modules.json", Json::array({dense}), "Dense"},
        {"bert_ms_marco", "adapter_config.json", {{"r", 8}}, "adapter"},
        {"modernbert_mean", "config.json", {{"classifier_pooling", "max"}}, "'max'"},
        {"modernbert_mean", "config.json", {{"classifier_activation", "odd"}}, "'odd'"},
        {"modernbert_mean", "config.json", {{"norm_bias", true}}, "norm.bias"},
        {"modernbert_mean", "config.json", {{"classifier_bias", true}}, "head.dense.bias"},
        {"modernbert_mean", "tokenizer.json", {{"post_processor", nullptr}}, "templates of pairs"},
        {"modernbert_mean", "tokenizer.json", {{"post_processor", {{"pair", nullptr}}}}, "damaged"},
        {"qwen3_reranker", "config.json", {{"rope_scaling", {{"type", "yarn"}}}}, "yarn"},
        {"qwen3_reranker", "config.json", {{"tie_word_embeddings", false}}, "lm_head.weight"},
        {"qwen3_reranker_st", "1_LogitScore/config.json", {{"true_token_id", 9999}}, "9999"},
        {"qwen3_reranker_st", "1_LogitScore/config.json", {{"odd", 1}}, "'odd'"},
        {"qwen3_reranker_st", "modules.json", Json::array({module}), "has the modules"},
    };
    for (const Case& one : cases) {
        const Copy copy(*folder / one.model);
        CAPTURE(one.patch.dump());
        REQUIRE(copy.refusal().empty());
        if (one.patch.is_array())
            copy.scratch.write(one.file, one.patch.dump());
        else
            copy.edit(one.file, one.patch);
        CHECK(test::contains(copy.refusal(), one.said));
    }
    for (const char* const name : {"ElectraForSequenceClassification", "DebertaV2For"
                                                                       "SequenceClassification"}) {
        const Copy copy(*folder / "bert_ms_marco");
        copy.edit("config.json", named(name));
        CHECK(test::contains(CrossEncoder::files_of(copy.scratch.path().c_str()), "config.json"));
    }
    const Copy pickle(*folder / "bert_ms_marco");
    fs::rename(pickle.scratch.path() / "model.safetensors",
               pickle.scratch.path() / "pytorch_model.bin");
    CHECK(test::contains(pickle.refusal(), "pytorch_model.bin"));
    const Copy templated(*folder / "qwen3_reranker_st");
    const std::string known = base::read_file(templated.scratch.path() / "chat_template.jinja");
    templated.scratch.write("chat_template.jinja", "{{ messages }}");
    CHECK(test::contains(templated.refusal(), "chat_template.jinja"));
    fs::remove(templated.scratch.path() / "chat_template.jinja");
    CHECK(test::contains(templated.refusal(), "chat_template.jinja"));
    templated.edit("tokenizer_config.json", {{"chat_template", known}});
    CHECK(templated.refusal().empty());
    const Copy broken(*folder / "bert_ms_marco");
    broken.scratch.write("config.json", "{");
    CHECK(CrossEncoder::files_of(broken.scratch.path().c_str()).empty());
    CHECK_ERROR(test::PluginFailure, "cross-encoder",
                PluginHarness::of<transformer::TransformerEncoder>(
                    {{"model", (*folder / "bert_ms_marco").string()}}));
}
