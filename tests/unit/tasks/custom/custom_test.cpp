#include "base/error.hpp"
#include "support/described.hpp"
#include "support/evaluate.hpp"
#include "support/support.hpp"
#include "tasks/custom/columns.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/inspect.hpp"

using namespace senteval;
using tasks::CustomProtocol;
using tasks::CustomTask;
using test::described;
using test::said_of;

TEST_CASE("a user's classification task is made from named columns")
{
    const test::ScratchFolder scratch;
    std::string train = "id\tlabel\ttext\n";
    for (int i = 0; i < 20; ++i)
        train += "1\tspam\ta x\n2\tham\tb\r\n";
    scratch.write("train.tsv", train);
    scratch.write("test.tsv", "id\tlabel\ttext\n1\tspam\ta\n2\tham\tb b\n");
    CustomTask description = described(CustomProtocol::classification);
    description.train = "train.tsv";
    description.test = (scratch / "test.tsv").string(); // absolute paths work too
    description.header = true;
    description.first = "text";
    description.target = "label";
    const auto task = tasks::make_custom_task(description);
    CHECK(task->info().groups == std::vector<std::string>{"custom"});
    CHECK(task->info().headline == "acc");
    task::Settings settings;
    settings.kfold = 3;
    settings.classifier.optim = "adam,lr=0.1";
    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["acc"] == 100.0);
    CHECK(result.metrics["ndev"] == 40);
    CHECK(result.outcomes.classes == std::vector<std::string>{"ham", "spam"});
    CHECK(task->protocol_settings(settings)["protocol"] == "kfold");
    const auto classifier_of = [&](const char* chosen, bool names) {
        settings.classifier.classifier = chosen;
        settings.names_classifier = names;
        return task->protocol_settings(settings)["classifier"]["classifier"];
    };
    CHECK(classifier_of("mlp", true) == "mlp");
    CHECK(classifier_of("softmax", true) == "softmax");
    CHECK(classifier_of("softmax", false) == "logreg-newton");
    // Folds are those of one random state: a classifier that draws nothing gives one result for all seeds.
    settings.classifier.classifier = "logreg-newton";
    const task::Result one = test::evaluate(*task, scratch.path(), settings);
    settings.seed = 7;
    CHECK(test::evaluate(*task, scratch.path(), settings).details == one.details);
    CHECK(task->protocol_settings(settings)["folds_seed"] == 1111);
    settings = {};
    settings.kfold = 3;
    settings.classifier.optim = "adam,lr=0.1";

    description.test.clear();
    const auto nested = tasks::make_custom_task(description);
    CHECK(test::evaluate(*nested, scratch.path(), settings).metrics["ntest"] == 40);
    description.target = "lable";
    CHECK(test::contains(said_of(description, scratch), {"train.tsv:1:", "'lable'", "'label'?"}));
    scratch.write("train.tsv", "");
    CHECK(test::contains(said_of(description, scratch), "train.tsv: "));
}

TEST_CASE("the same items in TSV, CSV, JSON lines and gzip are the same task")
{
    const test::ScratchFolder scratch;
    std::string tsv = "label\ttext\n";
    std::string csv = "text;id;label\r\n";
    std::string jsonl;
    for (int i = 0; i < 30; ++i) {
        const std::string words =
            std::string(1 + i % 3, 'a') + " \"" + std::to_string(i % 7) + "\", b";
        const std::string label = i % 2 == 0 ? "1.50" : "7";
        tsv += label + "\t" + words + " c\n";
        csv += "\"" + std::string(1 + i % 3, 'a') + " \"\"" + std::to_string(i % 7) +
               "\"\", b\nc\";4;" + label + "\r\n";
        jsonl += R"({"id": 3, "label": )" + label + R"(, "text": ")" + std::string(1 + i % 3, 'a') +
                 R"( \")" + std::to_string(i % 7) + R"(\", b\nc"})" + "\n";
    }
    scratch.write("a.tsv", tsv);
    scratch.write("a.csv", csv);
    scratch.write("a.jsonl", jsonl);
    scratch.write("b.jsonl", jsonl);
    scratch.write("other", csv);
    test::shell(0, "gzip " + test::quoted(scratch / "b.jsonl"));
    const auto outcomes_of = [&](const std::string& file,
                                 std::optional<text::RecordForm> format = {}) {
        CustomTask task = described(CustomProtocol::classification);
        task.train = file;
        task.format = format;
        task.first = "text";
        task.target = "label";
        task::Settings settings;
        settings.kfold = 3;
        const task::Result result =
            test::evaluate(*tasks::make_custom_task(task), scratch.path(), settings);
        CHECK(result.outcomes.classes == std::vector<std::string>{"1.50", "7"});
        return result.metrics;
    };
    const base::Json expected = outcomes_of("a.tsv");
    CHECK(expected["ntest"] == 30);
    for (const char* file : {"a.csv", "a.jsonl", "b.jsonl.gz"})
        CHECK(outcomes_of(file) == expected);
    CHECK(outcomes_of("other", text::RecordForm::csv) == expected);
}

