// Small models of every kind beside what torch computes in double precision: skipped where they are not.
#include "transformer/transformer_encoder.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "word_vectors/mapped_file.hpp"
#include "word_vectors/npy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace senteval;
using model_files::Json;
using test::PluginHarness;
using transformer::TransformerEncoder;

namespace {

/// The largest difference of an element from those of an NPY file.
double worst_difference(const test::Rows& rows, const std::filesystem::path& file)
{
    const word_vectors::MappedFile mapped(file);
    const word_vectors::NpyArray expected(mapped.bytes());
    REQUIRE(expected.rows() == rows.size());
    REQUIRE(expected.columns() == rows.front().size());
    double worst = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            worst = std::max(worst, std::fabs(static_cast<double>(rows[i][j]) - expected.at(i, j)));
    return worst;
}

/// Without the tokenizer.
std::vector<float> vector_of(const transformer::Network& network,
                             const transformer::Head& head,
                             const std::vector<model_files::Id>& ids)
{
    const std::vector<float> tokens = network.run({ids, {ids.size()}}, test::FakeCall().sdk());
    std::vector<float> pooled(transformer::Linear::padded(1) * head.pooled_width());
    head.pool(tokens.data(), ids.size(), pooled.data());
    std::vector<float> vector = head.finish(std::move(pooled), 1);
    vector.resize(head.dimension());
    return vector;
}

} // namespace

TEST_CASE("vectors of small models of the newer families, from the ids of their tokens")
{
    const auto folder = test::shared_or_skip("encoders/modern");
    if (!folder)
        return;
    const Json pads = model_files::read_json(*folder / "expected/pad_inside.json").at("cases");
    const test::FakeHost host;
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "tiny")) {
        const std::string name = entry.path().filename();
        CAPTURE(name);
        ++models;
        const transformer::Network network(entry.path(), transformer::Arithmetic::float32);
        const transformer::Head head(entry.path(), network.width(), {}, host.sdk());
        test::Rows rows;
        for (const Json& ids : model_files::read_json(*folder / "expected" / (name + ".ids.json")))
            rows.push_back(vector_of(network, head, ids));
        CHECK(worst_difference(rows, *folder / "expected" / (name + ".npy")) <
              (name == "modernbert_mean" ? 5e-6 : 2e-6));
        for (const Json& pad : pads) { // a padding token that somebody wrote
            if (pad.at("model") != name)
                continue;
            const std::vector<float> vector = vector_of(network, head, pad.at("ids"));
            for (std::size_t i = 0; i < vector.size(); ++i)
                CHECK(vector[i] ==
                      doctest::Approx(pad.at("vector")[i].get<double>()).epsilon(1e-5));
        }
    }
    CHECK(models == 7);
}

TEST_CASE("vectors of small models of every kind")
{
    const auto folder = test::shared_or_skip("encoders");
    if (!folder)
        return;
    const std::vector<std::string> sentences = model_files::read_json(*folder / "sentences.json");
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "bert/tiny")) {
        const std::string name = entry.path().filename();
        CAPTURE(name);
        ++models;
        const auto harness =
            PluginHarness::of<TransformerEncoder>({{"model", entry.path().string()}});
        const bool is_raw = name == "distil_mean" || name == "max_pool" || name == "odd_concat";
        const test::Rows together = harness.encode(sentences);
        CHECK(worst_difference(together, *folder / "bert/expected" / (name + ".npy")) <
              (is_raw ? 2e-5 : 2e-6));

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
    CHECK(models == 8);
}
