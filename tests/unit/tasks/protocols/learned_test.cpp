// Protocols that train, on datasets that are easy to learn from the WordsEncoder's vectors.
#include "base/error.hpp"
#include "support/evaluate.hpp"
#include "support/support.hpp"
#include "tasks/protocols/classification.hpp"
#include "tasks/protocols/relatedness.hpp"
#include "tasks/protocols/shared.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;

namespace {

/// `count` lines that say `word`, of different lengths.
std::string lines(const std::string& word, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += word + (i % 3 == 0 ? " x\n" : i % 3 == 1 ? " x y\n" : "\n");
    return text;
}

task::Settings quick()
{
    task::Settings settings;
    settings.kfold = 3;
    settings.classifier.optim = "adam,lr=0.1";
    return settings;
}

std::unique_ptr<task::Task> binary_task()
{
    return tasks::make_task("Example", {"transfer"},
                            tasks::binary_source({"yes", "pos"}, {"no", "neg"}),
                            tasks::inner_kfold_classification(), "acc");
}

bool same_rows(const results::Outcomes& a, const results::Outcomes& b)
{
    return std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(), b.rows.end(),
                      [](const results::ItemOutcome& x, const results::ItemOutcome& y) {
                          return std::tie(x.item, x.group, x.gold, x.prediction, x.score) ==
                                 std::tie(y.item, y.group, y.gold, y.prediction, y.score);
                      });
}

} // namespace

TEST_CASE("nested cross-validation tests every item once, in the fold it was held out from")
{
    const test::ScratchFolder scratch;
    scratch.write("pos", lines("a", 24));
    scratch.write("neg", lines("b", 21));
    const auto task = binary_task();
    const task::Result result = test::evaluate(*task, scratch.path(), quick());
    CHECK(result.metrics["acc"] == 100.0);
    CHECK(result.metrics["devacc"] == 100.0);
    CHECK(result.metrics["ndev"] == 45);
    CHECK(result.metrics["ntest"] == 45);
    CHECK(result.details["searches"].size() == 3);
    CHECK(result.details["strengths"].size() == 4);

    const results::Outcomes& outcomes = result.outcomes;
    CHECK(outcomes.kind == "class");
    CHECK(outcomes.classes == std::vector<std::string>{"no", "yes"});
    CHECK(outcomes.groups == std::vector<std::string>{"fold 1", "fold 2", "fold 3"});
    std::set<std::uint32_t> items;
    for (const results::ItemOutcome& row : outcomes.rows) {
        items.insert(row.item);
        CHECK(row.gold == (row.item < 24 ? 1.0 : 0.0)); // file order: class 1 first
        CHECK(row.prediction == row.gold);
        CHECK(row.score > 0.5);
        CHECK(row.score <= 1.0);
    }
    CHECK(items.size() == 45);

    const task::Result again = test::evaluate(*task, scratch.path(), quick(), 2);
    CHECK(again.metrics == result.metrics);
    CHECK(again.details == result.details);
    CHECK(same_rows(again.outcomes, outcomes));
}

TEST_CASE("the F1 score is that of class 1")
{
    const test::ScratchFolder scratch;
    const std::string header = "Quality\t1\t2\t3\t4\n";
    std::string train = header;
    for (int i = 0; i < 20; ++i)
        train += "1\t1\t2\ta\ta\n0\t1\t2\ta\tb c\n";
    scratch.write("msr_paraphrase_train.txt", train);
    // three pairs that look like paraphrases, two of which are, and two that do not, one of which is
    scratch.write("msr_paraphrase_test.txt", header +
                                                 "1\t1\t2\ta\ta\n1\t1\t2\ta\ta\n0\t1\t2\ta\ta\n"
                                                 "0\t1\t2\ta\tb c\n1\t1\t2\ta\tb c\n");
    tasks::ClassificationRules rules;
    rules.f1 = "F1";
    const auto task = tasks::make_task("Example", {"transfer"}, tasks::mrpc_source("."),
                                       tasks::kfold_classification(rules), "acc");
    const task::Result result = test::evaluate(*task, scratch.path(), quick());
    CHECK(result.metrics["acc"] == 60.0);
    CHECK(result.metrics["f1"] == 66.67); // 2 * 2 / (3 + 3)
    CHECK(result.metrics["ndev"] == 40);
    CHECK(result.metrics["ntest"] == 5);
    CHECK(result.outcomes.groups == std::vector<std::string>{""});
    REQUIRE(result.outcomes.rows.size() == 5);
    for (std::uint32_t item = 0; item < 5; ++item)
        CHECK(result.outcomes.rows[item].item == item);
    CHECK(result.outcomes.rows[2].prediction == 1.0);
    CHECK(result.outcomes.rows[4].prediction == 0.0);
}