TEST_CASE("texts stay as they were written, unless a tokeniser is asked for")
{
    const test::ScratchFolder scratch;
    scratch.write("a.csv", "text,label\n\" Well,\n  it's\tfine \",x\nno,y\na,x\nb,y\n");
    CustomTask description = described(CustomProtocol::classification);
    description.train = "a.csv";
    description.header = true;
    const auto first_of = [&] {
        task::DataFolder data(scratch.path());
        const auto loaded = tasks::make_custom_task(description)->load(data);
        const text::Sentence sentence = loaded->samples()[0];
        return std::tuple(std::string(sentence.text), sentence.tokens, sentence.verbatim);
    };
    CHECK(first_of() == std::tuple(" Well,\n  it's\tfine ", 3U, true));
    description.lowercase = true;
    CHECK(first_of() == std::tuple(" well,\n  it's\tfine ", 3U, true));
    description.tokenise = tasks::Tokeniser::ptb;
    CHECK(first_of() == std::tuple("well , it 's fine", 5U, false));
}

TEST_CASE("one file with a column that says the part is the same task as a file for each part")
{
    const test::ScratchFolder scratch;
    std::string whole = "part,text,label\n";
    std::map<std::string, std::string> parts;
    for (int i = 0; i < 240; ++i) {
        const std::string part = i % 3 == 0 ? "train" : i % 3 == 1 ? "Validation" : "test";
        std::string& of_part = parts[part];
        if (of_part.empty())
            of_part = "text,label\n";
        const std::string row = std::string(1 + i % 5, 'a') + " " + std::to_string(i) + "," +
                                std::to_string(i % 2) + "\n";
        of_part += row;
        whole += part + "," + row;
    }
    for (const auto& [part, rows] : parts)
        scratch.write(part + ".csv", rows);
    scratch.write("whole.csv", whole);
    CustomTask task = described(CustomProtocol::classification);
    task.base = scratch.path();
    task.first = "text";
    task.target = "label";
    const auto metrics = [&] {
        task::Settings settings;
        settings.kfold = 2;
        return test::evaluate(*tasks::make_custom_task(task), scratch.path(), settings).metrics;
    };
    task.train = "train.csv";
    task.dev = "Validation.csv";
    task.test = "test.csv";
    const base::Json expected = metrics();
    task.train = task.dev = task.test = "whole.csv";
    task.split = "part";
    CHECK(metrics() == expected);
    CHECK(tasks::parts_in(task) == std::set<std::string>{"dev", "test", "train"});
    task.dev = task.test = ""; // the rows to learn from are cross-validated
    CHECK(metrics()["ntest"] == 80);
    scratch.write("whole.csv", whole + "tset,a,0\n");
    CHECK_ERROR(base::Error, "whole.csv:242: 'tset'", metrics());
    task.split = "text";
    CHECK_THROWS_AS((void)tasks::make_custom_task(task), base::UsageError);
}

TEST_CASE("an inspection counts what is there, and its description is the task")
{
    const test::ScratchFolder scratch;
    scratch.write("train.csv", "text,label\na b c,x\na,y\n\"a\",x\n ,x\n\"d, e\",y\n");
    scratch.write("test.csv", "text,label\na,x\nf,y\n");
    CustomTask task = described(CustomProtocol::classification);
    task.base = scratch.path();
    task.train = "train.csv";
    task.test = "test.csv";
    task.first = "text";
    task.target = "label";
    const tasks::Inspection found = tasks::inspect(task);
    REQUIRE(found.parts.size() == 2);
    const tasks::PartInspection& train = found.parts.front();
    CHECK(train.items == 5);
    CHECK(train.empty == 1);
    CHECK(train.repeated == 1);
    CHECK(train.in_train == 0);
    CHECK(train.most_words == 3);
    CHECK(train.median_words == 1);
    CHECK(train.classes == std::vector<std::pair<std::string, std::size_t>>{{"x", 3}, {"y", 2}});
    CHECK(found.parts.back().in_train == 1);
    CHECK(found.parts.back().first_rows == std::vector<std::string>{"x  a", "y  f"});
    CHECK_FALSE(found.data_warnings.empty());
    const auto columns = tasks::columns_of(task, "train.csv");
    CHECK(columns.size() == 2);
    CHECK(columns.back().first == "label");
    task.format = text::RecordForm::tsv;
    CHECK_THROWS_AS((void)tasks::columns_of(task, "train.csv"), base::Error);
    task.format.reset();
    const core::Table root = core::Table::parse(found.description, "run.toml", scratch.path());
    const CustomTask again = tasks::read_description(root.tables("task").front());
    CHECK(tasks::to_json(again).at("keys") == tasks::to_json(task).at("keys"));
}

