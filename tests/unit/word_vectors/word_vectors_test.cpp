#include "word_vectors/word_vectors.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

using namespace senteval;
using namespace senteval::word_vectors;

namespace {

/// A vectors file of the test's, opened.
class Opened {
public:
    explicit Opened(std::string_view bytes,
                    Format format = Format::detect,
                    Malformed malformed = Malformed::skip,
                    unsigned threads = 1)
        : call_(threads),
          vectors_({scratch_.write("v.txt", bytes), format, malformed}, host.sdk(), call_.sdk())
    {
    }

    const WordVectors& operator*() const { return vectors_; }
    const WordVectors* operator->() const { return &vectors_; }

    /// The vector of a word; empty where the word is unknown or its values are bad.
    std::vector<double> operator[](std::string_view word) const
    {
        std::vector<double> values(vectors_.dimension());
        const auto row = vectors_.find(word);
        if (!row || !vectors_.read_or_report(*row, values, host.sdk()))
            return {};
        return values;
    }

    test::FakeHost host;

private:
    test::ScratchFolder scratch_;
    test::FakeCall call_;
    WordVectors vectors_;
};

using Values = std::vector<double>;

std::string binary_word(const std::string& word, const std::vector<float>& values)
{
    std::string bytes = word + " ";
    for (const float value : values) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.append(raw, sizeof raw);
    }
    return bytes;
}

/// The error of opening `bytes`, or "" where there is none.
std::string error_of(std::string_view bytes,
                     Format format = Format::detect,
                     Malformed malformed = Malformed::skip)
{
    try {
        const Opened opened(bytes, format, malformed);
    } catch (const sdk::Error& error) {
        CHECK(error.status() == SENTEVAL_INVALID_ARGUMENT);
        const std::string message = error.what();
        return message.substr(message.find("v.txt"));
    }
    return "";
}

using test::contains;

} // namespace

TEST_CASE("GloVe text is read to the correctly rounded double")
{
    const Opened vectors("the 0.1 -2.5e-3\ncat 1 2\n");
    CHECK(vectors->dimension() == 2);
    CHECK(vectors->size() == 2);
    CHECK(vectors["the"] == Values{0.1, -2.5e-3});
    CHECK(vectors["cat"] == Values{1, 2});
    CHECK(vectors["dog"].empty());
    CHECK_FALSE(vectors->find("").has_value());
    CHECK(vectors->word(0) == "the");
    CHECK(vectors->word(1) == "cat");
}

TEST_CASE("the last line needs no line feed, Windows line ends and blank lines do no harm, and a "
          "mark is no word")
{
    const Opened vectors("the 1 2\r\n\r\n\ncat 3 4\r\ndog 5 6");
    CHECK(vectors->size() == 3);
    CHECK(vectors["cat"] == Values{3, 4});
    CHECK(vectors["dog"] == Values{5, 6});
    CHECK(vectors.host.messages(SENTEVAL_LOG_WARNING).empty());
    const std::string mark = "\xEF\xBB\xBF";
    CHECK(Opened(mark + "a 1 2\nb 3 4\n")["a"] == Values{1, 2});
    CHECK(Opened(mark + "2 2\na 1 2\nb 3 4\n")["a"] == Values{1, 2});
    CHECK(Opened(mark + "1 2\n" + binary_word("a", {1, 2}) + "\n", Format::binary)["a"] ==
          Values{1, 2});
}

TEST_CASE("word2vec text has a header, and fastText ends lines with a space")
{
    const Opened vectors("2 3\nthe 1 2 3 \ncat 4 5 6 \n");
    CHECK(vectors->dimension() == 3);
    CHECK(vectors->size() == 2);
    CHECK(vectors["the"] == Values{1, 2, 3});
    CHECK(vectors["2"].empty());
}

TEST_CASE("a header that promises another number of words is told")
{
    const Opened vectors("3 2\nthe 1 2\ncat 4 5\n");
    CHECK(vectors->size() == 2);
    CHECK(vectors.host.warnings(":1: promises 3 words, but the file has 2") == 1);
}

TEST_CASE("word2vec binary, with and without line feeds between the words")
{
    for (const std::string_view end : {"", "\n"}) {
        std::string bytes = "2 2\n" + binary_word("the", {1.0F, -0.1F});
        bytes += end;
        bytes += binary_word("cat", {3.0F, 4.0F});
        bytes += end;
        const Opened vectors(bytes);
        CHECK(vectors->size() == 2);
        CHECK(vectors["the"] == Values{1.0, static_cast<double>(-0.1F)});
        CHECK(vectors["cat"] == Values{3, 4});
    }
}

