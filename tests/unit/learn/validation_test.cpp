#include "learn/validation.hpp"

#include "core/error.hpp"
#include "learn/folds.hpp"
#include "learn/rounding.hpp"
#include "vectors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace senteval;
using learn::Dataset;
using learn::Validation;
using learn::ValidationOptions;

namespace {

ValidationOptions quick(std::size_t classes)
{
    ValidationOptions options;
    options.classes = classes;
    options.kfold = 3;
    options.classifier.optim = "adam,lr=0.05";
    options.classifier.max_epoch = 12;
    return options;
}

double accuracy(const Validation& result, const std::vector<std::uint32_t>& labels)
{
    double correct = 0;
    for (const auto& prediction : result.predictions)
        correct += prediction.label == labels[prediction.item] ? 1 : 0;
    return correct / static_cast<double>(result.predictions.size());
}

} // namespace

TEST_CASE("nested cross-validation tests every item once")
{
    const auto problem = test::small_problem(120, 6, 2, 3);
    auto options = quick(2);
    std::size_t last = 0;
    std::size_t total = 0;
    options.progress = [&](std::size_t done, std::size_t all) {
        last = done;
        total = all;
    };
    const auto result = learn::inner_kfold({problem.x.features(), problem.y}, options);
    CHECK(last == 12); // nine inner folds, three refits
    CHECK(total == 12);
    CHECK(result.strengths == std::vector<double>{1e-5, 1e-4, 1e-3, 1e-2});
    REQUIRE(result.searches.size() == 3);
    std::vector<std::uint32_t> items;
    const auto folds = learn::stratified_folds(problem.y, 3, 1111);
    for (const auto& prediction : result.predictions) {
        items.push_back(prediction.item);
        const auto& test = folds[prediction.fold].test;
        CHECK(std::binary_search(test.begin(), test.end(), prediction.item));
    }
    CHECK(std::is_sorted(items.begin(), items.begin() + 40));
    std::sort(items.begin(), items.end());
    CHECK(items == test::first_numbers(120));

    std::vector<double> dev;
    std::vector<double> test;
    for (const auto& search : result.searches) {
        REQUIRE(search.dev.size() == 4);
        for (std::size_t s = 0; s < 4; ++s)
            CHECK(search.dev[s] == learn::round_numpy(100 * learn::mean_numpy(search.folds[s])));
        CHECK(search.dev[search.chosen] == *std::max_element(search.dev.begin(), search.dev.end()));
        CHECK(search.passes > 0);
        dev.push_back(search.dev[search.chosen]);
        test.push_back(search.test);
    }
    CHECK(result.devacc == learn::round_numpy(learn::mean_numpy(dev)));
    CHECK(result.acc == learn::round_numpy(learn::mean_numpy(test)));
    CHECK(std::fabs(result.acc - 100 * accuracy(result, problem.y)) < 0.02);
    CHECK(result.acc > 75);
}

TEST_CASE("the result does not depend on the number of threads")
{
    const auto problem = test::small_problem(90, 20, 3, 5);
    for (const char* classifier : {"softmax", "logreg-lbfgs"}) {
        auto options = quick(3);
        options.classifier.classifier = classifier;
        const auto one = learn::inner_kfold({problem.x.features(), problem.y}, options);
        options.threads = 3;
        const auto three = learn::inner_kfold({problem.x.features(), problem.y}, options);
        REQUIRE(one.predictions.size() == three.predictions.size());
        for (std::size_t i = 0; i < one.predictions.size(); ++i) {
            CHECK(one.predictions[i].item == three.predictions[i].item);
            CHECK(one.predictions[i].label == three.predictions[i].label);
            CHECK(one.predictions[i].confidence == three.predictions[i].confidence);
        }
        for (std::size_t f = 0; f < 3; ++f)
            CHECK(one.searches[f].folds == three.searches[f].folds);
    }
}

TEST_CASE("cross-validation with a test set chooses, refits and tests")
{
    const auto train = test::small_problem(120, 6, 3, 3);
    const auto held = test::small_problem(50, 6, 3, 77);
    const auto result =
        learn::kfold({train.x.features(), train.y}, {held.x.features(), held.y}, quick(3));
    REQUIRE(result.searches.size() == 1);
    CHECK(result.searches[0].folds[0].size() == 3);
    CHECK(result.devacc == result.searches[0].dev[result.searches[0].chosen]);
    CHECK(result.predictions.size() == 50);
    CHECK(result.acc == learn::round_python(100 * accuracy(result, held.y)));
    CHECK(result.acc > 50);
}

