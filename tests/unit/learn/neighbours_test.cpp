#include "learn/neighbours.hpp"

#include "learn/classifier.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::DesignMatrix;

namespace {

using Items = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("the nearest training items are those of a full sort, the earlier of equals")
{
    // Points of a coarse grid: many are equally far.
    test::Lcg random(11);
    arma::fmat values(3, 300);
    values.imbue([&] { return static_cast<float>(static_cast<int>(random.next() * 3)); });
    const test::OwnColumns x(values);
    const DesignMatrix matrix(x.features());
    Items train(120);
    Items asked(180);
    for (std::uint32_t i = 0; i < 120; ++i)
        train[i] = 119 - i;
    for (std::uint32_t i = 0; i < 180; ++i)
        asked[i] = 120 + i;
    const Items found = learn::nearest_neighbours(matrix, train, asked, 5);
    REQUIRE(found.size() == 900);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        Items order = test::first_numbers(train.size());
        const auto distance = [&](std::uint32_t t) {
            return arma::accu(arma::square(values.col(train[t]) - values.col(asked[i])));
        };
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return distance(a) < distance(b);
        });
        CHECK(Items(found.begin() + static_cast<std::ptrdiff_t>(5 * i),
                    found.begin() + static_cast<std::ptrdiff_t>(5 * i + 5)) ==
              Items(order.begin(), order.begin() + 5));
    }
}

TEST_CASE("more than half of the neighbours decide on each label")
{
    // Labels a, b of the training items 0 ... 3.
    const std::vector<std::uint8_t> has{1, 0, 1, 1, 0, 1, 0, 1};
    const Items neighbours{0, 1, 2, 1, 2, 3};
    CHECK(learn::majority_votes(neighbours, 3, has, 2) == std::vector<std::uint8_t>{1, 1, 0, 1});
    const Items even{0, 2};
    CHECK(learn::majority_votes(even, 2, has, 2) == std::vector<std::uint8_t>{0, 0});
}

TEST_CASE("fewer training items than neighbours")
{
    const test::OwnColumns x(test::mteb_rows(6, 3, 2));
    const DesignMatrix matrix(x.features());
    CHECK_THROWS_AS(learn::nearest_neighbours(matrix, Items{0, 1, 2, 3}, Items{5}, 5),
                    learn::TooFewItems);
    CHECK(learn::nearest_neighbours(matrix, Items{0, 5, 2}, Items{5}, 1) == Items{1});
}
