#include "base/error.hpp"
#include "data/conversions.hpp"
#include "support/support.hpp"

using namespace senteval;
using data::Wording;

namespace {

std::string prepared(std::string_view conversion, const std::string& original)
{
    return data::convert(conversion, {original}, Wording::prepared);
}

std::string raw(std::string_view conversion, const std::string& original)
{
    return data::convert(conversion, {original}, Wording::original);
}

} // namespace

TEST_CASE("visible ASCII is what cat -v shows")
{
    CHECK(data::visible_ascii("a\tb\n") == "a\tb\n");
    CHECK(data::visible_ascii("\x01\r\x7F") == "^A^M^?");
    CHECK(data::visible_ascii("\xE9\x85\xFF\xA0") == "M-iM-^EM-^?M- ");
}

TEST_CASE("sentences in files of their own become visible ASCII and Penn Treebank tokens")
{
    CHECK(prepared("ptb", "a caf\xE9.\n\nit's\n") == "a cafM-i . \n\nit 's \n");
    CHECK(raw("ptb", "a caf\xE9.\n") == "a caf\xE9.\n");
}

TEST_CASE("questions lose their quotes")
{
    CHECK(prepared("trec", "LOC:city What 's `` it '' ?\n") == "LOC:city What s  it  ?\n");
    CHECK(raw("trec", "LOC:city What 's it ?\n") == "LOC:city What 's it ?\n");
}

TEST_CASE("similarity pairs lose further columns and their case")
{
    CHECK(prepared("sts-input", "It's One.\tTwo!\tsource\n") == "it 's one .\ttwo !\n");
    CHECK(raw("sts-input", "It's One.\tTwo!\r\n") == "It's One.\tTwo!\n");
    CHECK(prepared("sts-input", "last line\tno newline") == "last line\tno newline\n");
}

TEST_CASE("the benchmark keeps five columns as they are")
{
    CHECK(prepared("stsbenchmark", "Main\tFile\t2014\t07\t3.800\tA dog.\tA Cat.\textra\n") ==
          "Main\tFile\t2014\t07\t3.800\ta dog .\ta cat .\n");
    CHECK(raw("stsbenchmark", "Main\tFile\t2014\t07\t3.8\tA dog.\tA Cat.\r\n") ==
          "Main\tFile\t2014\t07\t3.8\tA dog.\tA Cat.\n");
}

TEST_CASE("relatedness keeps its header, its case and its line ends")
{
    CHECK(prepared("sick", "pair_ID\tsentence_A\tB\tC\tD\n7\tA dog's.\tA cat.\t3.5\tNEUTRAL\r\n") ==
          "pair_ID\tsentence_A\tB\tC\tD\n7\tA dog 's .\tA cat .\t3.5\tNEUTRAL\r\n");
}

TEST_CASE("paraphrases are joined under one header")
{
    const std::string header = "\xEF\xBB\xBFQuality\t#1 ID\t#2 ID\t#1 String\t#2 String";
    CHECK(data::convert("mrpc",
                        {header + "\r\n1\t5\t6\tIn the U.S.\tA dog, a cat.\r\n",
                         header + "\r\n0\t7\t8\tOne.\tTwo.\r\n"},
                        Wording::prepared) ==
          header + "\n1\t5\t6\tIn the U.S.\tA dog , a cat .\n0\t7\t8\tOne .\tTwo .\n");
}

TEST_CASE("inference pairs without a gold label are left out")
{
    const std::string table = "gold_label\tp1\tp2\tt1\tt2\tsentence1\tsentence2\tid\n"
                              "neutral\t(\t(\t(\t(\tA man's hat.\tHe has one\tx\n"
                              "-\t(\t(\t(\t(\tA man.\tA dog.\tx\n"
                              "entailment\t(\t(\t(\t(\tIt rains.\tWater falls!\tx\n";
    CHECK(prepared("snli-labels", table) == "neutral\nentailment\n");
    CHECK(prepared("snli-first", table) == "A man 's hat . \nIt rains . \n");
    CHECK(prepared("snli-second", table) == "He has one \nWater falls ! \n");
    CHECK(raw("snli-second", table) == "He has one\nWater falls!\n");
}

TEST_CASE("a line that cannot be converted is named by its number")
{
    CHECK_ERROR(base::Error, "line 2: byte 4", prepared("sts-input", "ok\tok\nbad\xFF\tok\n"));
    CHECK_THROWS_AS(prepared("magic", "x"), base::UsageError);
    CHECK_THROWS_AS(data::convert("ptb", {}, Wording::prepared), base::UsageError);
}

TEST_CASE("pairs of STS and SICK become rows as they were written, those without a gold left out")
{
    CHECK(data::convert(
              "sts-pairs",
              {"A dog.\tThe \"dog\"\nno gold\tnone\nc\td\r\n", "5.000\n\n0\n", "e\tf\n", "2.5\n"},
              data::Wording::prepared) ==
          "{\"sentence1\":\"A dog.\",\"sentence2\":\"The \\\"dog\\\"\",\"score\":5.0}\n"
          "{\"sentence1\":\"c\",\"sentence2\":\"d\",\"score\":0.0}\n"
          "{\"sentence1\":\"e\",\"sentence2\":\"f\",\"score\":2.5}\n");
    CHECK(data::convert("sick-pairs", {"id\ta\tb\tscore\tlabel\n1\tA.\tB\t3.5\tNEUTRAL\n"},
                        data::Wording::prepared) ==
          "{\"sentence1\":\"A.\",\"sentence2\":\"B\",\"score\":3.5}\n");
    CHECK_THROWS_AS((void)data::convert("sts-pairs", {"a\tb\n", "x\n"}, data::Wording::prepared),
                    base::Error);
}
