#include "bag_of_words.hpp"

#include "learn/relatedness.hpp"
#include "learn/validation.hpp"

#include <doctest/doctest.h>

using namespace senteval;

namespace {

std::vector<learn::Label> labels_of(const test::Part& part)
{
    return {part.label.begin(), part.label.end()};
}

/// The configurations of bow.py and of the README.
learn::ValidationOptions prototype(std::size_t classes)
{
    learn::ValidationOptions options;
    options.classifier.optim = "rmsprop";
    options.classifier.batch_size = 128;
    options.classifier.tenacity = 3;
    options.classifier.epoch_size = 2;
    options.kfold = 5;
    options.classes = classes;
    options.threads = 2;
    return options;
}

learn::ValidationOptions default_configuration(std::size_t classes)
{
    learn::ValidationOptions options;
    options.classes = classes;
    options.threads = 2;
    return options;
}

} // namespace

TEST_CASE("CR gives the original's scores")
{
    const auto parts = test::read_cr();
    const auto embedded = parts ? test::embed((*parts)[0].first) : std::nullopt;
    if (!embedded)
        return;
    const test::OwnColumns x(*embedded);
    const auto y = labels_of((*parts)[0]);
    REQUIRE(y.size() == 3775);
    SUBCASE("prototype")
    {
        const auto result = learn::inner_kfold({x.features(), y}, prototype(2));
        CHECK(result.devacc == doctest::Approx(73.87).epsilon(0.0005));
        CHECK(result.acc == doctest::Approx(73.64).epsilon(0.0005));
    }
    SUBCASE("default")
    {
        const auto result = learn::inner_kfold({x.features(), y}, default_configuration(2));
        CHECK(result.devacc == doctest::Approx(74.0).epsilon(0.0005));
        CHECK(result.acc == doctest::Approx(72.45).epsilon(0.0005));
    }
}

TEST_CASE("TREC gives the original's scores")
{
    const auto parts = test::read_trec();
    const auto train = parts ? test::embed((*parts)[0].first) : std::nullopt;
    if (!train)
        return;
    const test::OwnColumns x(*train);
    const test::OwnColumns x_test(*test::embed((*parts)[1].first));
    const auto y = labels_of((*parts)[0]);
    const auto y_test = labels_of((*parts)[1]);
    REQUIRE(y.size() == 5452);
    SUBCASE("prototype")
    {
        const auto result =
            learn::kfold({x.features(), y}, {x_test.features(), y_test}, prototype(6));
        CHECK(result.devacc == doctest::Approx(58.36).epsilon(0.0005));
        CHECK(result.acc == doctest::Approx(64.8).epsilon(0.001));
    }
    SUBCASE("default")
    {
        const auto result =
            learn::kfold({x.features(), y}, {x_test.features(), y_test}, default_configuration(6));
        CHECK(result.devacc == doctest::Approx(60.73).epsilon(0.0005));
        CHECK(result.acc == doctest::Approx(64.8).epsilon(0.001));
    }
}

/// Embedded pairs.
struct Pairs {
    explicit Pairs(const test::Part& part)
        : first(*test::embed(part.first)), second(*test::embed(part.second))
    {
    }

    [[nodiscard]] learn::Features features() const
    {
        return learn::Features::pair(first.columns(), second.columns(),
                                     learn::PairForm::difference_product);
    }

    test::OwnColumns first;
    test::OwnColumns second;
};

TEST_CASE("SICK entailment gives the original's scores")
{
    const auto parts = test::read_sick(false);
    if (!parts || !test::embed({}))
        return;
    const std::vector<Pairs> pairs(parts->begin(), parts->end());
    std::vector<std::vector<learn::Label>> y;
    for (const auto& part : *parts)
        y.push_back(labels_of(part));
    const auto data = [&](std::size_t part) {
        return learn::Dataset{pairs[part].features(), y[part]};
    };
    const auto result = learn::split(data(0), data(1), data(2), default_configuration(3));
    CHECK(result.devacc == doctest::Approx(78.2).epsilon(0.0005));
    CHECK(result.acc == doctest::Approx(75.6).epsilon(0.0005));
}

TEST_CASE("SICK relatedness gives the original's scores")
{
    const auto parts = test::read_sick(true);
    if (!parts || !test::embed({}))
        return;
    const std::vector<Pairs> pairs(parts->begin(), parts->end());
    const auto data = [&](std::size_t part) {
        return learn::ScoredDataset{pairs[part].features(), (*parts)[part].label};
    };
    const auto result = learn::relatedness(data(0), data(1), data(2), {});
    CHECK(result.devpearson == doctest::Approx(0.7488112).epsilon(1e-4));
    CHECK(result.pearson == doctest::Approx(0.7480919).epsilon(1e-4));
    CHECK(result.spearman == doctest::Approx(0.6437978).epsilon(1e-4));
    CHECK(result.mse == doctest::Approx(0.4512977).epsilon(1e-3));
}
