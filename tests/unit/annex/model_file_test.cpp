#include "paragram_model/model_file.hpp"

#include "annex/model.hpp"
#include "annex/trainer.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "made_corpus.hpp"
#include "paragram/paragram_encoder.hpp"
#include "paragram_model/training_record.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

using namespace senteval;
using paragram::Kind;
using test::PluginHarness;

namespace {

/// A trained model and its file.
struct Written {
    explicit Written(Kind kind) : made(40, 6, 90)
    {
        annex::TrainSettings settings;
        settings.architecture = {kind, paragram::Activation::identity, 6, 6, 1};
        if (kind == Kind::projection || kind == Kind::lstm)
            settings.architecture.outputs = 5;
        settings.epochs = 1;
        settings.batch = 30;
        architecture = settings.architecture;
        model = annex::Trainer(made.corpus, *made.vectors, settings, {}).train();
        record.about = {{"pairs", made.corpus.pairs()}};
        record.keys = {3, 9};
        file = made.scratch / "my.paragram";
        annex::write_model_file(file, architecture, model, made.corpus.vocabulary, *made.vectors,
                                record);
    }

    test::MadeCorpus made;
    paragram::Architecture architecture;
    annex::ModelState model;
    paragram::TrainingRecord record;
    std::filesystem::path file;
};

std::string refusal(const std::filesystem::path& file)
{
    try {
        const paragram::ModelFile model(file);
        return "";
    } catch (const sdk::Error& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("the encoder says of a model's file what the trainer says of the model")
{
    for (const Kind kind : {Kind::word, Kind::projection, Kind::dan, Kind::rnn, Kind::identity_rnn,
                            Kind::lstm, Kind::lstm_no_output_gate}) {
        CAPTURE(static_cast<int>(kind));
        const Written written(kind);
        auto encoder =
            PluginHarness::of<paragram::ParagramEncoder>({{"model", written.file.string()}});
        REQUIRE(encoder.dimension() == written.architecture.outputs);
        annex::SentenceEncoder in_memory(written.architecture, written.model,
                                         written.made.corpus.vocabulary, *written.made.vectors);
        for (const std::string sentence :
             {"w1", "W1 w2 zebra w3", "w30 w31 w32 w33 w34 w35 w36", "zebra", ""}) {
            CAPTURE(sentence);
            std::vector<float> expected(in_memory.dimension());
            in_memory.encode(sentence, expected);
            const std::vector<float> row = encoder.encode(sentence);
            REQUIRE(row.size() == expected.size());
            for (std::size_t i = 0; i < row.size(); ++i)
                CHECK(row[i] == doctest::Approx(expected[i]).epsilon(1e-5));
        }
    }
}

TEST_CASE("a model's file holds what it was written of")
{
    const Written written(Kind::lstm);
    const paragram::ModelFile file(written.file);
    CHECK(file.architecture() == written.architecture);
    CHECK(file.parameters() == written.model.parameters);
    CHECK(file.words() == 41); // the file's, and the unknown word
    const auto counts = file.counts();
    std::uint64_t all = 0;
    for (const std::uint32_t count : counts)
        all += count;
    CHECK(all == written.made.corpus.tokens.size());
    const paragram::InitialVectors initial = file.initial();
    CHECK(!initial.rows.empty());
    CHECK(initial.values.size() == initial.rows.size() * 6);
    std::vector<float> before(6);
    written.made.vectors->read(initial.rows.front(), before);
    CHECK(std::equal(before.begin(), before.end(), initial.values.begin()));
    const auto record = paragram::training_record_of(written.file);
    REQUIRE(record.has_value());
    CHECK(record->keys == written.record.keys);
    CHECK_FALSE(paragram::training_record_of(written.made.scratch / "vectors.txt").has_value());
    const std::string bytes = base::read_file(written.file);
    const auto damaged = written.made.scratch / "damaged";
    std::string other = bytes;
    other[bytes.rfind("SEVBLOCK", bytes.size() - 100)] = 'x'; // the record's own
    base::write_file_atomically(damaged, other);
    CHECK_THROWS_WITH_AS(paragram::training_record_of(damaged), doctest::Contains("damaged"),
                         base::Error);
    CHECK(test::contains(refusal(damaged), "damaged"));
    other = bytes;
    other[bytes.find("{\"pairs\"") + 3] = 'x';
    base::write_file_atomically(damaged, other);
    CHECK(test::contains(refusal(damaged), "training"));
    // As word vectors it is a word2vec binary to every other encoder, and to begin a training with.
    const annex::StartVectors again(written.file, 1, std::stop_token(), {});
    CHECK(again.size() == 41);
    CHECK(again.word(0) == "w0");
}

TEST_CASE("whatever byte of a model is lost or changed, no reader takes it for another model, or "
          "for plain vectors")
{
    const Written written(Kind::projection);
    const std::string bytes = base::read_file(written.file);
    const auto path = written.made.scratch / "other";
    std::size_t taken = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        written.made.scratch.write("other", damaged);
        taken += refusal(path).empty() ? 1U : 0U;
    }
    CHECK(taken == 0);
    // Where the words end it is plain vectors, and its first line alone is a word "41" of one value.
    const std::size_t header = bytes.find('\n');
    const std::size_t words_end = bytes.find("UUUNKKK ") + 8 + 6 * sizeof(float);
    REQUIRE(bytes[words_end] == '\n');
    for (std::size_t size = header + 2; size < bytes.size(); ++size) {
        CAPTURE(size);
        written.made.scratch.write("other", bytes.substr(0, size));
        const bool is_plain = size == words_end || size == words_end + 1;
        try {
            const annex::StartVectors vectors(path, 1, std::stop_token(), {});
            CHECK(is_plain);
        } catch (const base::Error&) {
            CHECK_FALSE(is_plain);
        }
    }
}

TEST_CASE("a file that was cut, damaged, or is something else is refused with the reason")
{
    const Written written(Kind::projection);
    const std::string bytes = base::read_file(written.file);
    const auto path = written.made.scratch / "other";
    const auto with = [&](const std::string& content) {
        base::write_file_atomically(path, content);
        return refusal(path);
    };
    CHECK(with(bytes).empty());
    CHECK(test::contains(with(bytes.substr(0, bytes.size() - 1)), "was cut short"));
    CHECK(test::contains(with("the 1 2\n"), "is no model of 'senteval train'"));
    for (const std::size_t at : {bytes.find("w3 ") + 5, bytes.size() - 60}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        CHECK(test::contains(with(damaged), "is damaged"));
    }
    try {
        PluginHarness::of<paragram::ParagramEncoder>(
            {{"model", written.file.string()}, {"vectors", written.file.string()}});
        FAIL("took vectors beside a model");
    } catch (const test::PluginFailure& failure) {
        CHECK(test::contains(failure.what(), "not both"));
    }
    CHECK_THROWS_AS(PluginHarness::of<paragram::ParagramEncoder>({}), test::PluginFailure);
}
