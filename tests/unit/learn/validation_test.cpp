#include "learn/validation.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "learn/folds.hpp"
#include "learn/rounding.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using embedding::Normalisation;
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
    CHECK(last == 39); // nine inner folds of four strengths, three refits
    CHECK(total == 39);
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
    for (const char* classifier : {"softmax", "logreg-newton"}) {
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
    options.classifier.classifier = "logreg-newton";
    CHECK(learn::split(parts[0], parts[1], parts[2], options).strengths ==
          std::vector<double>{1e9});
    options.regularised = true;
    const auto convex = learn::split(parts[0], parts[1], parts[2], options);
    CHECK(convex.strengths == std::vector<double>{0.25, 0.5, 1, 2, 4, 8});
    CHECK(convex.searches[0].unconverged == 0);
    CHECK(convex.acc > 80);
}

TEST_CASE("several normalisations are searched together with the strengths")
{
    auto problem = test::small_problem(90, 6, 2, 3);
    problem.x.matrix.row(5) *= 300; // noise that drowns the rest until it is normalised
    const Dataset data{problem.x.features(), problem.y};
    auto options = quick(2);
    const auto none = learn::inner_kfold(data, options);
    options.normalisations = {Normalisation::z};
    const auto z = learn::inner_kfold(data, options);
    options.normalisations = {Normalisation::none, Normalisation::z};
    std::size_t fits = 0;
    options.progress = [&](std::size_t done, std::size_t) { fits = done; };
    const auto both = learn::inner_kfold(data, options);
    CHECK(fits == 75); // nine inner folds of four strengths twice, three refits
    CHECK(both.strengths == none.strengths);
    std::size_t chosen_z = 0;
    for (std::size_t o = 0; o < 3; ++o) {
        const auto& search = both.searches[o];
        REQUIRE(search.dev.size() == 8);
        for (std::size_t s = 0; s < 4; ++s) {
            CHECK(search.folds[s] == none.searches[o].folds[s]);
            CHECK(search.folds[4 + s] == z.searches[o].folds[s]);
        }
        CHECK(search.dev[search.chosen] == *std::max_element(search.dev.begin(), search.dev.end()));
        const bool is_z = both.normalisation(search.chosen) == 1;
        CHECK(search.test == (is_z ? z : none).searches[o].test);
        chosen_z += is_z ? 1 : 0;
    }
    CHECK(chosen_z > 0);
    CHECK(both.acc >= none.acc);

    options.threads = 4;
    options.progress = {};
    CHECK(learn::inner_kfold(data, options).acc == both.acc);
    options.normalisations.clear();
    CHECK_THROWS_AS(learn::inner_kfold(data, options), base::UsageError);
}

TEST_CASE("a normalisation is fitted on the training items of each fold alone")
{
    auto problem = test::small_problem(60, 4, 2, 3);
    for (std::uint32_t i = 0; i < 60; i += 7)
        problem.x.matrix.col(i) *= 40; // one item more or less shifts mean and deviation
    auto options = quick(2);
    embedding::Treatment treatment = Normalisation::z_l2;
    SUBCASE("a normalisation") {}
    SUBCASE("ranges of int8")
    {
        treatment = {Normalisation::none, embedding::Precision::int8};
    }
    options.normalisations = {treatment};
    const auto found = learn::inner_kfold({problem.x.features(), problem.y}, options);
    const auto select = [](const auto& from, const std::vector<std::uint32_t>& positions) {
        std::vector<std::uint32_t> selected;
        for (const std::uint32_t position : positions)
            selected.push_back(from[position]);
        return selected;
    };
    const auto classifier = learn::make_classifier(options.classifier);
    // Under a normalisation fitted by hand on the columns of `train`.
    const auto fit = [&](const std::vector<std::uint32_t>& train,
                         const std::vector<std::uint32_t>& held) {
        test::OwnColumns x(problem.x.matrix);
        const arma::fmat fitted_on = x.matrix.cols(arma::conv_to<arma::uvec>::from(train));
        embedding::Normaliser(treatment, fitted_on).apply(x.matrix);
        const learn::DesignMatrix matrix(x.features());
        return std::move(classifier
                             ->fit({{&matrix, problem.y, train},
                                    {&matrix, problem.y, held},
                                    2,
                                    std::span(found.strengths).first(1),
                                    options.seed,
                                    {}})
                             .front());
    };
    const auto outer = learn::stratified_folds(problem.y, 3, 1111);
    for (std::size_t o = 0; o < 3; ++o) {
        const auto inner = learn::stratified_folds(select(problem.y, outer[o].train), 3, 1111);
        for (std::size_t f = 0; f < 3; ++f)
            CHECK(fit(select(outer[o].train, inner[f].train), select(outer[o].train, inner[f].test))
                      .accuracy == found.searches[o].folds[0][f]);
    }
}

