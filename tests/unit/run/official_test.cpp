#include "run/official.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("the rankings are those of 22 datasets, in order of their percentiles")
{
    std::set<std::string> names;
    for (const run::OfficialRanking& ranking : run::official_rankings()) {
        names.insert(ranking.task + " " + ranking.metric);
        CHECK(ranking.median < ranking.upper_quartile);
        CHECK(ranking.upper_quartile < ranking.best);
        CHECK(ranking.best < 1);
    }
    CHECK(names.size() == 22);
}

TEST_CASE("a result stands where its correlation puts it")
{
    const base::Json metrics = {{"MSRpar", {{"pearson", 0.734}}},
                                {"MSRvid", {{"pearson", 0.7549}}},
                                {"SMTeuroparl", {{"pearson", 0.46}}},
                                {"surprise.OnWN", {{"pearson", 0.8}}},
                                {"all", {{"pearson", 0.5}}}};
    const base::Json standing = run::standing_of("STS12", metrics);
    CHECK(standing.at("source") == "Wieting et al. 2016, table 2");
    CHECK(standing.at("MSRpar.pearson").at("place") ==
          "in the upper quarter"); // as good as the best
    CHECK(standing.at("MSRvid.pearson").at("place") == "below the median");
    CHECK(standing.at("SMTeuroparl.pearson").at("place") == "in the upper half");
    CHECK(standing.at("surprise.OnWN.pearson").at("place") == "above the best");
    CHECK(standing.at("surprise.OnWN.pearson").at("median").get<double>() ==
          doctest::Approx(0.608));
    CHECK(base::to_text(standing.at("MSRpar.pearson").at("best")) == "0.734");
    CHECK_FALSE(standing.contains("surprise.SMTnews.pearson"));
    CHECK(run::standing_of("MR", metrics).is_null());
}
