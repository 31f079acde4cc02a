#include "precomputed/encoder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::PluginHarness;
using test::Rows;
using test::ScratchFolder;

namespace fs = std::filesystem;

namespace {

/// An NPY file with that dictionary, of version 1 to 3.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1)
{
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    const std::string text = dictionary + "\n";
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
    return bytes + text + data;
}

std::string header(const std::string& type, const std::string& shape, bool fortran = false)
{
    return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }";
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers, bool swapped = false)
{
    std::string all;
    for (const Number number : numbers) {
        std::string one(sizeof number, '\0');
        std::memcpy(one.data(), &number, sizeof number);
        all += swapped ? std::string(one.rbegin(), one.rend()) : one;
    }
    return all;
}

const std::string two_by_three = header("<f4", "(2, 3)");
const std::string six_floats = bytes_of<float>({1, 2, 3, 4, 5, 6});
const std::string ab = "a b\nc\n";

struct Opened {
    ScratchFolder scratch;
    PluginHarness harness;

    explicit Opened(const std::string& vectors, const std::optional<std::string>& sentences)
        : harness(open(scratch, vectors, sentences))
    {
    }
    static PluginHarness open(const ScratchFolder& scratch,
                              const std::string& vectors,
                              const std::optional<std::string>& sentences)
    {
        std::vector<test::Parameter> parameters = {
            {"vectors", scratch.write("vectors", vectors).string()}};
        if (sentences)
            parameters.push_back({"sentences", scratch.write("sentences", *sentences).string()});
        return PluginHarness::of<precomputed::Encoder>(parameters);
    }
};

/// The vectors of "a b" and "c".
Rows rows_of(const std::string& vectors, const std::optional<std::string>& sentences = ab)
{
    const Opened opened(vectors, sentences);
    return opened.harness.encode(std::vector<std::string>{"a b", "c"});
}

std::string refusal(const std::string& vectors, const std::optional<std::string>& sentences = ab)
{
    return test::error_of<test::PluginFailure>([&] {
        Opened opened(vectors, sentences);
        opened.harness.prepare({"a b", "c"});
    });
}

const Rows expected = {{1, 2, 3}, {4, 5, 6}};

} // namespace

