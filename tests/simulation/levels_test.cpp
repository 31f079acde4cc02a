// The short form of the simulations: enough draws to see a test that lost its level.
#include "few_pairs.hpp"
#include "few_seeds.hpp"
#include "nulls.hpp"
#include "several_seeds.hpp"
#include "training_sets.hpp"

#include <doctest/doctest.h>

using namespace senteval;

TEST_CASE("one of several equal encoders is seldom called worse, and a worse one is found")
{
    const auto null = test::family(8, 0, 100, 3, 300);
    CHECK(null.false_verdicts < 0.10); // 5 %, and three standard errors of 300 draws
    const auto shifted = test::family(8, 3.0, 100, 3, 300);
    CHECK(shifted.found > 0.5); // where it is neither nearly never nor nearly always found
    CHECK(shifted.found < 0.99);
    CHECK(shifted.found > shifted.found_by_holm - 0.05);
}

TEST_CASE("rows of few seeds are seldom told from each other, however little others vary")
{
    const test::Rows quiet{8, 20, 1};
    for (const std::size_t seeds : {2, 3, 5}) {
        CAPTURE(seeds);
        const double share = test::few_seeds_rejections({4, seeds, 9}, quiet, 300);
        CHECK(share < 0.09); // of variances that the rows lend each other 75, 76 and 12 %
    }
    CHECK(test::few_seeds_rejections({8, 5, 1}, {}, 300) > 0.015);
}

TEST_CASE("equally good encoders of several seeds are seldom told apart where few items make the "
          "difference")
{
    for (const std::size_t seeds : {3, 10}) {
        CAPTURE(seeds);
        CHECK(test::long_tailed_rejections(40, seeds, 0, 400) <
              0.08); // 9 and 20 % without the items
        CHECK(test::few_errors_rejections(150, seeds, 0.98, 400) < 0.08);
    }
    CHECK(test::long_tailed_rejections(1000, 10, 0.07, 300) <
          0.09); // 14 % by all that lies along it
    CHECK(test::long_tailed_rejections(40, 3, 0.2, 600) <
          0.075); // 9 %, did so few seeds count as luck what is 50 times as much
    CHECK(test::few_errors_rejections(400, 10, 0.9, 400) > 0.02);
}

TEST_CASE("one of twenty equal encoders is seldom called worse by few pairs")
{
    CHECK(test::few_pairs_rejections(20, 15, "pearson", 0, 150) < 0.09); // 12 % by normal draws
    CHECK(test::few_pairs_rejections(2, 15, "pearson", 0, 600) > 0.025);
}

TEST_CASE("equally good encoders are told apart by one small training set, and not by its halves")
{
    CHECK(test::training_rejections(100, 0, 200) > 0.15);
    CHECK(test::training_rejections(100, 20, 200) < 0.10);
}

TEST_CASE("one seed of an encoder that was not measured is seldom told from another of its seeds")
{
    for (const double freedom : {1.0, 3.0, 12.0}) {
        CAPTURE(freedom);
        const double share = test::unseen_rejections(8, freedom, 2000);
        CHECK(share <
              0.085); // over encoders; 5.6 to 6.5 of more draws, their spread being estimated too
        CHECK(share > 0.025);
    }
}

TEST_CASE("what is printed as detectable is found in four of five cases")
{
    const double power = test::power_at_detectable(100, 4, 0.01, 500);
    CHECK(power > 0.74);
    CHECK(power < 0.86);
}
