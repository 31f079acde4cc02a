// The fastText encoder against the fasttext program, on models that the program trains here.
#include "support/loaded_plugin.hpp"
#include "support/plugin_harness.hpp"

#include "base/files.hpp"
#include "support/support.hpp"

#include <iterator>

namespace {

namespace fs = std::filesystem;
namespace test = senteval::test;

const senteval_encoder& fasttext_encoder()
{
    static const test::LoadedPlugin plugin(test::binary_dir() / "plugins/fasttext.so");
    return plugin.encoder("senteval.fasttext");
}

bool program_is_missing()
{
    if (test::shell("command -v fasttext").exit_code == 0)
        return false;
    std::cout << "skipped: needs the program fasttext\n";
    return true;
}

/// 400 lines of words from two topics; with a label in front where asked.
std::string training_text(bool labelled)
{
    const std::vector<std::string> topics[] = {
        {"cat", "cats", "dog", "dogs", "purrs", "barked", "kitten", "puppy", "the", "a"},
        {"bank", "banks", "loan", "money", "invested", "market", "price", "naïve", "the", "a"}};
    std::mt19937 random(5);
    std::string text;
    for (std::size_t line = 0; line < 400; ++line) {
        const auto& words = topics[line % 2];
        if (labelled)
            text += line % 2 == 0 ? "__label__animal " : "__label__money ";
        for (std::size_t k = 0; k < 4 + random() % 6; ++k)
            text += words[random() % words.size()] + " ";
        text += "\n";
    }
    return text;
}

const std::vector<std::string> sentences = {
    "the cat purrs",
    "the bank invested money in a loan",
    "catlike doglike bankers",   // unknown words with known n-grams
    "",                          // the end of the line only
    "naïve naïve prices",        // UTF-8
    "x",                         // too short for n-grams of three
    " the  dog\tbarked  ",       // white space
    "__label__animal the puppy", // a label inside the text
    "unrelated zzzzqqqq",
};

/// What `fasttext print-sentence-vectors` prints for `sentences`.
test::Rows printed_vectors(const test::ScratchFolder& scratch, const fs::path& model)
{
    std::string text;
    for (const std::string& sentence : sentences)
        text += sentence + "\n";
    scratch.write("sentences.txt", text);
    const test::Run run = test::shell(0, "fasttext print-sentence-vectors " + test::quoted(model) +
                                             " <" + test::quoted(scratch / "sentences.txt"));
    test::Rows rows;
    for (const std::string& line : test::lines_of(run.out)) {
        std::istringstream numbers(line);
        rows.emplace_back(std::istream_iterator<float>(numbers), std::istream_iterator<float>());
    }
    return rows;
}

void train(const test::ScratchFolder& scratch, const std::string& arguments)
{
    scratch.write("plain.txt", training_text(false));
    scratch.write("labelled.txt", training_text(true));
    test::shell(0, "cd " + test::quoted(scratch.path()) + " && fasttext " + arguments +
                       " -output model -dim 10 -epoch 3 -minCount 1 -bucket 2000 -thread 1");
}

test::PluginHarness opened(const test::ScratchFolder& scratch, const char* file = "model.bin")
{
    return {fasttext_encoder(), {{"model", (scratch / file).string()}}};
}

/// The encoder of a model that is trained with `arguments`.
test::PluginHarness trained(const test::ScratchFolder& scratch, const std::string& arguments)
{
    train(scratch, arguments);
    return opened(scratch);
}

void check_equal(const test::Rows& got, const test::Rows& expected)
{
    REQUIRE(got.size() == expected.size());
    double largest = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        CAPTURE(sentences[i]);
        REQUIRE(got[i].size() == expected[i].size());
        for (std::size_t k = 0; k < got[i].size(); ++k) {
            CHECK(std::abs(got[i][k] - expected[i][k]) < 1e-5);
            largest = std::max(largest, double(std::abs(expected[i][k])));
        }
    }
    CHECK(largest > 0.01); // a trained model, not zeros
}

/// Trains with `arguments` and compares, with and without prepare().
void check_against_program(const std::string& arguments)
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    train(scratch, arguments);
    const test::Rows expected = printed_vectors(scratch, scratch / "model.bin");

    test::PluginHarness encoder = opened(scratch);
    CHECK(encoder.dimension() == 10);
    const test::Rows unprepared = encoder.encode(sentences);
    check_equal(unprepared, expected);
    encoder.prepare(sentences);
    CHECK(encoder.encode(sentences) == unprepared); // bit for bit

    test::Rows threaded[2];
    {
        std::vector<std::jthread> threads;
        for (test::Rows& rows : threaded)
            threads.emplace_back([&] { rows = encoder.encode(sentences); });
    }
    CHECK(threaded[0] == unprepared);
    CHECK(threaded[1] == unprepared);
    CHECK(encoder.encode(sentences[2]) == unprepared[2]);
}

/// An error of create() for this model file.
test::PluginFailure refusal(const fs::path& model)
{
    try {
        const test::PluginHarness encoder(fasttext_encoder(), {{"model", model.string()}});
    } catch (const test::PluginFailure& failed) {
        return failed;
    }
    return {SENTEVAL_OK, "accepted"};
}

} // namespace

TEST_CASE("unsupervised fastText vectors are the program's")
{
    check_against_program("skipgram -input plain.txt -minn 3 -maxn 5");
    check_against_program("cbow -input plain.txt -minn 2 -maxn 3");
    check_against_program("skipgram -input plain.txt -maxn 0"); // no subwords
}

TEST_CASE("supervised fastText vectors are the program's")
{
    check_against_program("supervised -input labelled.txt");
    check_against_program("supervised -input labelled.txt -minn 2 -maxn 4 -wordNgrams 3");
}

