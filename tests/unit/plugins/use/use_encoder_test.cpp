#include "base/refuse.hpp"
#include "use/use_encoder.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "support/tfjs_folder.hpp"
#include "word_vectors/npy.hpp"

using namespace senteval;
using model_files::Json;
using test::PluginHarness;
using use::UseEncoder;
using Ids = std::vector<model_files::Id>;

namespace {

struct UseFolder {
    UseFolder()
    {
        for (const auto& [name, bytes] : whole)
            scratch.write(name, bytes);
    }
    /// What is said of the folder with another file in place of one, which is whole again then.
    [[nodiscard]] std::string refusal(const std::string& name, const std::string& bytes) const
    {
        scratch.write(name, bytes);
        CHECK(test::status_of([&] { return open(); }) != SENTEVAL_INTERNAL);
        const std::string said = test::error_of<test::PluginFailure>([&] { return open(); });
        scratch.write(name, whole.at(name));
        return said;
    }
    [[nodiscard]] std::string refusal(const Json& model) const
    {
        return refusal("model.json", model.dump());
    }
    [[nodiscard]] PluginHarness open(unsigned threads = 1) const
    {
        return PluginHarness::of<UseEncoder>({{"model", scratch.path().string()}}, threads);
    }

    std::map<std::string, std::string> whole = test::small_use_model();
    test::ScratchFolder scratch;
};

} // namespace

TEST_CASE("ids and vectors of the real model")
{
    const auto script = test::shared_or_skip("encoders/use/get.sh");
    if (!script)
        return;
    const test::Run run = test::shell(test::quoted(*script) + " --verify");
    if (run.exit_code != 0) {
        MESSAGE("skipped: the weights are not there, ", script->string(), " fetches them");
        return;
    }
    const std::filesystem::path folder = run.out.substr(0, run.out.find('\n'));
    const use::Tokeniser tokeniser(folder / "vocab.json");
    const Json cases = model_files::read_json(script->parent_path() / "tokens.json").at("cases");
    for (const Json& item : cases)
        CHECK(tokeniser.encode(item.at("text").get<std::string>()) == item.at("ids").get<Ids>());
    CHECK(cases.size() == 530);

    const std::vector<std::string> sentences =
        model_files::read_json(script->parent_path().parent_path() / "sentences.json");
    const Json ids = model_files::read_json(script->parent_path() / "expected.json").at("ids");
    const auto harness = PluginHarness::of<UseEncoder>({{"model", folder.string()}});
    const test::Rows rows = harness.encode(sentences);
    const base::MappedFile file = base::open_file(script->parent_path() / "expected.npy");
    const word_vectors::NpyArray expected(file.bytes());
    REQUIRE(expected.rows() == sentences.size());
    REQUIRE(expected.columns() == harness.dimension());
    double worst = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(tokeniser.encode(sentences[i]) == ids[i].get<Ids>());
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            worst = std::max(worst, std::fabs(static_cast<double>(rows[i][j]) - expected.at(i, j)));
        if (i % 9 == 0)
            CHECK(harness.encode(sentences[i]) == rows[i]);
    }
    CAPTURE(worst);
    CHECK(worst < 2e-6);
}

TEST_CASE("the tokenizer's peculiarities")
{
    const UseFolder folder;
    const use::Tokeniser tokeniser(folder.scratch / "vocab.json");
    CHECK(tokeniser.size() == 12);
    CHECK(tokeniser.encode("").empty());
    CHECK(tokeniser.encode(" ") == Ids{6, 6});
    CHECK(tokeniser.encode("a") == Ids{7});
    CHECK(tokeniser.encode("\uFF41 a") == Ids{7, 7}); // NFKC
    CHECK(tokeniser.encode("A\u4E2D\U0001F600!") == Ids{6, 0});
    CHECK(tokeniser.encode("ab") == Ids{6, 10});     // a missing score is 0, -4 beats -4.5
    CHECK(tokeniser.encode("bb") == Ids{6, 11, 11}); // of two pieces the later, of -3
    CHECK(tokeniser.encode("b!b") == Ids{6, 11, 0, 11});
    const test::ScratchFolder other;
    const auto with = [&](const std::string& pieces) {
        return use::Tokeniser(other.write(
            "vocab.json", R"([["?",0],["",0],["",0],["",0],["",0],["",0],)" + pieces + "]"));
    };
    // A path whose sum is 0 counts as none: "ab" gives way to "b", though it is better.
    CHECK(with(R"(["▁",0],["ab",0],["a",-1],["b",-1])").encode("ab") == Ids{6, 8, 9});
    // Of equals the last.
    CHECK(with(R"(["▁",-1],["ab",-2],["a",-1],["b",-1])").encode("ab") == Ids{6, 8, 9});
}