TEST_CASE("a user's pair classification has labels in the order given and may report F1")
{
    const test::ScratchFolder scratch;
    std::string items;
    for (int i = 0; i < 20; ++i)
        items += "a\ta\tyes\na\tb c\tno\n";
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, items);
    CustomTask description = described(CustomProtocol::pair_classification);
    description.train = "train";
    description.dev = "dev";
    description.test = "test";
    description.labels = {"no", "yes"};
    description.metric = "f1";
    description.positive = "yes";
    const auto task = tasks::make_custom_task(description);
    task::Settings settings;
    settings.classifier.optim = "adam,lr=0.1";
    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["f1"] == 100.0);
    CHECK(result.metrics["macro-f1"] == 100.0);
    CHECK(result.metrics["weighted-f1"] == 100.0);
    CHECK(result.details["classes"].size() == 2);
    CHECK(result.details["classes"].front()["recall"] == 100.0);
    CHECK(result.outcomes.classes == description.labels);

    scratch.write("test", "a\ta\tyes\na\tb\tmaybe\n");
    CHECK(test::contains(said_of(description, scratch), {"test:2: 'maybe'", "no, yes"}));
}

TEST_CASE("F1 is of the label that is named, whatever the order of the labels")
{
    const test::ScratchFolder scratch;
    std::string train;
    for (int i = 0; i < 10; ++i)
        train += "fine\ta\nabusive\tb\n";
    scratch.write("train.tsv", train);
    // Of "abusive" 2 hits, 1 miss and 1 false alarm; of "fine" 4, 1 and 1.
    scratch.write("test.tsv", "fine\ta\nfine\ta\nfine\ta\nfine\ta\nfine\tb\n"
                              "abusive\tb\nabusive\ta\nabusive\tb\n");
    task::Settings settings;
    settings.kfold = 2;
    settings.classifier.classifier = "logreg-newton";
    const auto f1 = [&](const std::string& positive, const std::vector<std::string>& labels) {
        CustomTask description = test::labels_first();
        description.metric = "f1";
        description.positive = positive;
        description.labels = labels;
        const auto task = tasks::make_custom_task(description);
        CHECK(task->info().metrics[2].title == "F1 of '" + positive + "'");
        const task::Result result = test::evaluate(*task, scratch.path(), settings);
        CHECK(result.metrics["macro-f1"] == 73.33);
        return result.metrics["f1"].get<double>();
    };
    CHECK(f1("abusive", {}) == 66.67);
    CHECK(f1("fine", {}) == 80);
    CHECK(f1("abusive", {"fine", "abusive"}) == 66.67);
    CHECK(f1("abusive", {"abusive", "fine"}) == 66.67);

    CustomTask unsaid = test::labels_first();
    unsaid.metric = "f1";
    CHECK(test::contains(said_of(unsaid, scratch), "positive = "));
    unsaid.labels = {"fine", "abusive"};
    CHECK(test::contains(said_of(unsaid, scratch), "positive = "));
    unsaid.positive = "rude";
    CHECK_THROWS_AS((void)tasks::make_custom_task(unsaid), base::UsageError);
    unsaid.labels.clear();
    CHECK(test::contains(said_of(unsaid, scratch), "none of the labels: abusive, fine"));
    unsaid.positive.clear();
    scratch.write("train.tsv", "0\ta\n1\tb\n0\tc\n1\tb b\n");
    scratch.write("test.tsv", "0\ta c\n1\tb c\n");
    CHECK(said_of(unsaid, scratch).empty());
}