TEST_CASE("a truncated binary is refused with the word where it ends")
{
    const std::string bytes =
        "2 2\n" + binary_word("the", {1.0F, 2.0F}) + binary_word("cat", {3.0F, 4.0F});
    for (std::size_t cut = 1; cut < 12; ++cut)
        CHECK(contains(error_of(std::string_view(bytes).substr(0, bytes.size() - cut)),
                       "ends within word 2 of 2"));
    CHECK(contains(error_of("2 2\n", Format::binary), "ends within word 1 of 2"));
}

TEST_CASE("what stands behind the words of a binary is a model's, whole, or the file is refused")
{
    const std::string words = "1 2\n" + binary_word("the", {1.0F, 2.0F});
    const auto part = [](std::string name) {
        name.resize(16, '\0');
        return "content" + name + std::string(16, '1') + std::string(model_mark);
    };
    const std::string model = words + part("initial") + part("model");
    CHECK(Opened(words + "\r\n")["the"] == Values{1, 2});
    CHECK(Opened(model)["the"] == Values{1, 2});
    for (std::size_t size = words.size() + 1; size < model.size(); ++size) {
        CAPTURE(size);
        CHECK(contains(error_of(std::string_view(model).substr(0, size)), "is not whole"));
    }
    CHECK(contains(error_of(words + "a"), "end at byte"));
}

TEST_CASE("a value of a binary that is not finite")
{
    const Opened vectors("2 2\n" + binary_word("the", {1.0F, 2.0F}) +
                         binary_word("bad", {3.0F, std::numeric_limits<float>::infinity()}));
    CHECK(vectors["bad"].empty());
    CHECK(vectors.host.warnings("word 2: the vector of 'bad'") == 1);
}

TEST_CASE("words may contain spaces, no-break spaces and any other byte")
{
    const Opened vectors(". . . 1 2\na\xc2\xa0z 3 4\n\xff\xfe 5 6\nat name@x.org 7 8\n7 9 10\n");
    CHECK(vectors->dimension() == 2);
    CHECK(vectors[". . ."] == Values{1, 2});
    CHECK(vectors["a\xc2\xa0z"] == Values{3, 4});
    CHECK(vectors["\xff\xfe"] == Values{5, 6});
    CHECK(vectors["at name@x.org"] == Values{7, 8});
    CHECK(vectors["7"] == Values{9, 10});
    CHECK(vectors["."].empty());
}

TEST_CASE("a repeated word keeps its last vector and its first place")
{
    const Opened vectors("a 1 1\nb 2 2\na 3 3\nc 4 4\nb 5 5\n");
    CHECK(vectors->size() == 3);
    CHECK(vectors["a"] == Values{3, 3});
    CHECK(vectors["b"] == Values{5, 5});
    CHECK(vectors->word(0) == "a");
    CHECK(vectors->word(2) == "c");
    CHECK(vectors.host.warnings("2 words are repeated; the last vector of each counts") == 1);
}

TEST_CASE("malformed lines are told with their numbers and skipped")
{
    const Opened vectors("a 1 2\nshort 1\nb 3 4\nlong 1 2 3\n 9 9 9\nc 5 6\n");
    CHECK(vectors->size() == 3);
    CHECK(vectors["short"].empty());
    CHECK(vectors["long"].empty());
    CHECK(vectors["long 1"].empty());
    CHECK(vectors["c"] == Values{5, 6});
    CHECK(vectors.host.warnings("v.txt:2: 1 values instead of 2; skipped") == 1);
    CHECK(vectors.host.warnings("v.txt:4: 3 values instead of 2; skipped") == 1);
    CHECK(vectors.host.warnings("v.txt:5: begins with a space") == 1);
}

TEST_CASE("malformed lines fail where they are to")
{
    const auto error = [](std::string_view bytes) {
        return error_of(bytes, Format::detect, Malformed::fail);
    };
    CHECK(contains(error("a 1 2\nb 1\n"), "v.txt:2: 1 values instead of 2"));
    CHECK(contains(error("1 2\na 1 2\nb 1\n"), "v.txt:1: promises 1 words"));
    CHECK(contains(error("3 2\nthe 1 2\ncat 4 5\n"), "v.txt:1: promises 3 words"));
}

TEST_CASE("of many malformed lines the first ones are shown, and their number")
{
    std::string bytes = "a 1 2\nb 3 4\nc 3 4\nd 3 4\n";
    for (int i = 0; i < 200; ++i)
        bytes += i % 2 == 0 ? "bad 1\n" : "fine 1 2\n";
    const Opened vectors(bytes, Format::glove);
    CHECK(vectors.host.warnings("; skipped") == 5);
    CHECK(vectors.host.warnings("100 malformed lines in all") == 1);
}