TEST_CASE("three parts are trained, tuned and tested on, under the task's own rules")
{
    const test::ScratchFolder scratch;
    std::string train;
    for (int i = 0; i < 20; ++i)
        train += "a\t1\nb x\t0\n";
    scratch.write("sentiment-train", train);
    scratch.write("sentiment-dev", "a x\t1\nb\t0\n");
    scratch.write("sentiment-test", "b y\t0\na y z\t1\nb\t1\n");
    tasks::ClassificationRules rules;
    rules.regularised = false;
    rules.linear = true;
    rules.max_epoch = 15;
    rules.epoch_size = 1;
    const auto task = tasks::make_task("Example", {"transfer"}, tasks::sst2_source("."),
                                       tasks::split_classification(rules), "acc");
    task::Settings settings = quick();
    settings.classifier.classifier = "mlp";
    settings.classifier.nhid = 50;
    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["devacc"] == 100.0);
    CHECK(result.metrics["acc"] == 66.67);
    CHECK(result.metrics["ndev"] == 2);
    CHECK(result.metrics["ntest"] == 3);
    CHECK(result.details["strengths"].size() == 1);
    CHECK(result.details["searches"][0]["passes"] <= 16);

    const base::Json written = task->protocol_settings(settings);
    CHECK(written["protocol"] == "split");
    CHECK(written["classifier"]["classifier"] == "softmax");
    CHECK(written["classifier"]["max_epoch"] == 15);
    CHECK_FALSE(written.contains("kfold"));
    CHECK_FALSE(written["classifier"].contains("nhid"));
}

TEST_CASE("a classifier that was not trained far enough is told of")
{
    learn::Validation found;
    found.searches.resize(2);
    found.searches[0].passes = 36;
    found.searches[1].passes = 28;
    learn::Settings settings;
    const auto warnings = tasks::training_warnings(found, settings, 200);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("softmax took only 112 steps on 200 items") == 0);
    CHECK(test::contains(warnings[0], "logreg-newton"));
    CHECK(tasks::training_warnings(found, settings, 4000).empty());
    settings.optim = "rmsprop"; // its steps are ten times as long
    CHECK(tasks::training_warnings(found, settings, 200).size() == 0);
    settings.optim = "sgd,lr=0.1";
    CHECK(tasks::training_warnings(found, settings, 200).empty());
    settings.classifier = "logreg-newton";
    CHECK(tasks::training_warnings(found, settings, 200).empty());
    found.searches[1].unconverged = 3;
    REQUIRE(tasks::training_warnings(found, settings, 200).size() == 1);
    CHECK(tasks::training_warnings(found, settings, 200)[0] ==
          "3 fits of logreg-newton ended short of the minimum; max_iterations is 10000");
}

TEST_CASE("only the settings that have an effect are written")
{
    learn::Settings settings;
    settings.classifier = "logreg-newton";
    CHECK(tasks::to_json(settings) == base::Json{{"classifier", "logreg-newton"},
                                                 {"max_iterations", 10000},
                                                 {"tolerance", 1e-5}});
    settings.classifier = "mlp";
    settings.activation = learn::Activation::tanh;
    settings.loss_reduction = learn::LossReduction::sum;
    const base::Json written = tasks::to_json(settings);
    CHECK(written["activation"] == "tanh");
    CHECK(written["loss_reduction"] == "sum");
    CHECK(written["optim"] == "adam");
}

