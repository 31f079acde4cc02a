#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "word_vectors/table.hpp"

#include <fmt/format.h>

using namespace senteval;
using namespace senteval::word_vectors;

namespace {

struct Filled {
    explicit Filled(std::string_view bytes = "the 1 2\nThe 3 4\ncat 5 6\nParis 7 8\nbad 1 x\n",
                    CasePolicy policy = CasePolicy::exact,
                    Malformed malformed = Malformed::skip)
        : vectors(
              {scratch.write("v.txt", bytes), Format::glove, malformed}, host.sdk(), call.sdk()),
          table(vectors, resolve_by(vectors, policy), host.sdk())
    {
    }

    void fill(const std::vector<std::string>& sentences)
    {
        table.fill(call.sdk(), test::Sentences(sentences).sdk());
    }

    /// First value of each token's vector; 0 for unknown ones.
    std::vector<double> firsts(std::string_view sentence)
    {
        SentenceReader reader(table);
        std::vector<double> result;
        for (const Token& token : reader.read(sentence))
            result.push_back(token.vector == nullptr ? 0.0 : token.vector[0]);
        return result;
    }

    test::ScratchFolder scratch;
    test::FakeHost host;
    test::FakeCall call{2};
    WordVectors vectors;
    Table table;
};

using Values = std::vector<double>;

} // namespace

TEST_CASE("a table holds the known tokens of its sentences in order of appearance")
{
    Filled fixture;
    fixture.fill({"the cat sat", "", "Paris the cat"});
    const Table& table = fixture.table;
    REQUIRE(table.rows() == 3);
    CHECK(table.token(0) == "the");
    CHECK(table.token(2) == "Paris");
    CHECK(Values(table.row(0), table.row(2) + 2) == Values{1, 2, 5, 6, 7, 8});
    CHECK(table.find("sat") == Table::none);
    CHECK_FALSE(table.find("The").has_value());
    CHECK(fixture.firsts("cat sat the") == Values{5, 0, 1});
}

TEST_CASE("a token is the same whether or not the table was filled with it")
{
    Filled fixture;
    const std::string sentence = "the The cat dog bad the";
    const Values expected{1, 3, 5, 0, 0, 1};
    CHECK(fixture.firsts(sentence) == expected);
    fixture.fill({"cat"});
    CHECK(fixture.firsts(sentence) == expected);
    fixture.fill({sentence});
    CHECK(fixture.firsts(sentence) == expected);
    fixture.fill({});
    CHECK(fixture.table.rows() == 0);
    CHECK(fixture.firsts(sentence) == expected);
}

TEST_CASE("the fallback looks for the token, then Capitalised, then lower-case")
{
    Filled fixture("the 1 2\nThe 3 4\nparis 5 6\nNASA 7 8\nNasa 9 9\nÉcole 10 1\n",
                   CasePolicy::fallback);
    const std::string sentence = "the THE tHe PARIS NASA nasa éCOLE";
    const Values expected{1, 3, 3, 5, 7, 9, 10};
    CHECK(fixture.firsts(sentence) == expected);
    fixture.fill({sentence});
    CHECK(fixture.firsts(sentence) == expected);
    CHECK(fixture.table.rows() == 7); // every spelling has its vector
}

TEST_CASE("a malformed vector is told once per filling, and its token is unknown")
{
    Filled fixture;
    fixture.fill({"bad cat bad", "bad"});
    CHECK(fixture.host.warnings("v.txt:5: the vector of 'bad'") == 1);
    CHECK(fixture.firsts("cat bad") == Values{5, 0});

    Filled strict("a 1 2\nbad 1 x\n", CasePolicy::exact, Malformed::fail);
    CHECK_THROWS_AS(strict.fill({"a bad"}), sdk::Error);
    strict.fill({"a"});
    CHECK(strict.firsts("a") == Values{1});
}

TEST_CASE("tokens and known tokens are counted")
{
    Filled fixture;
    fixture.fill({"the cat sat", ""});
    const test::Sentences sentences({"the cat sat", "", "dog", "Paris the"});
    std::vector<std::uint32_t> tokens(4);
    std::vector<std::uint32_t> known(4);
    fixture.table.count_known(sentences.sdk(), tokens, known);
    CHECK(tokens == std::vector<std::uint32_t>{3, 0, 1, 2});
    CHECK(known == std::vector<std::uint32_t>{2, 0, 0, 2});
}

TEST_CASE("a large vocabulary keeps every token apart")
{
    std::string bytes;
    std::string sentence;
    for (int i = 0; i < 20000; ++i) {
        bytes += fmt::format("w{} {} 1\n", i, i);
        sentence += fmt::format("w{} ", i);
    }
    Filled fixture(bytes);
    fixture.fill({sentence});
    CHECK(fixture.table.rows() == 20000);
    const Values firsts = fixture.firsts(sentence);
    bool right = firsts.size() == 20000;
    for (std::size_t i = 0; right && i < firsts.size(); ++i)
        right = firsts[i] == static_cast<double>(i);
    CHECK(right);
}

TEST_CASE("filling can be cancelled")
{
    Filled fixture;
    fixture.call.cancel();
    CHECK_THROWS_AS(fixture.fill({"the cat"}), sdk::Cancelled);
}
