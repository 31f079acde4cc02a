#include "base/error.hpp"
#include "run/options.hpp"
#include "support/support.hpp"

using namespace senteval;
using core::Value;
using run::Config;

namespace {

Config with(const std::string& section, const std::string& key, const std::string& text)
{
    Config config;
    const run::Option* option = run::find_option(section, key);
    REQUIRE(option != nullptr);
    option->apply(config, Value::of_text(text, "--" + key, "command line"));
    return config;
}

Config run_option(const std::string& key, const std::string& text)
{
    return with("run", key, text);
}

learn::Settings classifier_option(const std::string& key, const std::string& text)
{
    return with("classifier", key, text).settings.classifier;
}

} // namespace

TEST_CASE("every option has a name of its own and a help text, and the profile is the first")
{
    std::set<std::string> keys;
    for (const run::Option& option : run::options()) {
        CHECK(keys.insert(option.key).second);
        CHECK(!option.help.empty());
        const bool is_switch =
            option.key == "isolate" || option.key == "cost" || option.key == "prompts";
        CHECK(option.placeholder.empty() == is_switch);
        CHECK(run::find_option(option.section, option.key) == &option);
    }
    CHECK(run::options().front().key == "profile");
    CHECK(run::find_option("run", "kfold") == nullptr);
    CHECK(run::find_option("run", "normalize") == run::find_option("run", "normalise"));
    CHECK(run::find_option("run", "") == nullptr);
}

TEST_CASE("every value that an option is said to take is taken, and no other where it is a choice")
{
    for (const run::Option& option : run::options()) {
        for (const std::string& choice : option.choices)
            if (option.key != "kernels") // of which a processor may lack some
                CHECK_NOTHROW(with(option.section, option.key, choice));
        if (!option.choices.empty())
            CHECK_THROWS_AS(with(option.section, option.key, "neither"), base::UsageError);
    }
}

TEST_CASE("the optimiser is parsed where it is set")
{
    CHECK(classifier_option("optim", "sgd,lr=0.1").optim == "sgd,lr=0.1");
    CHECK_ERROR(base::UsageError, "command line: optimiser sgd needs lr",
                classifier_option("optim", "sgd"));
}

TEST_CASE("options of the run set what they are called")
{
    CHECK(run_option("data", "/d").data == "/d");
    CHECK(run_option("data", "/none/downstream").data == "/none");
    CHECK(run_option("data", "/none/downstream/").data == "/none");
    CHECK(run_option("output", "/o").output == "/o");
    CHECK(run_option("tasks", "MR,STS14").tasks == std::vector<std::string>{"MR", "STS14"});
    CHECK(run_option("seed", "1,4294967295").seeds == std::vector<std::uint32_t>{1, 4294967295});
    CHECK(run_option("threads", "3").threads == 3);
    CHECK(run_option("kernels", "portable").kernels == &learn::kernels_portable);
    CHECK(run_option("kernels", "auto").kernels == &learn::kernels());
    CHECK(run_option("encode_batch", "7").batch_size == 7);
    CHECK(run_option("similarity", "manhattan").settings.similarity == task::Similarity::manhattan);
    using embedding::Normalisation;
    CHECK(run_option("normalise", "none,centre,z+l2,none").normalisations ==
          std::vector{Normalisation::none, Normalisation::centre, Normalisation::z_l2});
    CHECK(run_option("equal_dimension", "50,300,50").equal_dimensions ==
          std::vector<std::size_t>{50, 300});
    using embedding::ProjectionKind;
    CHECK(run_option("projection", "pca,random").projections ==
          std::vector{ProjectionKind::pca, ProjectionKind::random});
    CHECK_ERROR(base::UsageError, "it needs equal_dimension",
                run::variants(run_option("projection", "pca")));
    CHECK(run::variants(run_option("equal_dimension", "50")).back().projection->kind ==
          ProjectionKind::random);
    using embedding::Variant;
    const auto variants = run_option("variants", "256,128:int8,256");
    CHECK(variants.forms == std::vector{*Variant::parse("256"), *Variant::parse("128:int8")});
    const auto settings = run::variants(variants);
    REQUIRE(settings.size() == 3);
    CHECK(settings[0].variant.is_full());
    CHECK(settings[2].treatment() ==
          embedding::Treatment(Normalisation::none, embedding::Precision::int8));
    CHECK_THROWS_AS(run_option("variants", "128:int9"), base::UsageError);
    run::Config both = variants;
    both.equal_dimensions = {50};
    CHECK_THROWS_AS((void)run::variants(both), base::UsageError);
    CHECK(run_option("overwrite", "never").overwrite == run::Overwrite::never);
    CHECK(run_option("cache", "/c").cache == "/c");
    CHECK(run_option("cache_gib", "2").cache_bytes == std::uint64_t{2} << 30U);
}