TEST_CASE("a user's scores are compared, or learned on their own scale")
{
    const test::ScratchFolder scratch;
    std::string items;
    std::string wide;
    for (int i = 0; i < 16; ++i) {
        items += "1\ta\ta\n0\ta\tb\n0.5\ta b\ta\n";
        wide += "107\ta\ta\n7\ta\tb\n57\ta b\ta\n";
    }
    scratch.write("wide", wide);
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, items);
    CustomTask description = described(CustomProtocol::similarity);
    description.test = "test";
    description.first = "2";
    description.second = "3";
    description.target = "1";
    const auto similarity = tasks::make_custom_task(description);
    const task::Result compared = test::evaluate(*similarity, scratch.path());
    CHECK(compared.metrics["spearman"] == doctest::Approx(1.0));
    CHECK_FALSE(compared.metrics.contains("devpearson"));

    description.protocol = CustomProtocol::relatedness;
    description.train = "train";
    description.dev = "dev";
    description.lowest_score = 0;
    description.highest_score = 1;
    description.metric = "mse";
    const auto relatedness = tasks::make_custom_task(description);
    const task::Result learned = test::evaluate(*relatedness, scratch.path());
    CHECK(learned.metrics["mse"].get<double>() < 1.0 / 6); // the variance of the scores
    CHECK(learned.metrics["ndev"] == 48);
    description.dev = "";
    task::Settings other;
    other.seed = 7;
    const auto by_folds = tasks::make_custom_task(description);
    const task::Result found = test::evaluate(*by_folds, scratch.path());
    CHECK(found.metrics["mse"].get<double>() < 1.0 / 6);
    CHECK(test::evaluate(*by_folds, scratch.path(), other).metrics == found.metrics);
    CHECK(relatedness->info().headline == "mse");
    description.train = description.test = "wide"; // on a scale that nobody named
    description.lowest_score = description.highest_score = {};
    const task::Result other_scale =
        test::evaluate(*tasks::make_custom_task(description), scratch.path());
    for (const auto& [key, factor] : {std::pair("mse", 1e4), {"pearson", 1}, {"devpearson", 1}})
        CHECK(other_scale.metrics[key].get<double>() ==
              doctest::Approx(factor * found.metrics[key].get<double>()));
    CHECK(other_scale.details["strength"] == found.details["strength"]);
}

TEST_CASE("files are found from the folder of the run file, and named as they are written there")
{
    const test::ScratchFolder scratch;
    scratch.write("runs/scores.tsv", "a\ta\t1\na\tb\t0\nb\tc\t0.5\n");
    CustomTask description = described(CustomProtocol::similarity);
    description.base = scratch / "runs";
    description.test = "scores.tsv";
    const auto task = tasks::make_custom_task(description);
    CHECK(task->info().base == scratch / "runs");
    task::DataFolder data("/no/data/folder");
    CHECK_NOTHROW((void)task->load(data));
    CHECK(data.fingerprints().contains("scores.tsv"));
}

TEST_CASE("text is tokenised and lower-cased on request, and the protocol says so")
{
    const test::ScratchFolder scratch;
    const auto words_of = [&](const CustomTask& description) {
        task::DataFolder data(scratch.path());
        return std::string(tasks::make_custom_task(description)->load(data)->samples()[0].text);
    };
    CustomTask description = described(CustomProtocol::similarity);
    description.test = "scores.tsv";
    scratch.write("scores.tsv", "\xEF\xBB\xBFIt isn't \xC3\x84rgerlich, is it?\tNo, it isn't.\t3\n"
                                "Yes, it is!\tOf course, Sir.\t4\n");
    CHECK(words_of(description) == "It isn't \xC3\x84rgerlich, is it?"); // without the mark
    CHECK(test::contains(said_of(description, scratch), {"8 of 14 tokens", "'\xC3\x84rgerlich,'",
                                                         "tokenise = \"ptb\" or \"moses\""}));
    description.tokenise = tasks::Tokeniser::none;
    CHECK(said_of(description, scratch).empty());
    description.tokenise = tasks::Tokeniser::ptb;
    CHECK(words_of(description) == "It is n't \xC3\x84rgerlich , is it ?");
    description.tokenise = tasks::Tokeniser::moses;
    description.lowercase = true;
    CHECK(words_of(description) == "it isn 't \xC3\xA4rgerlich , is it ?");
    const base::Json settings = tasks::make_custom_task(description)->protocol_settings({});
    CHECK(settings["reading"]["tokenise"] == "moses");
    CHECK(settings["reading"]["lowercase"] == true);
    CHECK(settings["reading"]["target"] == "3");
    CHECK(said_of(description, scratch).empty());
    // tokenised text with an abbreviation
    description.tokenise = tasks::Tokeniser::as_is;
    scratch.write("scores.tsv", "Mr. Brown , he said .\tYes !\t1\nno\tU.S. oil\t2\n");
    CHECK(said_of(description, scratch).empty());
}