TEST_CASE("with a test set, a normalisation is fitted on the training part")
{
    const auto train = test::small_problem(80, 5, 2, 3);
    const auto dev = test::small_problem(40, 5, 2, 78);
    auto held = test::small_problem(50, 5, 2, 77);
    held.x.matrix *= 3; // its own deviation would undo this
    const auto by_hand = [&](const test::OwnColumns& part) {
        test::OwnColumns x(part.matrix);
        embedding::Normaliser(Normalisation::z, train.x.matrix).apply(x.matrix);
        return x;
    };
    const auto same = [](const Validation& a, const Validation& b) {
        return std::equal(a.predictions.begin(), a.predictions.end(), b.predictions.begin(),
                          b.predictions.end(), [](const auto& x, const auto& y) {
                              return x.label == y.label && x.confidence == y.confidence;
                          });
    };
    const auto train_z = by_hand(train.x);
    const auto dev_z = by_hand(dev.x);
    const auto held_z = by_hand(held.x);
    const auto plain = quick(2);
    auto options = plain;
    options.normalisations = {Normalisation::z};
    const auto split = learn::split({train.x.features(), train.y}, {dev.x.features(), dev.y},
                                    {held.x.features(), held.y}, options);
    CHECK(same(split, learn::split({train_z.features(), train.y}, {dev_z.features(), dev.y},
                                   {held_z.features(), held.y}, plain)));
    // The refit of the k-fold protocol sees all training items, whatever the strength.
    options.classifier.classifier = "logreg-newton";
    options.regularised = false;
    auto convex = options;
    convex.normalisations = plain.normalisations;
    CHECK(same(learn::kfold({train.x.features(), train.y}, {held.x.features(), held.y}, options),
               learn::kfold({train_z.features(), train.y}, {held_z.features(), held.y}, convex)));
    options.normalisations = {Normalisation::l2, Normalisation::z, Normalisation::none};
    const auto three = learn::split({train.x.features(), train.y}, {dev.x.features(), dev.y},
                                    {held.x.features(), held.y}, options);
    CHECK(three.searches[0].dev.size() == 3);
    CHECK(three.normalisation(three.searches[0].chosen) < 3);
    CHECK(three.strength(three.searches[0].chosen) == 0);
}

TEST_CASE(
    "of several hidden layers the dev score chooses, and the chosen one is as if it were alone")
{
    const auto train = test::small_problem(90, 6, 3, 3);
    const auto held = test::small_problem(50, 6, 3, 77);
    auto options = quick(3);
    options.classifier.classifier = "mlp";
    options.normalisations = {Normalisation::none, Normalisation::z};
    options.hidden = {{0, 0}, {2, 0}, {9, 0}, {9, 0.3}};
    const Dataset one{train.x.features(), train.y};
    const Dataset other{held.x.features(), held.y};
    const auto compare = [&](const auto& validate) {
        const learn::Validation several = validate(options);
        const learn::Search& search = several.searches[0];
        const std::size_t each = several.strengths.size() * options.normalisations.size();
        REQUIRE(search.dev.size() == 4 * each);
        for (std::size_t layer = 0; layer < 4; ++layer) {
            auto alone = options;
            alone.hidden.clear();
            alone.classifier.classifier = layer == 0 ? "softmax" : "mlp";
            alone.classifier.nhid = options.hidden[layer].units;
            alone.classifier.dropout = options.hidden[layer].dropout;
            const learn::Validation single = validate(alone);
            for (std::size_t i = 0; i < each; ++i)
                CHECK(search.dev[layer * each + i] == single.searches[0].dev[i]);
            if (layer == several.hidden(search.chosen))
                CHECK(search.test == single.searches[0].test);
        }
    };
    compare([&](const ValidationOptions& o) { return learn::split(one, other, other, o); });
    compare([&](const ValidationOptions& o) { return learn::kfold(one, other, o); });
    compare([&](const ValidationOptions& o) { return learn::inner_kfold(one, o); });
}

TEST_CASE("features that say nothing predict the same for all")
{
    const test::OwnColumns constant(arma::fmat(3, 60, arma::fill::zeros));
    std::vector<std::uint32_t> labels(60);
    for (std::uint32_t i = 0; i < 60; ++i)
        labels[i] = i % 3 == 0 ? 1 : 0;
    for (const char* classifier : {"softmax", "logreg-newton"}) {
        auto options = quick(2);
        options.classifier.classifier = classifier;
        const auto result = learn::inner_kfold({constant.features(), labels}, options);
        for (const auto& prediction : result.predictions)
            CHECK(prediction.label == 0);
        CHECK(result.acc == doctest::Approx(66.67).epsilon(0.01));
        CHECK(result.searches[0].chosen == 0); // of equals the first: the stronger penalty
    }
}

TEST_CASE("data that cannot be learned from is refused")
{
    auto problem = test::small_problem(60, 4, 2, 3);
    const Dataset good{problem.x.features(), problem.y};
    const auto options = quick(2);

    const std::vector<std::uint32_t> same(60, 1);
    CHECK_ERROR(base::Error, "60 training items are of class 1",
                learn::inner_kfold({problem.x.features(), same}, options));
    auto strange = problem.y;
    strange[7] = 2;
    CHECK_ERROR(base::Error, "item 7 of the training part has class 2",
                learn::kfold({problem.x.features(), strange}, good, options));
    CHECK_THROWS_AS(learn::split(good, good, {problem.x.features(), strange}, options),
                    base::Error);
    CHECK_THROWS_AS(
        learn::split(good, {problem.x.features(), std::span(strange).first(3)}, good, options),
        base::Error);
    CHECK_THROWS_AS(learn::split(good, {}, good, options), base::Error);
    const auto wide = test::small_problem(60, 5, 2, 3);
    CHECK_THROWS_AS(learn::kfold(good, {wide.x.features(), wide.y}, options), base::Error);
    problem.x.matrix(0, 5) = std::numeric_limits<float>::infinity();
    CHECK_THROWS_AS(learn::inner_kfold(good, options), base::Error);
}

TEST_CASE("a class with a single member is simply not learned where it is missing")
{
    auto problem = test::small_problem(90, 4, 2, 3);
    problem.y[11] = 2;
    for (const char* classifier : {"softmax", "logreg-newton"}) {
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
                    base::Cancelled);
}