TEST_CASE("a bad number is told, with its line, when its word is asked for")
{
    for (const std::string bad : {"x", "1x", "nan", "inf", "1e999", "1,5"}) {
        const Opened vectors("a 1 2\nb 1 " + bad + "\n", Format::glove);
        CHECK(vectors["a"] == Values{1, 2});
        CHECK(vectors.host.messages(SENTEVAL_LOG_WARNING).empty());
        CHECK(vectors["b"].empty());
        CHECK(vectors.host.warnings("v.txt:2: the vector of 'b' has a value that is no finite") ==
              1);
    }
    const Opened strict("a 1 2\nb 1 x\n", Format::glove, Malformed::fail);
    CHECK_THROWS_AS((void)strict["b"], sdk::Error);
}

TEST_CASE("the dimension is what most of the first lines agree on")
{
    const Opened vectors("broken 1\na 1 2\nb 3 4\n");
    CHECK(vectors->dimension() == 2);
    CHECK(vectors->size() == 2);
    CHECK(vectors.host.warnings("v.txt:1: 1 values instead of 2") == 1);

    const Opened single("3 5\n4 6\n");
    CHECK(single->dimension() == 1);
    CHECK(single["3"] == Values{5});
}

TEST_CASE("files that are no word vectors are refused")
{
    for (const char* bytes : {"", "just some text\nwithout numbers\n", "\x1f\x8b\x08\x01\x02",
                              "5 3\na 1 2\nb 1 2\n", " 1 2\n 3 4\n"})
        CHECK_FALSE(error_of(bytes, Format::detect).empty());
    for (const char* bytes : {"a 1 2\n", "0 2\n", "2 2\n"})
        CHECK_FALSE(error_of(bytes, Format::word2vec).empty());
    CHECK_FALSE(error_of("a 1 2\n", Format::binary).empty());
}

TEST_CASE("a missing file and a folder are refused by name")
{
    const test::ScratchFolder scratch;
    const test::FakeHost host;
    const test::FakeCall call;
    try {
        const WordVectors vectors({scratch / "none.txt"}, host.sdk(), call.sdk());
        FAIL("opened a file that is not there");
    } catch (const sdk::Error& error) {
        CHECK(error.status() == SENTEVAL_NOT_FOUND);
        CHECK(contains(error.what(), "none.txt' does not exist"));
    }
    CHECK_ERROR(sdk::Error, "'" + scratch.path().string() + "' is a folder",
                WordVectors({scratch.path()}, host.sdk(), call.sdk()));
}

TEST_CASE("any number of threads finds the same words and the same faults")
{
    // Several chunks of the scan, with a long line across their borders.
    std::string bytes;
    for (int i = 0; bytes.size() < (std::size_t{13} << 20); ++i) {
        bytes += fmt::format("word{} {} 0.5 -1.25\n", i % 300000, i);
        if (i % 100000 == 77777)
            bytes += fmt::format("bad{} 1\n", i);
        if (i == 150000)
            bytes += std::string(5U << 20, 'x') + " 1 2 3\n";
    }
    const Opened one(bytes, Format::detect, Malformed::skip, 1);
    const Opened four(bytes, Format::detect, Malformed::skip, 4);
    REQUIRE(one->size() == four->size());
    CHECK(one->size() == 300001);
    bool same = true;
    Values a(3);
    Values b(3);
    for (Row row = 0; row < one->size(); ++row)
        same = same && one->word(row) == four->word(row) && one->read(row, a) &&
               four->read(row, b) && a == b && one->find(four->word(row)) == row;
    CHECK(same);
    auto messages = one.host.messages(SENTEVAL_LOG_WARNING);
    CHECK(messages.size() == 4); // one of them of repeated words
    CHECK(contains(messages[0], "v.txt:77779: 1 values instead of 3"));
    auto others = four.host.messages(SENTEVAL_LOG_WARNING);
    REQUIRE(messages.size() == others.size());
    for (std::size_t i = 0; i < messages.size(); ++i) // but for the name of the scratch folder
        CHECK(messages[i].substr(messages[i].find("v.txt")) ==
              others[i].substr(others[i].find("v.txt")));
}

TEST_CASE("opening can be cancelled")
{
    const test::ScratchFolder scratch;
    const test::FakeHost host;
    test::FakeCall call;
    call.cancel();
    CHECK_THROWS_AS(WordVectors({scratch.write("v.txt", "a 1\nb 2\n")}, host.sdk(), call.sdk()),
                    sdk::Cancelled);
    CHECK_THROWS_AS(WordVectors({scratch.write("v.bin", "1 1\n" + binary_word("a", {1.0F}))},
                                host.sdk(), call.sdk()),
                    sdk::Cancelled);
}
