#include "learn/folds.hpp"

#include "base/error.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using Integers = std::vector<std::uint32_t>;

TEST_CASE("folds of twenty alternating labels are scikit-learn's")
{
    Integers labels(20);
    for (std::uint32_t i = 0; i < 20; ++i)
        labels[i] = i % 2;
    // StratifiedKFold(5, shuffle=True, random_state=1111)
    const auto folds = learn::stratified_folds(labels, 5, 1111);
    const std::vector<Integers> expected{
        {6, 7, 9, 14}, {2, 3, 10, 11}, {5, 12, 15, 16}, {1, 8, 17, 18}, {0, 4, 13, 19}};
    REQUIRE(folds.size() == 5);
    for (std::size_t f = 0; f < 5; ++f) {
        CHECK(folds[f].test == expected[f]);
        Integers all = folds[f].train;
        CHECK(std::is_sorted(all.begin(), all.end()));
        all.insert(all.end(), folds[f].test.begin(), folds[f].test.end());
        std::sort(all.begin(), all.end());
        CHECK(all == test::first_numbers(20));
    }
}

TEST_CASE("the recorded folds are reproduced")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["stratified_kfold"]) {
        const auto labels = entry["y"].get<Integers>();
        const auto folds = learn::stratified_folds(labels, entry["k"].get<std::size_t>(),
                                                   entry["random_state"].get<std::uint32_t>());
        for (std::size_t f = 0; f < folds.size(); ++f)
            CHECK(folds[f].test == entry["test_indices"][f].get<Integers>());
    }
}

TEST_CASE("a class with fewer members than folds is missing from some")
{
    const Integers labels{0, 0, 0, 0, 1, 0};
    const auto folds = learn::stratified_folds(labels, 3, 1);
    const auto with_class_one = std::count_if(folds.begin(), folds.end(), [](const auto& fold) {
        return std::find(fold.test.begin(), fold.test.end(), 4U) != fold.test.end();
    });
    CHECK(with_class_one == 1);
}

TEST_CASE("too few items for the folds are refused")
{
    const Integers labels{0, 1, 0, 1, 2, 2};
    CHECK_ERROR(base::Error, "3 items, so the 6 items cannot be divided into 3",
                learn::stratified_folds(labels, 3, 1));
    CHECK_THROWS_AS(learn::stratified_folds(Integers{}, 3, 1), base::Error);
    CHECK_THROWS_AS(learn::stratified_folds(labels, 1, 1), base::UsageError);
}