TEST_CASE("the split trains on train, chooses on dev and tests on test")
{
    const auto train = test::small_problem(120, 6, 2, 3);
    const auto dev = test::small_problem(40, 6, 2, 78);
    const auto held = test::small_problem(50, 6, 2, 77);
    const Dataset parts[]{
        {train.x.features(), train.y}, {dev.x.features(), dev.y}, {held.x.features(), held.y}};
    auto options = quick(2);
    const auto result = learn::split(parts[0], parts[1], parts[2], options);
    CHECK(result.devacc == result.searches[0].dev[result.searches[0].chosen]);
    CHECK(result.devacc ==
          learn::round_python(100 * result.searches[0].folds[result.searches[0].chosen][0]));
    CHECK(result.acc == learn::round_python(100 * accuracy(result, held.y)));

    options.regularised = false;
    CHECK(learn::split(parts[0], parts[1], parts[2], options).strengths ==
          std::vector<double>{1e-9});
    options.classifier.classifier = "logreg-lbfgs";
    CHECK(learn::split(parts[0], parts[1], parts[2], options).strengths ==
          std::vector<double>{1e9});
    options.regularised = true;
    const auto convex = learn::split(parts[0], parts[1], parts[2], options);
    CHECK(convex.strengths == std::vector<double>{0.25, 0.5, 1, 2, 4, 8});
    CHECK(convex.searches[0].unconverged == 0);
    CHECK(convex.acc > 80);
}

TEST_CASE("features that say nothing predict the same for all")
{
    const test::OwnColumns constant(arma::fmat(3, 60, arma::fill::zeros));
    std::vector<std::uint32_t> labels(60);
    for (std::uint32_t i = 0; i < 60; ++i)
        labels[i] = i % 3 == 0 ? 1 : 0;
    for (const char* classifier : {"softmax", "logreg-lbfgs"}) {
        auto options = quick(2);
        options.classifier.classifier = classifier;
        const auto result = learn::inner_kfold({constant.features(), labels}, options);
        for (const auto& prediction : result.predictions)
            CHECK(prediction.label == 0);
        CHECK(result.acc == doctest::Approx(66.67).epsilon(0.01));
    }
}

TEST_CASE("data that cannot be learned from is refused")
{
    auto problem = test::small_problem(60, 4, 2, 3);
    const Dataset good{problem.x.features(), problem.y};
    const auto options = quick(2);

    const std::vector<std::uint32_t> same(60, 1);
    CHECK_THROWS_WITH_AS(learn::inner_kfold({problem.x.features(), same}, options),
                         "all 60 training items are of class 1: there is nothing to learn",
                         core::Error);
    auto strange = problem.y;
    strange[7] = 2;
    CHECK_THROWS_WITH_AS(learn::kfold({problem.x.features(), strange}, good, options),
                         "item 7 of the training part has class 2, but there are 2 classes",
                         core::Error);
    CHECK_THROWS_AS(learn::split(good, good, {problem.x.features(), strange}, options),
                    core::Error);
    CHECK_THROWS_AS(
        learn::split(good, {problem.x.features(), std::span(strange).first(3)}, good, options),
        core::Error);
    CHECK_THROWS_AS(learn::split(good, {}, good, options), core::Error);
    const auto wide = test::small_problem(60, 5, 2, 3);
    CHECK_THROWS_AS(learn::kfold(good, {wide.x.features(), wide.y}, options), core::Error);
    problem.x.matrix(0, 5) = std::numeric_limits<float>::infinity();
    CHECK_THROWS_AS(learn::inner_kfold(good, options), core::Error);
}

TEST_CASE("a class with a single member is simply not learned where it is missing")
{
    auto problem = test::small_problem(90, 4, 2, 3);
    problem.y[11] = 2;
    for (const char* classifier : {"softmax", "logreg-lbfgs"}) {
        auto options = quick(3);
        options.classifier.classifier = classifier;
        const auto result = learn::inner_kfold({problem.x.features(), problem.y}, options);
        CHECK(result.predictions.size() == 90);
        CHECK(result.acc > 70);
    }
}

TEST_CASE("a stop ends a validation")
{
    const auto problem = test::small_problem(90, 4, 2, 3);
    std::stop_source source;
    auto options = quick(2);
    options.stop = source.get_token();
    options.progress = [&](std::size_t, std::size_t) { source.request_stop(); };
    CHECK_THROWS_AS(learn::inner_kfold({problem.x.features(), problem.y}, options),
                    core::Cancelled);
}
