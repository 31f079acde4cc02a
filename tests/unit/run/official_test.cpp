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
    const auto standing = run::standing_of("STS12", metrics);
    REQUIRE(standing);
    CHECK(standing->source == "Wieting et al. 2016, table 2");
    const std::map<std::string, results::Place> places(standing->places.begin(),
                                                       standing->places.end());
    CHECK(places.at("MSRpar.pearson").place == "in the upper quarter"); // as good as the best
    CHECK(places.at("MSRvid.pearson").place == "below the median");
    CHECK(places.at("SMTeuroparl.pearson").place == "in the upper half");
    CHECK(places.at("surprise.OnWN.pearson").place == "above the best");
    CHECK(places.at("surprise.OnWN.pearson").median == doctest::Approx(0.608));
    CHECK(base::to_text(base::Json(places.at("MSRpar.pearson").best)) == "0.734");
    CHECK_FALSE(places.contains("surprise.SMTnews.pearson"));
    CHECK(!run::standing_of("MR", metrics));
}