TEST_CASE("options of the classifier set what they are called")
{
    CHECK(with("classifier", "classifier", "logreg,mlp").classifiers ==
          std::vector<std::string>{"softmax", "mlp"});
    CHECK(with("classifier", "classifier", "logreg-lbfgs").classifiers ==
          std::vector<std::string>{"logreg-newton"});
    CHECK(with("classifier", "kfold", "5").settings.kfold == 5);
    CHECK(classifier_option("nhid", "9").nhid == 9);
    CHECK(classifier_option("dropout", "0.25").dropout == 0.25);
    CHECK(classifier_option("activation", "relu").activation == learn::Activation::relu);
    CHECK(classifier_option("optim", "sgd,lr=0.1").optim == "sgd,lr=0.1");
    CHECK(classifier_option("batch_size", "8").batch_size == 8);
    CHECK(classifier_option("tenacity", "0").tenacity == 0);
    CHECK(classifier_option("epoch_size", "2").epoch_size == 2);
    CHECK(classifier_option("max_epoch", "3").max_epoch == 3);
    CHECK(classifier_option("loss_reduction", "sum").loss_reduction == learn::LossReduction::sum);
    CHECK(classifier_option("max_iterations", "10").max_iterations == 10);
}

TEST_CASE("the profiles are the settings of publications")
{
    const Config prototype = run_option("profile", "prototype");
    CHECK(prototype.settings.kfold == 5);
    CHECK(prototype.settings.classifier.optim == "rmsprop");
    CHECK(prototype.settings.classifier.batch_size == 128);
    CHECK(prototype.settings.classifier.tenacity == 3);
    CHECK(prototype.settings.classifier.epoch_size == 2);
    CHECK(run_option("profile", "default").settings.kfold == 10);
    CHECK(run_option("profile", "sklearn").settings.classifier.classifier == "logreg-newton");
    CHECK(run_option("profile", "randsent").seeds.size() == 5);
    CHECK(run_option("profile", "randsent").batch_size == 8);
}

TEST_CASE("values out of range and unknown names are refused")
{
    CHECK_ERROR(base::UsageError, "'--similarity' cannot be 'cosin'. Did you mean 'cosine'",
                run_option("similarity", "cosin"));
    CHECK_ERROR(base::UsageError, "command line: this processor has no kernels 'portible'",
                run_option("kernels", "portible"));
    CHECK_ERROR(base::UsageError, "'--threads' must be from 1 to 4096, not \"0\"",
                run_option("threads", "0"));
    CHECK_ERROR(base::UsageError,
                "'--normalise' cannot be 'mean'. It is one of: none, centre, l2, z, z+l2",
                run_option("normalise", "none,mean"));
    CHECK_THROWS_AS(run_option("normalise", ""), base::UsageError);
    CHECK_THROWS_AS(run_option("equal_dimension", "0"), base::UsageError);
    CHECK_THROWS_AS(run_option("projection", "pca,none"), base::UsageError);
    CHECK_THROWS_AS(run_option("seed", "-1"), base::UsageError);
    CHECK_THROWS_AS(run_option("seed", ""), base::UsageError);
    CHECK_ERROR(base::UsageError, "must be seeds that differ", run_option("seed", "3,4,3"));
    CHECK_THROWS_AS(run_option("tasks", ""), base::UsageError);
    CHECK_THROWS_AS(run_option("overwrite", "sometimes"), base::UsageError);
    CHECK_THROWS_AS(run_option("profile", "fast"), base::UsageError);
    CHECK_THROWS_AS(classifier_option("dropout", "1"), base::UsageError);
    CHECK_THROWS_AS(classifier_option("activation", "step"), base::UsageError);
    CHECK_THROWS_AS(with("classifier", "kfold", "1"), base::UsageError);
    CHECK_THROWS_AS(with("classifier", "classifier", "svm"), base::UsageError);
}
