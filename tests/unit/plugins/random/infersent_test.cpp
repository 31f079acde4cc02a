#include "base/refuse.hpp"
#include "random/infersent.hpp"

#include "model_files/files.hpp"
#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace {

using namespace senteval;
using model_files::Json;
using random::InferSent;
using test::f32;
using test::PluginHarness;

PluginHarness opened(const std::filesystem::path& model,
                     const std::filesystem::path& vectors,
                     std::vector<test::Parameter> more = {},
                     unsigned threads = 1)
{
    more.push_back({"model", model.string()});
    more.push_back({"vectors", vectors.string()});
    return PluginHarness::of<InferSent>(more, threads);
}

std::string refusal_of(const std::filesystem::path& model, const std::filesystem::path& vectors)
{
    return test::error_of<test::PluginFailure>([&] { return opened(model, vectors); });
}

double worst_difference(const test::Rows& rows, const Json& expected)
{
    REQUIRE(rows.size() == expected.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            worst = std::max(worst, std::fabs(rows[i][j] - expected[i][j].get<double>()));
    return worst;
}

/// One unit in each direction over vectors of one value: the output gate is open, and the cell adds tanh(x).
std::vector<test::MadeTensor> small_weights()
{
    std::vector<test::MadeTensor> tensors;
    for (const std::string suffix : {"", "_reverse"}) {
        tensors.push_back(f32("enc_lstm.weight_ih_l0" + suffix, {4, 1}, {0, 0, 1, 0}));
        tensors.push_back(f32("enc_lstm.weight_hh_l0" + suffix, {4, 1}, {0, 0, 0, 0}));
        tensors.push_back(f32("enc_lstm.bias_ih_l0" + suffix, {4}, {40, 40, 0, 20}));
        tensors.push_back(f32("enc_lstm.bias_hh_l0" + suffix, {4}, {0, 0, 0, 20}));
    }
    return tensors;
}

} // namespace

TEST_CASE("vectors of a trained LSTM as torch computes them, in three ways")
{
    const auto folder = test::shared_or_skip("encoders/infersent");
    if (!folder)
        return;
    const std::vector<std::string> sentences =
        model_files::read_json(folder->parent_path() / "sentences.json");
    const Json document = model_files::read_json(*folder / "expected.json");
    const Json& expected = document.at("vectors");
    const auto with = [&](const std::string& version, const std::string& padding,
                          unsigned threads) {
        return opened(*folder / "tiny.safetensors", *folder / "vectors.txt",
                      {{"version", version}, {"padding", padding}}, threads);
    };
    const PluginHarness first = with("1", "none", 1);
    CHECK(first.dimension() == 20);
    const test::Rows rows = first.encode(sentences);
    CHECK(worst_difference(rows, expected.at("version1_batch1")) < 2e-6);
    CHECK(worst_difference(with("2", "none", 1).encode(sentences), expected.at("version2")) < 2e-6);
    CHECK(rows == with("1", "none", 2).encode(sentences));
    for (std::size_t i = 0; i < sentences.size(); i += 9)
        CHECK(first.encode(sentences[i]) == rows[i]);
    PluginHarness prepared = with("1", "none", 1);
    prepared.prepare(sentences);
    CHECK(prepared.encode(sentences) == rows);

    // The published program sorts by length, and cuts batches then.
    const std::vector<int> lengths = document.at("words_kept").at("version1");
    std::vector<std::size_t> order(sentences.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return lengths[a] > lengths[b]; });
    const PluginHarness padding = with("1", "original", 1);
    test::Rows padded(sentences.size());
    for (std::size_t begin = 0; begin < order.size(); begin += 64) {
        std::vector<std::string> batch;
        for (std::size_t i = begin; i < std::min(begin + 64, order.size()); ++i)
            batch.push_back(sentences[order[i]]);
        const test::Rows found = padding.encode(batch);
        for (std::size_t i = 0; i < found.size(); ++i)
            padded[order[begin + i]] = found[i];
    }
    CHECK(worst_difference(padded, expected.at("version1_batch64")) < 2e-6);
}

