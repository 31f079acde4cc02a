#include "annex/pair_file.hpp"

#include "base/error.hpp"
#include "support/support.hpp"

using namespace senteval;
using annex::PairFileCounts;
using annex::PairFormat;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Read {
    Pairs pairs;
    PairFileCounts counts;
};

Read read(const std::string& bytes, const std::string& options = "")
{
    const test::ScratchFolder scratch;
    const auto file = scratch.write("pairs, of,mine.txt", bytes);
    Read result;
    result.counts = annex::read_pairs(annex::parse_pair_source(file.string() + options),
                                      [&](std::string_view first, std::string_view second, double) {
                                          result.pairs.emplace_back(first, second);
                                      });
    return result;
}

} // namespace

TEST_CASE("two columns are a pair, whatever stands behind them")
{
    const Read plain = read("\xEF\xBB\xBF"
                            "a dog\tone dog\r\n\nthe cat\ta cat\t0.9\tmore");
    CHECK(plain.pairs == Pairs{{"a dog", "one dog"}, {"the cat", "a cat"}});
    CHECK(plain.counts.bad == 0);
    CHECK(plain.counts.lines == 3);
}

TEST_CASE("of judged pairs every one needs a score, and layouts without scores are refused")
{
    const test::ScratchFolder scratch;
    std::vector<double> scores;
    const auto keep = [&](std::string_view, std::string_view, double score) {
        scores.push_back(score);
    };
    const auto judged = scratch.write("judged.tsv", "a\tb\t4\t1.5\nc\td\t2\ne\tf\tmany\t3\n");
    CHECK(annex::read_pairs(annex::parse_pair_source(judged.string(), true), keep).bad == 1);
    CHECK(scores == std::vector<double>{4, 2});
    scores.clear();
    const auto counts =
        annex::read_pairs(annex::parse_pair_source(judged.string() + ",score=4", true), keep);
    CHECK(counts.bad == 1);
    CHECK(scores == std::vector<double>{1.5, 3});
    const auto lexicon = scratch.write("lexicon.txt", "cat feline\n");
    CHECK_THROWS_WITH_AS(annex::read_pairs(annex::parse_pair_source(lexicon.string(), true), keep),
                         doctest::Contains("has no scores"), base::Error);
}

TEST_CASE("pairs below the threshold are left out, bad lines are counted and named")
{
    const Read scored =
        read("a\tb\t0.9\nc\td\t0.59\ne\tf\t0.6\ng\nh\t \t1\ni\tj\tx\nk\tl\nm\t\xFF\t1\n",
             ",threshold=0.6");
    CHECK(scored.pairs == Pairs{{"a", "b"}, {"e", "f"}});
    CHECK(scored.counts.below == 1);
    CHECK(scored.counts.bad == 5);
    REQUIRE(scored.counts.bad_lines.size() == 5);
    CHECK(test::contains(scored.counts.bad_lines[0], "mine.txt:4: has 1 columns"));
    CHECK(test::contains(scored.counts.bad_lines[1], "mine.txt:5: has an empty phrase"));
    CHECK(test::contains(scored.counts.bad_lines[2],
                         "mine.txt:6: has 'x' where its score should be"));
    CHECK(test::contains(scored.counts.bad_lines[3], "mine.txt:7: has 2 columns; 3 are needed"));
    CHECK(test::contains(scored.counts.bad_lines[4], "mine.txt:8: is no UTF-8"));
    CHECK(read("a\tb\t7\t0.5\nc\td\t0\t0.9\n", ",score=4,threshold=0.6").pairs ==
          Pairs{{"c", "d"}});
}

TEST_CASE("the Paraphrase Database is read as it comes")
{
    const std::string bytes =
        "[NP] ||| the dog ||| a dog ||| PPDB2.0Score=3.1 p(e|f)=2 ||| 0-0 ||| Equivalence\n"
        "[NP] ||| the cat ||| a cat ||| PPDB2.0Score=1.5 p(e|f)=4 ||| 0-0 ||| Independent\n";
    CHECK(read(bytes).pairs == Pairs{{"the dog", "a dog"}, {"the cat", "a cat"}});
    CHECK(read(bytes, ",threshold=3").pairs == Pairs{{"the dog", "a dog"}});
    CHECK(read(bytes, ",score=p(e|f),threshold=3").pairs == Pairs{{"the cat", "a cat"}});
}

TEST_CASE(
    "captions of one key are pairs, wherever they stand, and a lexicon's word is one with each")
{
    CHECK(read("1.jpg#0\tx\n2.jpg#0\tp\n1.jpg#1\ty\n1.jpg#2\tz\n2.jpg#1\tq\n").pairs ==
          Pairs{{"y", "x"}, {"z", "x"}, {"z", "y"}, {"q", "p"}});
    CHECK(read("k\tx\nk\ty\n", ",format=captions").pairs == Pairs{{"y", "x"}});
    const Read lexicon = read("big large huge\nsmall tiny\nalone\n");
    CHECK(lexicon.pairs == Pairs{{"big", "large"}, {"big", "huge"}, {"small", "tiny"}});
    CHECK(lexicon.counts.bad == 1);
}

TEST_CASE("gzipped files are read, and cut ones refused")
{
    const test::ScratchFolder scratch;
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += "left" + std::to_string(i * 7919) + "\tright" + std::to_string(i) + "\n";
    const auto file = scratch.write("pairs.tsv", text);
    REQUIRE(test::shell("gzip " + test::quoted(file)).exit_code == 0);
    const auto packed = scratch / "pairs.tsv.gz";
    std::size_t pairs = 0;
    const auto count = [&](std::string_view, std::string_view, double) { ++pairs; };
    CHECK(annex::read_pairs({packed}, count).pairs == 20000);
    CHECK(pairs == 20000);
    REQUIRE(test::shell("truncate -s -2000 " + test::quoted(packed)).exit_code == 0);
    CHECK_THROWS_WITH_AS(annex::read_pairs({packed}, count), doctest::Contains("pairs.tsv.gz"),
                         base::Error);
}

TEST_CASE("what cannot be is refused, with what to do")
{
    CHECK_THROWS_WITH_AS(annex::parse_pair_source("f,format=tvs"),
                         doctest::Contains("Did you mean 'tsv'?"), base::UsageError);
    CHECK_THROWS_WITH_AS(annex::parse_pair_source("f,threshold=many"),
                         doctest::Contains("is no number"), base::UsageError);
    CHECK_THROWS_WITH_AS(annex::parse_pair_source("f,format=captions,threshold=1"),
                         doctest::Contains("has no scores"), base::UsageError);
    CHECK_THROWS_WITH_AS(read("1.jpg#0\tx\n1.jpg#1\ty\n", ",threshold=0.5"),
                         doctest::Contains("captions, has no scores"), base::UsageError);
    CHECK(annex::parse_pair_source("a,b.txt").file == "a,b.txt");
    CHECK_THROWS_WITH_AS(read("alone\n"), doctest::Contains("has no pair; "), base::Error);
    CHECK_THROWS_WITH_AS(read(""), doctest::Contains("has no pair"), base::Error);
    const test::ScratchFolder scratch;
    CHECK_THROWS_WITH_AS(annex::read_pairs({scratch / "none"}, [](auto, auto, double) {}),
                         doctest::Contains("No such file"), base::Error);
    CHECK_THROWS_WITH_AS(annex::read_pairs({scratch.path()}, [](auto, auto, double) {}),
                         doctest::Contains("it is a folder"), base::Error);
}
