#include "base/error.hpp"
#include "measures/labels.hpp"
#include "support/support.hpp"

using namespace senteval;
using doctest::Approx;
using measures::Column;

namespace {

double mean(const Column& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

TEST_CASE("sets of labels by scikit-learn's figures")
{
    const Column gold = {1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1};
    const Column said = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1};
    CHECK(measures::exact_matches(gold, said, 3) == Column{0, 1, 1, 0});
    CHECK(mean(measures::label_ranking(gold, said, 3)) ==
          Approx(0.9583333333333333).epsilon(1e-14));
    const auto f1 = measures::multilabel_f1(gold, said, 3);
    CHECK(f1.value == Approx(0.7777777777777777).epsilon(1e-14));
    CHECK(measures::label_overlaps(gold, said, 3) == Column{.5, 1, 1, 2.0 / 3});
}

TEST_CASE("label ranking of scores, with ties")
{
    // Gold labels have ranks 1 and 3 (a tie counts against both): (1/1 + 2/3) / 2.
    CHECK(measures::label_ranking(Column{1, 0, 1, 0}, Column{.9, .4, .4, .1}, 4)[0] ==
          Approx((1 + 2.0 / 3) / 2));
    CHECK(measures::label_ranking(Column{0, 1}, Column{.9, .1}, 2)[0] == 0.5);
    CHECK(measures::label_ranking(Column{0, 0, 1, 1}, Column{1, 2, 1, 2}, 2) == Column{1, 1});
}

TEST_CASE("matrices that do not fit are refused")
{
    CHECK_THROWS_AS(measures::exact_matches(Column{1, 0}, Column{1}, 1), base::Error);
    CHECK_THROWS_AS(measures::label_ranking(Column{1, 0, 1}, Column{1, 0, 1}, 2), base::Error);
    CHECK_THROWS_AS(measures::multilabel_f1(Column{}, Column{}, 2), base::Error);
    CHECK_THROWS_AS(measures::multilabel_f1(Column{1}, Column{1}, 0), base::Error);
    CHECK_THROWS_AS(measures::bitext_measures(std::vector<std::uint32_t>{0, 2}), base::Error);
}

TEST_CASE("a row more moves the mean F1 of labels by its influence")
{
    constexpr std::size_t labels = 4;
    constexpr std::size_t rows = 400;
    std::mt19937 draw(11);
    Column gold;
    Column said;
    for (std::size_t i = 0; i < rows * labels; ++i) {
        gold.push_back(draw() % 3 == 0 ? 1 : 0);
        said.push_back(draw() % 4 == 0 ? 1 - gold.back() : gold.back());
    }
    const auto f1 = measures::multilabel_f1(gold, said, labels);
    CHECK(std::abs(mean(f1.influence)) < 1e-15);
    for (std::size_t row = 0; row < rows; row += 37) {
        Column more_gold = gold;
        Column more_said = said;
        for (std::size_t label = 0; label < labels; ++label) {
            more_gold.push_back(gold[row * labels + label]);
            more_said.push_back(said[row * labels + label]);
        }
        const double change =
            measures::multilabel_f1(more_gold, more_said, labels).value - f1.value;
        CHECK(change == Approx(f1.influence[row]).epsilon(0.02));
    }
}

TEST_CASE("a translation that many rows find has a lower F1")
{
    const std::vector<std::uint32_t> found = {0, 0, 2, 2, 2, 5};
    const auto m = measures::bitext_measures(found);
    CHECK(m.accuracy == Column{1, 0, 1, 0, 0, 1});
    CHECK(m.f1 == Column{2.0 / 3, 0, .5, 0, 0, 1});
    CHECK(mean(m.accuracy) == 0.5);
    CHECK(mean(m.precision) == Approx(0.3055555555555555).epsilon(1e-14));
    CHECK(mean(m.f1) == Approx(0.3611111111111111).epsilon(1e-14));
    const auto zeros = measures::bitext_measures(std::vector<std::uint32_t>(9, 0));
    CHECK(mean(zeros.f1) == Approx(2.0 / 90).epsilon(1e-14));
}
