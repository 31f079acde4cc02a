#include "base/error.hpp"
#include "run/config.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE(
    "a run without choices has the defaults; else every classifier is combined with every seed")
{
    const auto defaults = run::variants(run::Config());
    REQUIRE(defaults.size() == 1);
    CHECK(defaults[0].seed == 1111);
    CHECK(defaults[0].classifier.classifier == "softmax");
    CHECK(defaults[0].classifier.nhid == 0);
    run::Config config;
    config.seeds = {1, 2};
    config.classifiers = {"mlp", "logreg-newton"};
    const auto variants = run::variants(config);
    REQUIRE(variants.size() == 4);
    CHECK(variants[0].classifier.classifier == "mlp");
    CHECK(variants[0].classifier.nhid == 50);
    CHECK(variants[1].seed == 2);
    CHECK(variants[3].classifier.classifier == "logreg-newton");
    CHECK(variants[3].classifier.nhid == 0);
}

TEST_CASE("hidden units alone ask for the MLP")
{
    run::Config config;
    config.settings.classifier.nhid = 20;
    const auto variants = run::variants(config);
    CHECK(variants[0].classifier.classifier == "mlp");
    CHECK(variants[0].classifier.nhid == 20);
    CHECK(variants[0].names_classifier);
    CHECK_FALSE(run::variants({})[0].names_classifier);
    config.classifiers = {"softmax"};
    CHECK(run::variants(config)[0].classifier.nhid == 0);
    CHECK(run::variants(config)[0].names_classifier);
}

TEST_CASE("each normalisation is a variant, and all of them are known to each")
{
    using embedding::Normalisation;
    run::Config config;
    config.seeds = {1, 2};
    config.normalisations = {Normalisation::none, Normalisation::z_l2};
    const auto variants = run::variants(config);
    REQUIRE(variants.size() == 4);
    CHECK(variants[0].normalise == Normalisation::none);
    CHECK(variants[1].seed == 2);
    CHECK(variants[2].normalise == Normalisation::z_l2);
    CHECK(variants[2].seed == 1);
    for (const auto& variant : variants)
        CHECK(variant.normalisations == config.normalisations);
}

TEST_CASE("each projection is a variant, behind the embeddings as they are")
{
    using embedding::ProjectionKind;
    run::Config config;
    config.seeds = {1, 2};
    config.equal_dimensions = {50, 300};
    config.projections = {ProjectionKind::random, ProjectionKind::pca};
    const auto variants = run::variants(config);
    REQUIRE(variants.size() == 10);
    CHECK_FALSE(variants[1].projection.has_value());
    CHECK(variants[2].projection == embedding::ProjectionSettings{ProjectionKind::random, 50});
    CHECK(variants[4].projection == embedding::ProjectionSettings{ProjectionKind::pca, 50});
    CHECK(variants[9].projection == embedding::ProjectionSettings{ProjectionKind::pca, 300});
    CHECK(variants[9].seed == 2);
}

TEST_CASE(
    "so many seeds count on from one, and halves of the training part come last, with a seed each")
{
    run::Config config;
    config.seed_count = 3;
    config.resamples = 4;
    const auto variants = run::variants(config);
    REQUIRE(variants.size() == 7);
    CHECK(variants[2].seed == 1113);
    CHECK(variants[2].resample == 0);
    CHECK(variants[3].seed == 1111);
    CHECK(variants[3].resample == 1);
    CHECK(variants[6].seed == 1111); // from the first again
    CHECK(variants[6].resample == 4);
    config.seed_count = 0; // one seed is counted on, so that no two halves share it
    CHECK(run::variants(config)[1].seed == 1112);
    config.seeds = {7, 2};
    config.seed_count = 4; // on from the largest of a list
    const auto listed = run::variants(config);
    for (std::size_t at = 0; at < 4; ++at)
        CHECK(listed[at].seed == std::array{7U, 2U, 8U, 9U}[at]);
    config.seed_count = 1;
    CHECK_THROWS_AS(run::variants(config), base::UsageError);
    config.seeds = {4294967295U};
    config.seed_count = 2;
    CHECK_THROWS_AS(run::variants(config), base::UsageError);
}

TEST_CASE("no hidden layer is one of several to choose from, and none of an mlp alone")
{
    run::Config config;
    config.settings.nhids = {0, 50};
    const auto variants = run::variants(config);
    CHECK(variants[0].classifier.classifier == "mlp");
    CHECK(variants[0].nhids == std::vector<std::size_t>{0, 50});
    config.settings.nhids = {0};
    CHECK(run::variants(config)[0].classifier.classifier == "softmax");
    config.classifiers = {"mlp"};
    CHECK_THROWS_AS(run::variants(config), base::UsageError);
}