TEST_CASE("NPY is read in each version, width, order and byte order")
{
    for (const int version : {1, 2, 3})
        CHECK(rows_of(npy(two_by_three, six_floats, version)) == expected);
    CHECK(rows_of(npy(header("<f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(rows_of(npy(header(">f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}, true))) ==
          expected);
    CHECK(rows_of(npy(header(">f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6}, true))) ==
          expected);
    CHECK(rows_of(npy(header("<f4", "(2, 3)", true), bytes_of<float>({1, 4, 2, 5, 3, 6}))) ==
          expected);
    const std::vector<std::uint16_t> halves = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
    CHECK(rows_of(npy(header("<f2", "(2, 3)"), bytes_of(halves))) == expected);
    CHECK(rows_of(npy(header(">f2", "(2, 3)"), bytes_of(halves, true))) == expected);
    CHECK(rows_of(npy("{\"shape\": (2L, 3L), \"descr\": \"<f4\", \"fortran_order\": False}",
                      six_floats)) == expected);
}

TEST_CASE("sentences in JSON lines have any text, and a role where they say one")
{
    Opened opened(npy(two_by_three, six_floats),
                  "{\"text\":\"a\\nb\"}\n{\"text\":\"a\\nb\",\"role\":\"query\"}\n");
    const std::vector<std::string> texts = {"a\nb"};
    opened.harness.prepare(texts);
    CHECK(opened.harness.encode(texts) == Rows{{1, 2, 3}});
    CHECK(opened.harness.encode_as(sdk::Role::query, texts) == Rows{{4, 5, 6}});
    CHECK(opened.harness.encode_as(sdk::Role::document, texts) == Rows{{1, 2, 3}});
    CHECK_THROWS_AS((void)opened.harness.encode("a b"), test::PluginFailure);

    const std::string first = "{\"text\": \"a b\", \"role\": \"document\"}\n";
    Opened roles(npy(two_by_three, six_floats), first + "{\"role\":\"query\",\"text\":\"c\"}\n");
    roles.harness.prepare({"a b", "c"}); // which has no roles
    CHECK(roles.harness.encode_as(sdk::Role::query, {"c"}) == Rows{{4, 5, 6}});
    CHECK_THROWS_AS((void)roles.harness.encode_as(sdk::Role::query, {"a b"}), test::PluginFailure);
    for (const char* line : {"", "x", "[]", "{\"text\":1}", "{\"text\":\"a\",\"role\":\"other\"}"})
        CHECK(test::contains(refusal(npy(two_by_three, six_floats), first + line + "\n"),
                             "sentences:2: "));
}

TEST_CASE("halves are widened exactly")
{
    const std::vector<std::uint16_t> halves = {0x0001, 0x03ff, 0x0400, 0x7bff, 0xc248, 0x8000};
    CHECK(rows_of(npy(header("<f2", "(2, 3)"), bytes_of(halves))) ==
          Rows{{0x1p-24F, 1023 * 0x1p-24F, 0x1p-14F}, {65504.0F, -3.140625F, -0.0F}});
}

TEST_CASE("an NPY file that is not what it says is refused")
{
    const std::string whole = npy(two_by_three, six_floats);
    for (std::size_t size = 6; size < whole.size(); ++size)
        CHECK_FALSE(refusal(whole.substr(0, size)).empty());
    CHECK_FALSE(refusal(whole + "x").empty());
    CHECK_FALSE(refusal(npy(two_by_three, six_floats, 4)).empty());
    CHECK_FALSE(refusal(npy(header("<i8", "(2, 3)"), six_floats + six_floats)).empty());
    for (const char* shape : {"(6,)", "()", "(2, 0)", "(4611686018427387904, 4)",
                              "(99999999999999999999, 4)", "(-2, 3)"})
        CHECK_FALSE(refusal(npy(header("<f4", shape), six_floats)).empty());
    for (const std::string& dictionary :
         {header("|O", "(2, 3)"), std::string("{'shape': (2, 3)}"), std::string(),
          std::string("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }")})
        CHECK_FALSE(refusal(npy(dictionary, six_floats)).empty());
}

TEST_CASE("other forms of vectors are not read as text")
{
    using namespace std::string_literals;
    for (const std::string& other : {"PK\x03\x04 a.npy"s, "PAR1"s, "\x80\x04\x95 "s,
                                     "{\"text\": 1}"s, "\x40\0\0\0\0\0\0\0{\"emb\":"s})
        CHECK(test::contains(refusal(other, ab), "numpy.save("));
}

TEST_CASE("text has a row per line, with or without the sentences")
{
    CHECK(rows_of("1 2 3\n4\t5,6\n") == expected);
    CHECK(rows_of("\xef\xbb\xbf"
                  "1 2 3 \r\n4 5 6") == expected);
    CHECK(rows_of("2 3\n1 2 3\n4 5 6\n") == expected);
    CHECK(rows_of("a b\t1 2 3\nc\t4 5 6\n", std::nullopt) == expected);
    CHECK(rows_of("2 3\na b 1 2 3\nc 4 5 6\n", std::nullopt) == expected);
    CHECK(rows_of("2 2\n1 2\n3 4\n") == Rows{{1, 2}, {3, 4}});
    CHECK(rows_of("5 2\n3 4\n") ==
          Rows{{5, 2}, {3, 4}}); // no header: there are no five rows behind it
}

TEST_CASE("a sentence may end in numbers and commas, and may be empty")
{
    const Opened opened("4 1\nin 1999 1\n, 2\n 3\nwell , 4\n", std::nullopt);
    CHECK(opened.harness.encode({"in 1999", ",", "", "well ,"}) == Rows{{1}, {2}, {3}, {4}});
    const Opened tabs("in 1999\t1\n\t3\n", std::nullopt);
    CHECK(tabs.harness.encode(std::vector<std::string>{"in 1999", ""}) == Rows{{1}, {3}});
}

TEST_CASE("a damaged text file is refused")
{
    for (const char* text : {"1 2 3\n4 5\n", "1 2 3\n4 x 6\n", "1 2 3\n4 nan 6\n",
                             "1 2 3\n4 1e999 6\n", "1 2 3\n4 1e300 6\n", "", "3 3\n1 2 3\n4 5 6\n"})
        CHECK_FALSE(refusal(text).empty());
    for (const char* text : {"1 2 3\n", "a\t\n", "2 3\na 1 2\nc 4 5 6\n"})
        CHECK_FALSE(refusal(text, std::nullopt).empty());
}

TEST_CASE("rows and sentences must be as many, and NPY needs sentences")
{
    CHECK(test::contains(refusal(npy(two_by_three, six_floats), "a b\n"),
                         "sentences has 1 lines, but there are 2 vectors"));
    CHECK(test::contains(refusal(npy(two_by_three, six_floats), "a b\nc\n\n"), "has 3 lines"));
    CHECK(test::contains(refusal(npy(two_by_three, six_floats), std::nullopt),
                         "parameter 'sentences' is missing"));
    CHECK(rows_of(npy(two_by_three, six_floats), "\xef\xbb\xbf"
                                                 "a b\r\nc") == expected);
}

TEST_CASE("a sentence with two vectors is refused, one with the same twice is not")
{
    const std::string three = header("<f4", "(3, 1)");
    CHECK(refusal(npy(three, bytes_of<float>({1, 2, 1})), "a b\nc\na b\n").empty());
    CHECK(test::contains(refusal(npy(three, bytes_of<float>({1, 2, 3})), "a b\nc\na b\n"),
                         {"row 0", "row 2", "\"a b\""}));
}

TEST_CASE("missing sentences are counted and listed, with the command that writes them")
{
    const Opened opened(npy(two_by_three, six_floats), ab);
    auto& harness = const_cast<PluginHarness&>(opened.harness);
    std::vector<std::string> task = {"a b", "1", "2", "3", "4", "5", "6", "6", "c"};
    const std::string why = test::error_of<test::PluginFailure>([&] { harness.prepare(task); });
    CHECK(test::contains(why, {"6 sentences of ", "the first 5:\n    \"1\"\n",
                               "senteval sentences --tasks ",
                               "--without '" + (opened.scratch / "sentences").string() + "'"}));
    CHECK(!test::contains(why, "\"6\""));
    harness.prepare({"c"}); // the next task is another matter
    CHECK_ERROR(test::PluginFailure, "\"x\" has no vector", harness.encode("x"));
}

TEST_CASE("a value that is not finite is named by row where a task needs it")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string bytes = npy(two_by_three, bytes_of<float>({1, 2, 3, 4, nan, 6}));
    CHECK(test::contains(refusal(bytes), {"row 1: value 2 of 3 is nan", "\"c\""}));
    Opened opened(bytes, ab);
    opened.harness.prepare({"a b"}); // "c" is not asked for
    CHECK(opened.harness.encode("a b") == std::vector<float>{1, 2, 3});
}
