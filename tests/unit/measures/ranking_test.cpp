#include "base/error.hpp"
#include "measures/ranking.hpp"
#include "support/support.hpp"

using namespace senteval;
using doctest::Approx;

namespace {

struct Retrieved {
    std::string id;
    float score = 0;
};

/// Best first, equal ones by the bytes of their ids, both descending: trec_eval's order.
void rank(std::vector<Retrieved>& documents)
{
    std::ranges::sort(documents, [](const Retrieved& a, const Retrieved& b) {
        return a.score != b.score ? a.score > b.score : a.id > b.id;
    });
}

std::vector<std::string> ranked_ids(std::vector<Retrieved> documents)
{
    rank(documents);
    std::vector<std::string> ids;
    for (const Retrieved& one : documents)
        ids.emplace_back(one.id);
    return ids;
}

using Ids = std::vector<std::string>;
using Grades = std::vector<int>;

/// trec_eval's measures from their definitions: by ids, with a walk over every prefix.
measures::RankingMeasures
defined(const Ids& ranked, const std::map<std::string, int>& judged, std::size_t k)
{
    const auto grade = [&](std::size_t rank) {
        const auto at = judged.find(ranked[rank]);
        return at == judged.end() ? 0 : std::max(at->second, 0);
    };
    const auto hits = [&](std::size_t length) {
        double count = 0;
        for (std::size_t i = 0; i < std::min(length, ranked.size()); ++i)
            count += grade(i) > 0 ? 1 : 0;
        return count;
    };
    std::multimap<int, std::string> best;
    double relevant = 0;
    for (const auto& [id, value] : judged) {
        best.emplace(-std::max(value, 0), id);
        relevant += value > 0 ? 1 : 0;
    }
    measures::RankingMeasures result;
    if (relevant == 0)
        return result;
    double ideal = 0;
    std::size_t place = 0;
    for (const auto& [negated, id] : best)
        if (++place <= k)
            ideal -= negated * std::log(2.0) / std::log(static_cast<double>(place) + 1);
    for (std::size_t i = 0; i < std::min(k, ranked.size()); ++i) {
        const auto rank = static_cast<double>(i) + 1;
        result.ndcg += grade(i) * std::log(2.0) / std::log(rank + 1) / ideal;
        result.map += grade(i) > 0 ? hits(i + 1) / rank / relevant : 0;
        result.mrr = std::max(result.mrr, grade(i) > 0 ? 1 / rank : 0);
    }
    result.recall = hits(k) / relevant;
    result.precision = hits(k) / static_cast<double>(k);
    result.hit_rate = std::min(hits(k), 1.0);
    return result;
}

/// nDCG, average precision, recall, precision, hit rate, reciprocal rank.
std::array<double, 6> values_of(const measures::RankingMeasures& m)
{
    return {m.ndcg, m.map, m.recall, m.precision, m.hit_rate, m.mrr};
}

} // namespace

TEST_CASE("the measures of one query")
{
    // Found: an unjudged one, grades 1, unjudged, 3; judged: 3, 1, 0, 2, of which 2 is not found.
    const Grades ranked = {0, 1, -1, 3};
    const Grades judged = {3, 1, 0, 2};
    const auto three = measures::ranking_measures(ranked, judged, 3);
    const double ideal = 3 + 2 / std::log2(3.0) + 1 / 2.0;
    CHECK(three.ndcg == Approx(1 / std::log2(3.0) / ideal).epsilon(1e-14));
    CHECK(three.map == Approx(0.5 / 3));
    CHECK(three.mrr == 0.5);
    CHECK(three.recall == Approx(1.0 / 3));
    CHECK(three.precision == Approx(1.0 / 3));
    CHECK(three.hit_rate == 1);
    const auto ten = measures::ranking_measures(ranked, judged, 10);
    CHECK(ten.ndcg == Approx((1 / std::log2(3.0) + 3 / std::log2(5.0)) / ideal).epsilon(1e-14));
    CHECK(ten.map == Approx((0.5 + 0.5) / 3));
    CHECK(ten.precision == 0.2); // over k, though four were found
    CHECK(measures::ranking_measures(ranked, judged, 1).hit_rate == 0);
}

TEST_CASE("a query without relevant documents, or without results, has 0")
{
    for (const auto& m : {measures::ranking_measures(Grades{0, 0}, Grades{0, -1}, 5),
                          measures::ranking_measures(Grades{}, Grades{1}, 5)}) {
        CHECK(values_of(m) == std::array<double, 6>{});
    }
    CHECK_THROWS_AS(measures::ranking_measures(Grades{1}, Grades{1}, 0), base::Error);
}

TEST_CASE("shares of the queries put aside are rounded as MTEB rounds them: 0.3 of 35 are 11")
{
    std::vector<double> confidence, values;
    for (int i = 0; i < 35; ++i) {
        confidence.push_back(i * 8 % 35);
        values.push_back(i % 5 / 4.0);
    }
    CHECK(measures::abstention_gain(confidence, values) ==
          doctest::Approx(0.07148786635060876).epsilon(1e-12));
}

