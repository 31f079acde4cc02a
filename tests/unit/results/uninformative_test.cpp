#include "results/uninformative.hpp"
#include "support/support.hpp"

using namespace senteval;
using results::why_uninformative;

namespace {

/// Each row: group, gold score, prediction.
results::Outcomes outcomes(std::initializer_list<std::array<double, 3>> rows)
{
    results::Outcomes all;
    all.kind = "score";
    all.groups = {"news", "forum"};
    for (const auto& [group, gold, prediction] : rows) {
        results::ItemOutcome row;
        row.item = static_cast<std::uint32_t>(all.rows.size());
        row.group = static_cast<std::uint32_t>(group);
        row.gold = gold;
        row.prediction = prediction;
        all.rows.push_back(row);
    }
    return all;
}

} // namespace

TEST_CASE("a result says something where vectors differ and the headline has a value")
{
    CHECK(why_uninformative(0, true, outcomes({{0, 1, 1}, {0, 1, 1}, {0, 2, 1}})).empty());
}

TEST_CASE("a correlation of two items is 1 or -1, whatever the encoder")
{
    CHECK(why_uninformative(0, true, outcomes({{0, 1, .5}, {0, 2, .7}})) ==
          "there are too few test items (2)");
}

TEST_CASE("vectors that are all equal say nothing, whatever the score")
{
    CHECK(why_uninformative(12, true, outcomes({{0, 1, 1}, {0, 2, 3}})) ==
          "its vectors of 12 sentences are all equal");
}

TEST_CASE("an undefined headline says nothing")
{
    CHECK(why_uninformative(0, false, outcomes({{0, 1, .5}, {0, 2, .5}, {0, 3, .5}})) ==
          "its headline metric is undefined");
}