TEST_CASE("a small model's vectors, in any company")
{
    const UseFolder folder;
    const PluginHarness harness = folder.open();
    CHECK(harness.dimension() == 6);
    const std::vector<float> expected = {
        -0.16884644F, -0.53019941F, 0.36872575F,
        0.06963149F,  0.53027397F,  -0.51805580F} /* by the reference in NumPy */;
    const std::vector<float> vector = harness.encode("ab b!a");
    const std::vector<float> nothing = harness.encode("");
    double square = 0.0;
    for (std::size_t j = 0; j < expected.size(); ++j) {
        CHECK(vector[j] == doctest::Approx(expected[j]).epsilon(1e-5));
        square += static_cast<double>(nothing[j]) * nothing[j];
    }
    CHECK(square == doctest::Approx(1.0).epsilon(1e-6));

    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 600; ++i)
        texts.push_back(i % 50 == 0 ? std::string(200, 'b') : std::string(i % 7, 'a') + " b");
    texts.emplace_back();
    const test::Rows rows = harness.encode(texts);
    CHECK(rows == folder.open(2).encode(texts));
    for (std::size_t i = 0; i < texts.size(); i += 25)
        CHECK(harness.encode(texts[i]) == rows[i]);
    CHECK(rows.back() == nothing);
    CHECK(harness.encode(std::string(127, 'b')) == rows[0]); // a mark and 127 tokens are read
    CHECK(harness.encode(std::string(126, 'b')) != rows[0]);
    PluginHarness prepared = folder.open();
    prepared.prepare({"a", std::string(127, 'b'), std::string(128, 'b')});
    CHECK(prepared.host().warnings("1 of 3 texts") == 1);
    CHECK(harness.count_known({"ab!", ""}) ==
          std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 2}, {0, 0}});
}

TEST_CASE("a folder is the encoder's by its files, of which weights are those that it names")
{
    const UseFolder folder;
    CHECK(UseEncoder::files_of(folder.scratch.path().c_str()) ==
          "model.json\nvocab.json\none\ntwo\n");
    std::filesystem::remove(folder.scratch / "vocab.json");
    CHECK(UseEncoder::files_of(folder.scratch.path().c_str()).empty());
}

TEST_CASE("what is no model, or damaged, is refused by name")
{
    const UseFolder folder;
    CHECK_FALSE(folder.open().encode("a").empty());
    CHECK(test::contains(folder.refusal("two", folder.whole.at("one")), "bytes"));
    CHECK(test::contains(folder.refusal("one", "version https://git-lfs.github.com/spec/v1\n"),
                         "Git LFS"));
    CHECK(test::contains(folder.refusal("model.json", "{}"), "model.json"));
    CHECK(test::contains(folder.refusal("vocab.json", "[]"), "vocab.json"));
    CHECK(test::contains(folder.refusal("vocab.json", R"([["a"]])"), "vocab.json"));
    CHECK(test::contains(folder.refusal("vocab.json", R"([["?",0],["",0],["",0],["",0],["",0],
["",0],["a",0],["",0],["",0],["",0],["",0],["",0],["",0]])"),
                         "13 pieces"));
    CHECK(test::contains(folder.refusal("vocab.json", R"([["?",0],["",0],["",0],["",0],["",0],
["",0],["a",0]])"),
                         "7 pieces"));
    const Json model = Json::parse(folder.whole.at("model.json"));
    const auto with = [&](const char* pointer, const Json& value) {
        Json changed = model;
        changed[Json::json_pointer(std::string("/weightsManifest/0/") + pointer)] = value;
        return folder.refusal(changed);
    };
    CHECK(test::contains(with("paths", {"../one", "two"}), "../one"));
    CHECK(test::contains(with("paths", {"one", "one"}), "twice"));
    CHECK(test::contains(with("paths", {"one", "three"}), "three"));
    CHECK(test::contains(with("weights/0/dtype", "uint8"), "uint8"));
    CHECK(test::contains(with("weights/0/quantization", Json::object()), "quantised"));
    CHECK(test::contains(with("weights/0/shape", {-1, 8}), "Embeddings_en"));
    CHECK(test::contains(with("weights/0/shape", {1LL << 40, 1LL << 40}), "Embeddings_en"));
    CHECK(test::contains(with("weights/0/shape", {8, 12}), "TimingSignal"));
    CHECK(test::contains(with("weights/0/name", "module/Embeddings_de"), "Embeddings_en"));
    CHECK(test::contains(with("weights/1/name", "module/Embeddings_en"), "several"));
    CHECK(test::contains(with("weights/5/shape", {2, 12}), "qkv_transform_single/bias"));
    CHECK(test::contains(with("weights/4/shape", {24, 8}), "qkv_transform_single/kernel"));
    CHECK(with("weights/4/shape", {8, 24}).empty());
}
