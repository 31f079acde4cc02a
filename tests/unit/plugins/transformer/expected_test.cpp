// Small models of every kind beside what torch computes in double precision: skipped where they are not.
#include "base/ascii.hpp"
#include "base/refuse.hpp"
#include "base/unicode.hpp"
#include "transformer/transformer_encoder.hpp"

#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "word_vectors/npy.hpp"

using namespace senteval;
using model_files::Json;
using test::PluginHarness;
using transformer::TransformerEncoder;

namespace {

/// The largest difference of an element from those of an NPY file.
double worst_difference(const test::Rows& rows, const std::filesystem::path& file)
{
    const base::MappedFile mapped = base::open_file(file);
    const word_vectors::NpyArray expected(mapped.bytes());
    REQUIRE(expected.rows() == rows.size());
    REQUIRE(expected.columns() == rows.front().size());
    double worst = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            worst = std::max(worst, std::fabs(static_cast<double>(rows[i][j]) - expected.at(i, j)));
    return worst;
}

} // namespace

TEST_CASE("vectors of small models of every kind")
{
    const auto folder = test::shared_or_skip("encoders");
    if (!folder)
        return;
    std::vector<std::string> all = model_files::read_json(*folder / "sentences.json");
    for (std::string& sentence : all) // as the reference has them
        sentence = base::strip(sentence);
    std::vector<std::filesystem::path> models;
    for (const char* const kind : {"bert/tiny", "modern/tiny"})
        for (const auto& entry : std::filesystem::directory_iterator(*folder / kind))
            models.push_back(entry.path());
    CHECK(models.size() == 15);
    for (const auto& model : models) {
        std::vector<std::string> sentences = all;
        const std::string name = model.filename();
        CAPTURE(name);
        const auto harness = PluginHarness::of<TransformerEncoder>({{"model", model.string()}});
        const bool is_raw = name == "distil_mean" || name == "max_pool" || name == "odd_concat" ||
                            name == "modernbert_mean";
        if (name ==
            "bge_cls") // the reference lowers added tokens, too, which here are found before
            for (std::string& sentence : sentences)
                if (sentence.starts_with("[CLS]"))
                    std::ranges::transform(sentence, sentence.begin(), base::ascii_lower);
        const test::Rows together = harness.encode(sentences);
        CHECK(worst_difference(together, model.parent_path().parent_path() / "expected" /
                                             (name + ".npy")) < (is_raw ? 2e-5 : 2e-6));

        double worst = 0.0; // alone and in another company a sentence has the same vector
        for (std::size_t i = 0; i < sentences.size(); i += 7) {
            const std::vector<float> alone = harness.encode(sentences[i]);
            double norm = 0.0;
            double difference = 0.0;
            for (std::size_t j = 0; j < alone.size(); ++j) {
                norm += alone[j] * alone[j];
                difference += std::pow(alone[j] - together[i][j], 2);
            }
            worst = std::max(worst, std::sqrt(difference / norm));
        }
        CHECK(worst < 1e-6);
    }
}

TEST_CASE("folders with edited configurations, as sentence-transformers 6.2 reads them")
{
    const auto runs = test::shared_or_skip("cases/runs");
    if (!runs)
        return;
    for (const char* const name :
         {"dense_residual", "processing_no_specials", "truncation_left_in_tokenizer_json",
          "added_tokens_json", "config_accents", "config_cased_bert", "config_cased_mpnet",
          "config_prefix_space_roberta", "outer_blanks_qwen3"}) {
        CAPTURE(name);
        const Json expected = model_files::read_json(*runs / name / "expected.json");
        const auto encoder =
            PluginHarness::of<TransformerEncoder>({{"model", (*runs / name / "model").string()}});
        CHECK(test::worst_cosine(encoder, expected) < 1e-5);
    }
}

TEST_CASE("keys that a family's class does not read, and other names of those that it reads")
{
    const auto folder = test::shared_or_skip("encoders/bert/tiny");
    if (!folder)
        return;
    const std::string text = "A small man plays the guitar";
    for (const auto& [name, more, gone] :
         {std::tuple{"distil_mean", Json{{"layer_norm_eps", 0.5}, {"head_dim", 2}}, "none"},
          {"distil_mean", {{"num_attention_heads", 8}, {"num_hidden_layers", 2}}, "n_heads"},
          {"distil_mean", {{"hidden_size", 64}}, "dim"},
          {"mpnet_mean", {{"pad_token_id", 5}, {"num_key_value_heads", 1}}, "none"}}) {
        const test::ScratchFolder copy;
        std::filesystem::copy(*folder / name, copy.path(),
                              std::filesystem::copy_options::recursive);
        const auto open = [&] {
            return PluginHarness::of<TransformerEncoder>({{"model", copy.path().string()}});
        };
        const std::vector<float> expected = open().encode(text);
        Json config = model_files::read_json(copy.path() / "config.json");
        config.update(more);
        config.erase(gone);
        copy.write("config.json", config.dump());
        CAPTURE(config.dump());
        CHECK(open().encode(text) == expected);
        config["num_attention_heads"] = 2; // counts for more than n_heads
        copy.write("config.json", config.dump());
        if (config["model_type"] == "distilbert")
            CHECK(open().encode(text) != expected);
        config["is_causal"] = true;
        copy.write("config.json", config.dump());
        CHECK_THROWS_AS(open(), test::PluginFailure);
    }
}

TEST_CASE("a padding token that somebody wrote")
{
    const auto folder = test::shared_or_skip("encoders/modern");
    if (!folder)
        return;
    const Json document = model_files::read_json(*folder / "expected/pad_inside.json");
    for (const Json& one : document.at("cases")) {
        const std::filesystem::path model = *folder / "tiny" / one.at("model");
        const std::vector<float> vector =
            PluginHarness::of<TransformerEncoder>({{"model", model.string()}})
                .encode(one.at("text").get<std::string>());
        for (std::size_t i = 0; i < vector.size(); ++i)
            CHECK(std::fabs(static_cast<double>(vector[i]) - one.at("vector")[i].get<double>()) <
                  1e-6);
    }
}

TEST_CASE("the instruction of Qwen3 stands before queries only")
{
    const auto folder = test::shared_or_skip("encoders/modern/tiny/qwen3_last");
    if (!folder)
        return;
    const auto encoder = PluginHarness::of<TransformerEncoder>({{"model", folder->string()}});
    const std::string text = "Hello world";
    CHECK(encoder.encode_as(sdk::Role::document, {text}).front() == encoder.encode(text));
    CHECK(encoder.encode_as(sdk::Role::query, {text}).front() ==
          encoder.encode("Instruct: Given a sentence, find similar ones\nQuery:" + text));
}