TEST_CASE("queries of equal confidence count with their mean, by MTEB's own figures")
{
    using List = std::vector<double>;
    const List tied = {0, 0, .79, .42};
    CHECK(measures::abstention_gain(tied, List{1, 0, 1, 0}) == Approx(0.40540540540540526));
    CHECK(measures::abstention_gain(tied, List{0, 1, 1, 0}) == Approx(0.40540540540540526));
    CHECK(measures::abstention_gain(tied, List{1, 0, 1, 1}) == Approx(0.8222222222222222));
    CHECK(measures::abstention_gain(List{.99, .87, .81, .74}, List{1, 0, 1, 0}) ==
          Approx(0.5135135135135134));
    const double nan = std::nan("");
    CHECK(measures::abstention_gain(List{nan, nan}, List{1, 1}) !=
          measures::abstention_gain(List{nan, nan}, List{1, 1})); // and it ends
}

TEST_CASE("rankings by MTEB's own figures")
{
    struct Query {
        Ids ids;
        std::vector<float> scores;
        std::map<std::string, int> judged;
    };
    const std::vector<Query> queries = {
        {{"d1", "d2", "d3", "d4", "d5", "a"},
         {.5F, .5F, .9F, .5F, .1F, .95F},
         {{"d1", 3}, {"d2", 1}, {"d5", 0}, {"d9", 2}}},
        {{"d1", "d2", "d3", "d10"}, {.2F, .2F, .2F, .2F}, {{"d3", 1}}},
        {{"d1", "d2"}, {.4F, .3F}, {{"d1", 0}}}};
    struct Means {
        std::size_t k;
        std::array<double, 6> values; ///< rounded to five digits, but for the last
    };
    for (const Means& expected : {Means{1, {.33333, .33333, .33333, .33333, .33333, 1.0 / 3}},
                                  Means{3, {.33333, .33333, .33333, .11111, .33333, 1.0 / 3}},
                                  Means{5, {.44472, .40556, .55556, .2, .66667, 1.25 / 3}}}) {
        std::array<double, 6> sum{};
        for (const Query& query : queries) {
            std::vector<Retrieved> found;
            for (std::size_t i = 0; i < query.ids.size(); ++i)
                found.push_back({query.ids[i], query.scores[i]});
            rank(found);
            Grades ranked;
            Grades judged;
            for (const Retrieved& one : found) {
                const auto at = query.judged.find(one.id);
                ranked.push_back(at == query.judged.end() ? 0 : at->second);
            }
            for (const auto& [id, grade] : query.judged)
                judged.push_back(grade);
            const auto m = measures::ranking_measures(ranked, judged, expected.k);
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += values_of(m)[i] / 3;
        }
        for (std::size_t i = 0; i < 5; ++i)
            CHECK(std::abs(sum[i] - expected.values[i]) <= 5.001e-6);
        CHECK(sum[5] == Approx(expected.values[5]).epsilon(1e-14));
    }
}

TEST_CASE("random rankings with ties have the measures of their definitions")
{
    std::mt19937 draw(7);
    for (int round = 0; round < 300; ++round) {
        Ids ids;
        for (std::size_t i = 0; i < 1 + draw() % 30; ++i)
            ids.push_back(std::to_string(draw() % 1000));
        std::ranges::sort(ids);
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        std::map<std::string, int> judged{{"never found", 1 + static_cast<int>(draw() % 2)}};
        std::vector<Retrieved> found;
        for (const std::string& id : ids) {
            if (draw() % 3 == 0)
                judged[id] = static_cast<int>(draw() % 5) - 1;
            if (draw() % 4 != 0)
                found.push_back({id, static_cast<float>(draw() % 4)});
        }
        Grades all;
        for (const auto& [id, grade] : judged)
            all.push_back(grade);
        const Ids order = ranked_ids(found);
        rank(found);
        Grades ranked;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto at = judged.find(order[i]);
            ranked.push_back(at == judged.end() ? 0 : at->second);
            if (i > 0) { // the order itself
                const bool tie = found[i - 1].score == found[i].score;
                CHECK((tie ? order[i - 1] > order[i] : found[i - 1].score > found[i].score));
            }
        }
        for (const std::size_t k : {1, 3, 10, 100}) {
            const auto ours = measures::ranking_measures(ranked, all, k);
            const auto theirs = defined(order, judged, k);
            CHECK(ours.ndcg == Approx(theirs.ndcg).epsilon(1e-12));
            CHECK(ours.map == Approx(theirs.map).epsilon(1e-12));
            for (const std::size_t i : {2U, 3U, 4U, 5U})
                CHECK(values_of(ours)[i] == values_of(theirs)[i]);
        }
    }
}