TEST_CASE("relatedness is learned on the original's scale and on the dataset's own")
{
    const test::ScratchFolder scratch;
    std::string items = "id\tA\tB\tscore\tlabel\n";
    for (int i = 0; i < 16; ++i)
        items += "1\ta\ta\t5\tNEUTRAL\n1\ta\tb\t1\tNEUTRAL\n1\ta b\ta\t3\tNEUTRAL\n";
    for (const char* part : {"train", "trial", "test_annotated"})
        scratch.write(std::string("SICK_") + part + ".txt", items);
    const auto run = [&](const tasks::Protocol& protocol, unsigned threads) {
        const auto task = tasks::make_task(
            "Example", {"similarity"}, tasks::sick_relatedness_source("."), protocol, "pearson");
        return test::evaluate(*task, scratch.path(), {}, threads);
    };
    const task::Result original = run(tasks::relatedness_protocol({1, 5}), 1);
    CHECK(original.metrics["pearson"].get<double>() > 0.95);
    CHECK(original.metrics["mse"].get<double>() < 8.0 / 3); // the variance of the scores
    CHECK(original.metrics["ndev"] == 48);
    CHECK(original.metrics["ntest"] == 48);
    CHECK(original.metrics["range"]["mse"] == original.metrics["mse"]);
    REQUIRE(original.outcomes.rows.size() == 48);
    CHECK(original.outcomes.rows[1].gold == 1.0);
    CHECK(original.outcomes.rows[1].prediction < original.outcomes.rows[0].prediction);

    // Stored fingerprints depend on the order.
    CHECK(base::to_text(tasks::relatedness_protocol({0, 5}).settings({}))
              .starts_with(R"({"protocol")"));
    const task::Result wider = run(tasks::relatedness_protocol({0, 5}), 1);
    CHECK(wider.metrics["mse"] == original.metrics["mse"]);
    CHECK(wider.metrics["range"]["mse"] != original.metrics["mse"]);
    CHECK(run(tasks::relatedness_protocol({0, 5}), 2).metrics == wider.metrics);

    const task::Result ridge = run(tasks::ridge_relatedness({0, 5}), 1);
    CHECK(ridge.metrics["pearson"].get<double>() > 0.999); // |u-v| and u*v say all
    CHECK(ridge.metrics["mse"].get<double>() < 1e-3);
    CHECK(ridge.details["strength"] == 1e-3);
    CHECK_FALSE(ridge.metrics.contains("range"));
    CHECK(run(tasks::relatedness_protocol({0, 5}), 1).outcomes.rows[3].prediction ==
          original.outcomes.rows[3].prediction);
}

TEST_CASE("supervised tasks choose between normalisations, which are one setting for them")
{
    const test::ScratchFolder scratch;
    scratch.write("pos", lines("a", 24));
    scratch.write("neg", lines("b", 21));
    const auto task = binary_task();
    task::Settings settings = quick();
    CHECK(task->protocol_settings(settings)["normalise"] == "none");
    using embedding::Normalisation;
    settings.normalisations = {Normalisation::none, Normalisation::z_l2};
    CHECK(task->protocol_settings(settings)["normalise"] == base::Json{"none", "z+l2"});
    const auto before = task->protocol_settings(settings);
    settings.normalise = Normalisation::z_l2; // the similarity tasks' own
    CHECK(task->protocol_settings(settings) == before);

    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["acc"] == 100.0);
    for (const auto& search : result.details["searches"]) {
        CHECK(search["dev"].size() == 8);
        CHECK(search["normalise"] == "none"); // both are perfect: the first is taken
    }
    settings.normalisations = {Normalisation::z_l2};
    const task::Result one = test::evaluate(*task, scratch.path(), settings);
    CHECK(one.details["searches"][0]["dev"].size() == 4);
    CHECK_FALSE(one.details["searches"][0].contains("normalise"));
}
