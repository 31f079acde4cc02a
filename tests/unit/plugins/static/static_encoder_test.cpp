#include "static/static_encoder.hpp"

#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Json;
using static_embeddings::StaticEncoder;
using test::f32;
using test::PluginHarness;
using test::ScratchFolder;

namespace {

/// [UNK] [CLS] [SEP] red blue, in two dimensions.
const std::vector<float> table = {9, 9, 0, 0, 0, 0, 3, 4, 0, 5};

void write_model(const ScratchFolder& scratch,
                 const std::string& config = R"({"normalize": false})",
                 const std::vector<test::MadeTensor>& tensors = {f32("embeddings", {5, 2}, table)})
{
    scratch.write("config.json", config);
    scratch.write("tokenizer.json", test::bert_tokenizer({"red", "blue"}).dump());
    scratch.write("model.safetensors", test::safetensors(tensors));
}

PluginHarness open(const std::filesystem::path& folder, std::vector<test::Parameter> more = {})
{
    more.push_back({"model", folder.string()});
    return PluginHarness::of<StaticEncoder>(more);
}

std::string refusal(const ScratchFolder& scratch)
{
    return test::error_of<test::PluginFailure>([&] { return open(scratch.path()); });
}

using Vector = std::vector<float>;

} // namespace

TEST_CASE("vectors of Model2Vec's own fixtures")
{
    const auto folder = test::shared_or_skip("encoders/model2vec");
    if (!folder)
        return;
    const Json expected = model_files::read_json(*folder / "expected.json");
    const std::vector<std::string> sentences = expected.at("sentences");
    for (const auto& [name, model] : expected.at("models").items()) {
        CAPTURE(name);
        const PluginHarness harness = open(*folder / name);
        const test::Rows rows = harness.encode(sentences);
        const PluginHarness raw = open(*folder / name, {{"normalize", "no"}});
        const test::Rows raw_rows = raw.encode(sentences);
        double worst = 0.0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double squares = 0.0;
            for (std::size_t j = 0; j < rows[i].size(); ++j) {
                worst = std::max(worst,
                                 std::fabs(rows[i][j] - model.at("vectors")[i][j].get<double>()));
                squares += static_cast<double>(raw_rows[i][j]) * raw_rows[i][j];
            }
            const double norm = model.at("norms_before_normalize")[i];
            CHECK(std::sqrt(squares) == doctest::Approx(norm).epsilon(1e-6));
        }
        CHECK(worst < 1e-6);
        CHECK(rows.front().size() == model.at("vectors")[0].size());
    }
}

TEST_CASE("edited folders, as sentence-transformers 6.2 reads them")
{
    const auto runs = test::shared_or_skip("cases/runs");
    if (!runs)
        return;
    for (const char* const name :
         {"static_default_prompt", "static_truncation", "static_weights"}) {
        CAPTURE(name);
        const Json expected = model_files::read_json(*runs / name / "expected.json");
        CHECK(test::worst_cosine(open(*runs / name / "model"), expected) < 1e-5);
    }
    CHECK(open(*runs / "static_quantised/model").dimension() == 64);
}

TEST_CASE("the mean of the rows of known tokens, by the layouts there are")
{
    const ScratchFolder scratch;
    write_model(scratch);
    const PluginHarness harness = open(scratch.path());
    CHECK(harness.dimension() == 2);
    CHECK(harness.encode("Red blue green") == Vector{1.5, 4.5});
    CHECK(harness.encode("green") == Vector{0, 0});
    CHECK(harness.encode("") == Vector{0, 0});
    CHECK(harness.count_known({"red green blue", ""}) ==
          std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 2}, {0, 0}});
    CHECK(open(scratch.path(), {{"normalize", "yes"}}).encode("red") == Vector{0.6F, 0.8F});
    CHECK(open(scratch.path(), {{"unknown", "keep"}}).encode("red green") == Vector{6, 6.5});
    scratch.write("modules.json",
                  R"([{"type": "sentence_transformers.models.StaticEmbedding"},
                      {"type": "sentence_transformers.models.Normalize"}])");
    CHECK(open(scratch.path()).encode("red") == Vector{0.6F, 0.8F});

    const ScratchFolder other; // of sentence-transformers itself
    other.write("config_sentence_transformers.json", "{}");
    other.write("0_StaticEmbedding/tokenizer.json", test::bert_tokenizer({"red", "blue"}).dump());
    other.write("0_StaticEmbedding/model.safetensors",
                test::safetensors({f32("embedding.weight", {5, 2}, table)}));
    CHECK(open(other.path()).encode("red green") == Vector{6, 6.5}); // unknowns count
    CHECK(open(other.path(), {{"unknown", "drop"}}).encode("red green") == Vector{3, 4});

    // What it adds: weights, prompts by role, and the truncation of its tokenizer.json.
    const auto weigh = [&](const char* name) {
        other.write(
            "0_StaticEmbedding/model.safetensors",
            test::safetensors({f32(name, {5, 2}, table), f32("weights", {5}, {1, 1, 1, 2, 0})}));
    };
    weigh("embedding.weight");
    CHECK(test::contains(refusal(other), "'weights'"));
    weigh("embeddings");
    CHECK(open(other.path()).encode("red blue") == Vector{3, 4});
    Json tokenizer = test::bert_tokenizer({"red", "blue"});
    for (const auto& [side, last] : {std::pair{"Right", Vector{6, 8}}, {"Left", Vector{0, 0}}}) {
        tokenizer["truncation"] = {{"direction", side}, {"max_length", 1}, {"stride", 0}};
        other.write("0_StaticEmbedding/tokenizer.json", tokenizer.dump());
        CHECK(open(other.path()).encode("red blue") == last);
    }
    other.write("config_sentence_transformers.json",
                R"({"prompts": {"query": "blue ", "d": "red "}, "default_prompt_name": "d"})");
    const PluginHarness prompted = open(other.path());
    CHECK(prompted.encode("") == Vector{6, 8});
    CHECK(prompted.encode_as(sdk::Role::query, {"red"}).front() == Vector{6, 8});
    CHECK(prompted.encode_as(sdk::Role::query, {""}).front() == Vector{0, 0});
    CHECK(prompted.encode_as(sdk::Role::document, {""}).front() == Vector{0, 0});
    CHECK(prompted.encode_as(sdk::Role::as_is, {""}).front() == Vector{0, 0});
    CHECK(open(other.path(), {{"prompt_name", "none"}}).encode("") == Vector{0, 0});
    tokenizer["added_tokens"] = {{{"content", "red"}, {"id", 4}}}; // whose id is 3
    other.write("0_StaticEmbedding/tokenizer.json", tokenizer.dump());
    CHECK_FALSE(refusal(other).empty());
}