TEST_CASE("quantised fastText models give the program's vectors")
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    train(scratch, "supervised -input labelled.txt -minn 2 -maxn 4 -wordNgrams 2");
    test::shell(0, "cd " + test::quoted(scratch.path()) +
                       " && fasttext quantize -input labelled.txt -output model");
    check_equal(opened(scratch, "model.ftz").encode(sentences),
                printed_vectors(scratch, scratch / "model.ftz"));
}

TEST_CASE("fastText knows words and their n-grams")
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    using Count = std::pair<std::uint32_t, std::uint32_t>;

    const auto subwords = trained(scratch, "skipgram -input plain.txt -minn 3 -maxn 5");
    CHECK(subwords.count_known({"the catlike x", ""}) == std::vector{Count(3, 3), Count(0, 0)});

    const auto words = trained(scratch, "supervised -input labelled.txt");
    CHECK(words.count_known({"the catlike __label__animal"}) == std::vector{Count(3, 1)});
}

TEST_CASE("a newline within a sentence is a space, and a supervised model's sentence ends at its "
          "end symbol")
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    for (const char* arguments : {"skipgram -input plain.txt", "supervised -input labelled.txt"}) {
        const auto encoder = trained(scratch, arguments);
        CHECK(encoder.encode("the cat\npurrs") == encoder.encode("the cat purrs"));
    }
    const auto encoder = trained(scratch, "supervised -input labelled.txt -wordNgrams 2");
    CHECK(encoder.encode("the cat </s> purrs") == encoder.encode("the cat"));
    CHECK(encoder.encode("the cat purrs") != encoder.encode("the cat"));
}

TEST_CASE("word vectors in text are scaled to length 1 and averaged")
{
    const test::ScratchFolder scratch;
    const fs::path file = scratch.write("small.vec", "4 2\n"
                                                     "the 3 4\n"
                                                     "cat 0 2\n"
                                                     "zero 0 0\n"
                                                     "dog -8 6\n");
    test::PluginHarness encoder(fasttext_encoder(), {{"model", file.string()}});
    CHECK(encoder.dimension() == 2);
    const std::vector<std::string> texts = {"the cat", "the dog bird", "zero cat", "bird", ""};
    for (const bool prepared : {false, true}) {
        CAPTURE(prepared);
        if (prepared)
            encoder.prepare(texts);
        const test::Rows rows = encoder.encode(texts);
        CHECK(rows[0][0] == doctest::Approx(0.3));  // (0.6 + 0) / 2
        CHECK(rows[0][1] == doctest::Approx(0.9));  // (0.8 + 1) / 2
        CHECK(rows[1][0] == doctest::Approx(-0.1)); // (0.6 - 0.8) / 2, bird left out
        CHECK(rows[1][1] == doctest::Approx(0.7));
        CHECK(rows[2] == std::vector<float>{0, 1}); // a zero vector is not counted
        CHECK(rows[3] == std::vector<float>{0, 0});
        CHECK(rows[4] == std::vector<float>{0, 0});
    }
    using Count = std::pair<std::uint32_t, std::uint32_t>;
    CHECK(encoder.count_known({"the dog bird"}) == std::vector{Count(3, 2)});
}

TEST_CASE("the vectors of a model's .vec file agree with the model without subwords")
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    train(scratch, "skipgram -input plain.txt -maxn 0");
    const auto text = opened(scratch, "model.vec");
    const test::Rows expected = printed_vectors(scratch, scratch / "model.bin");
    const test::Rows got = text.encode(sentences);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        if (sentences[i].find('\t') != std::string::npos)
            continue; // words of a .vec file are separated by spaces
        for (std::size_t k = 0; k < 10; ++k)
            CHECK(got[i][k] == doctest::Approx(expected[i][k]).epsilon(1e-3)); // five digits a word
    }
}

TEST_CASE("fastText models that cannot be read are refused with the reason")
{
    const test::ScratchFolder scratch;
    CHECK(refusal(scratch / "none.bin").status == SENTEVAL_NOT_FOUND);
    CHECK(test::contains(refusal(scratch / "none.bin").what(), "none.bin"));
    CHECK(refusal(scratch.path()).status == SENTEVAL_INVALID_ARGUMENT);
    CHECK(test::contains(refusal(scratch.path()).what(), "is a folder"));

    const std::string magic = "\xba\x16\x4f\x2f"; // 793712314, little-endian
    CHECK(refusal(scratch.write("version.bin", magic + std::string(8, '\x7f'))).status ==
          SENTEVAL_INVALID_ARGUMENT);

    if (program_is_missing())
        return;
    train(scratch, "skipgram -input plain.txt");
    const std::string bytes = senteval::base::read_file(scratch / "model.bin");
    for (const std::size_t size : {60UL, bytes.size() / 2, bytes.size() - 1}) {
        CAPTURE(size);
        CHECK(refusal(scratch.write("cut.bin", bytes.substr(0, size))).status ==
              SENTEVAL_INVALID_ARGUMENT);
    }
}

TEST_CASE("the library trusts its files, so it asks for a process of its own")
{
    const senteval_encoder& table = fasttext_encoder();
    CHECK(table.get_extension(&table, SENTEVAL_USER_CODE_EXTENSION) != nullptr);
}

TEST_CASE("a label in the text of an unsupervised model has no vector")
{
    if (program_is_missing())
        return;
    const test::ScratchFolder scratch;
    auto encoder = trained(scratch, "skipgram -input labelled.txt -minn 2 -maxn 3");
    const std::vector<std::string> pair = {"the cat", "__label__animal the cat"};
    encoder.prepare(pair);
    const auto rows = encoder.encode(pair);
    CHECK(rows[0] == rows[1]);
}
