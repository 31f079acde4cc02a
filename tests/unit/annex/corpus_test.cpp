#include "annex/corpus.hpp"

#include "base/error.hpp"
#include "paragram_model/training_record.hpp"
#include "support/support.hpp"

#include <stop_token>

using namespace senteval;

TEST_CASE("sentences are the same whatever their tokens, capitals and punctuation")
{
    const auto key = [](const char* text) { return paragram::sentence_key(text).value_or(0); };
    CHECK(key("Don't stop it, now!") == key("do n't stop it , now ."));
    CHECK(key("Don't stop it now") != key("Don't stop it not"));
    CHECK(key("a b c d") != 0);
    CHECK_FALSE(paragram::sentence_key("a b c").has_value());
    CHECK_FALSE(paragram::sentence_key("a b - c , .").has_value());
}

TEST_CASE("pairs are taken, or left out for a reason")
{
    const test::ScratchFolder scratch;
    const auto file =
        scratch.write("v.txt", "the 1 0\na 0 1\ndog 1 1\ncat 2 1\nruns 0 3\nnow 1 4\n");
    const annex::StartVectors vectors(file, 1, std::stop_token(), {});
    annex::EvaluatedSentences evaluated;
    evaluated.begin("Kept", false);
    evaluated.add("The cat runs now.");
    evaluated.begin("Left", true);
    evaluated.add("the dog runs now");
    evaluated.add("dog");
    annex::CorpusBuilder builder(vectors, evaluated);
    builder.add("The #dog runs", "a DOG");
    builder.add("zebra", "a dog");
    builder.add("the dog", "The Dog");
    builder.add("A dog runs now", "the dog runs, now");
    builder.add("the cat runs now", "a cat");
    builder.add("dog", "cat"); // too short to be a sentence of "Left"
    const annex::CorpusCounts& counts = builder.counts();
    CHECK(counts.read == 6);
    CHECK(counts.unknown == 1);
    CHECK(counts.equal == 1);
    CHECK(counts.overlapping == 2);
    CHECK(counts.excluded == 1);
    CHECK(counts.kept == 3);
    const annex::Corpus corpus = builder.take();
    const paragram::TrainingRecord record{base::Json::object(), annex::keys_of(corpus)};
    CHECK(record.has("The cat runs now!"));
    CHECK_FALSE(record.has("the dog runs now"));
    REQUIRE(corpus.pairs() == 3);
    const auto words = [&](std::size_t pair, std::size_t side) {
        std::string text;
        for (const annex::Word word : corpus.phrase(pair, side))
            text += corpus.vocabulary.words[word] + " ";
        return text;
    };
    CHECK(words(0, 0) == "the dog runs ");
    CHECK(words(0, 1) == "a dog ");
    CHECK(words(2, 1) == "cat ");
    CHECK(corpus.vocabulary.counts[corpus.vocabulary.numbers.at("dog")] == 3);
}

TEST_CASE("a training record is read as it was written, and a broken one refused")
{
    paragram::TrainingRecord record;
    record.about = {{"pairs", 3}};
    record.keys = {1, 5, 70000000000};
    const std::string block = paragram::to_block(record);
    const paragram::TrainingRecord read = paragram::record_of(block, "f");
    CHECK(read.about == record.about);
    CHECK(read.keys == record.keys);
    CHECK_THROWS_AS(paragram::record_of(block.substr(0, block.size() - 1), "f"), base::Error);
    CHECK_THROWS_AS(paragram::record_of("no json\n", "f"), base::Error);
    CHECK_THROWS_AS(paragram::record_of("3\n", "f"), base::Error);
    record.keys = {5, 1};
    CHECK_THROWS_WITH_AS(paragram::record_of(paragram::to_block(record), "f"),
                         doctest::Contains("damaged"), base::Error);
}

TEST_CASE("the sentences of two records are one list, ascending, each once")
{
    paragram::TrainingRecord record;
    record.keys = {1, 5, 9};
    paragram::add_keys(record, {0, 5, 7});
    CHECK(record.keys == std::vector<std::uint64_t>{0, 1, 5, 7, 9});
}