TEST_CASE("weights by token, rows by a mapping, and a limit on long texts")
{
    const ScratchFolder scratch;
    const std::vector<std::int32_t> mapping = {0, 0, 0, 1, 1};
    write_model(scratch, "{}",
                {f32("embeddings", {2, 1}, {7, 2}),
                 f32("weights", {5}, {1, 1, 1, 1, 3}),
                 {"mapping", "I32", {5}, test::bytes_of(mapping)}});
    const PluginHarness harness = open(scratch.path());
    CHECK(harness.encode("red") == Vector{2});
    CHECK(harness.encode("blue") == Vector{6});
    std::string text;
    for (int i = 0; i < 512; ++i)
        text += "red ";
    CHECK(harness.encode(text + "blue blue blue") == Vector{2});
    PluginHarness prepared = open(scratch.path());
    prepared.prepare({text, text + "red", std::string(10'000, ' '), "blue"});
    CHECK(prepared.host().warnings("1 of 4 texts") == 2); // by tokens, and by characters
    CHECK(prepared.host().warnings("512 tokens") == 1);
}

TEST_CASE("what is no static model is refused")
{
    const ScratchFolder scratch;
    CHECK(test::contains(refusal(scratch), "tokenizer.json"));
    write_model(scratch, "{}", {f32("embeddings.word_embeddings.weight", {5, 2}, table)});
    CHECK(test::contains(refusal(scratch), "transformer"));
    write_model(scratch, "{}", {f32("embeddings", {4, 2}, Vector(8))});
    CHECK(test::contains(refusal(scratch), "4 rows"));
    write_model(scratch, "{}", {f32("embeddings", {10}, table)});
    CHECK_FALSE(refusal(scratch).empty());
    write_model(scratch, "{}", {{"embeddings", "U8", {5, 1}, "abcde"}});
    CHECK(test::contains(refusal(scratch), "U8"));
    write_model(scratch, "{}", {f32("embeddings", {5, 2}, table), f32("weights", {4}, Vector(4))});
    CHECK(test::contains(refusal(scratch), "weights"));
    const std::vector<std::int64_t> mapping = {0, 0, -1, 0, 0};
    write_model(
        scratch, "{}",
        {f32("embeddings", {5, 2}, table), {"mapping", "I64", {5}, test::bytes_of(mapping)}});
    CHECK_FALSE(refusal(scratch).empty());
    write_model(scratch, R"({"normalize": "maybe"})");
    CHECK(test::contains(refusal(scratch), "config.json"));
    write_model(scratch);
    const std::string table_module = R"({"type": "sentence_transformers.models.StaticEmbedding"})";
    for (const char* const config :
         {R"({"max_length": 0})", R"({"max_length": 1.5})", R"({"pooler": "max"})"}) {
        write_model(scratch, config);
        CHECK(test::contains(refusal(scratch), "config.json"));
    }
    write_model(scratch, R"({"max_length": 1, "pooler": null})");
    CHECK(open(scratch.path()).encode("red blue") == Vector{3, 4});
    scratch.write("config_sentence_transformers.json", R"({"model_type": "SparseEncoder"})");
    CHECK(test::contains(refusal(scratch), "SparseEncoder"));
    std::filesystem::remove(scratch / "config_sentence_transformers.json");
    for (const std::string& modules :
         {std::string(), R"({"type": "x.StaticEmbedding"})" + std::string(),
          R"({"type": "sentence_transformers.models.StaticEmbedding", "odd": 1})" + std::string(),
          table_module + R"(, {"type": "sentence_transformers.models.Dense"})"}) {
        scratch.write("modules.json", "[" + modules + "]");
        CHECK(test::contains(refusal(scratch), "modules.json"));
    }
}