TEST_CASE("a small trained LSTM, tokens around sentences, and padding")
{
    const test::ScratchFolder scratch;
    const auto model = scratch.write("m.safetensors", test::safetensors(small_weights()));
    const auto vectors = scratch.write("v.txt", "<s> -5\n</s> -5\n<p> 5\na 5\nb -5\n");
    const auto ones = [](const std::vector<float>& row, double forward, double backward) {
        CHECK(row[0] == doctest::Approx(std::tanh(forward * std::tanh(5.0))).epsilon(1e-5));
        CHECK(row[1] == doctest::Approx(std::tanh(backward * std::tanh(5.0))).epsilon(1e-5));
    };
    const PluginHarness one = opened(model, vectors);
    CHECK(one.dimension() == 2);
    ones(one.encode("a a A nowhere"), 1, 1); // -1 0 1 0 from either side; the look-up is exact
    ones(one.encode("b"), -1, -1);
    ones(one.encode(""), -1, -1);
    CHECK(one.count_known({"a nowhere", ""}) ==
          std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}, {0, 0}});
    const test::Rows padded = opened(model, vectors, {{"padding", "original"}})
                                  .encode(std::vector<std::string>{"b", "a b"});
    ones(padded[0], 0, 0);
    ones(padded[1], 0, -1);
    const PluginHarness two = opened(model, vectors, {{"version", "2"}});
    ones(two.encode("a"), 2, 2); // there is no </p>
    const auto lonely = scratch.write("lonely.txt", "a 5\nb -5\n");
    CHECK_THROWS_AS(static_cast<void>(opened(model, lonely).encode("x")), test::PluginFailure);
}

TEST_CASE("weights that are not InferSent's are refused")
{
    const test::ScratchFolder scratch;
    const auto vectors = scratch.write("v.txt", "a 5\nb -5\n");
    const auto with = [&](std::size_t number, const test::MadeTensor& tensor) {
        std::vector<test::MadeTensor> tensors = small_weights();
        tensors[number] = tensor;
        return refusal_of(scratch.write("m.safetensors", test::safetensors(tensors)), vectors);
    };
    CHECK(test::contains(with(0, f32("enc_lstm.weight_ih_l0", {4, 2}, {0, 0, 0, 0, 0, 0, 0, 0})),
                         "v.txt: has vectors of 1 numbers"));
    CHECK(test::contains(with(1, f32("enc_lstm.weight_hh_l0", {0, 0}, {})), "weight_hh_l0"));
    CHECK(test::contains(with(1, f32("enc_lstm.weight_hh_l0", {}, {1})), "weight_hh_l0"));
    CHECK(test::contains(with(7, f32("enc_lstm.other", {4}, {0, 0, 0, 0})), "bias_hh_l0_reverse"));
    for (const char* const start : {"PK\3\4", "\x80\2\x8a"})
        CHECK(test::contains(refusal_of(scratch.write("infersent1.pkl", start), vectors),
                             "convert_infersent.py"));
}

TEST_CASE("published pickles are converted")
{
    const auto folder = test::shared_or_skip("encoders/infersent");
    if (!folder)
        return;
    if (test::shell("python3 -c 'import torch'").exit_code != 0) {
        MESSAGE("skipped: needs Python with PyTorch");
        return;
    }
    const auto encode = [&](const std::filesystem::path& model) {
        return opened(model, *folder / "vectors.txt").encode("A dog runs.");
    };
    for (const char* const pickle : {"tiny_zip.pkl", "tiny_legacy.pkl"}) {
        const test::ScratchFolder scratch;
        test::shell(0, "python3 " +
                           test::quoted(test::source_dir() / "samples/convert_infersent.py") + " " +
                           test::quoted(*folder / pickle) + " " + test::quoted(scratch / "m"));
        CHECK(encode(scratch / "m") == encode(*folder / "tiny.safetensors"));
    }
}
