// What a model of senteval train was trained on, as runs, comparisons and further trainings tell it.
#include "program/program.hpp"
#include "train_project.hpp"

#include "base/files.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::contains;
using test::host;
using test::quoted;
using test::Run;
using Project = test::TrainProject;

TEST_CASE("a trained model says in a run what it was trained on")
{
    const Project project;
    const Run trained = host(0, project.train("my.paragram", "--epochs 3 --threads 2"));
    CHECK(contains(trained.err,
                   {"80 pairs to train on, of 80", "epoch 3: loss", "the model of epoch 3"}));
    CHECK(trained.out.empty());

    const Run run = host(0, "run " + quoted(project.scratch / "run.toml") + " --json -");
    CHECK(contains(run.err, "trained was trained on sentences of 12 of the 12 test items of Seen"));
    const base::Json document = base::Json::parse(run.out).at("results").at(0).at("document");
    CHECK(document.at("overlap") == base::Json({{"items", 12}, {"of", 12}}));
    const Run compared = host("compare " + quoted(project.scratch / "results"));
    CHECK(contains(compared.out + compared.err,
                   "trained was trained on sentences of test items (12 of 12 of Seen)"));
    const auto report = project.scratch / "report.html";
    host(0, "report " + quoted(project.scratch / "results") + " -o " + quoted(report));
    CHECK(contains(base::read_file(report), "trained on sentences of 12 of 12 test items"));

    const std::string model = quoted(project.scratch / "my.paragram");
    const Run near = host(0, "neighbours " + model + " a3 --count 3 --json");
    const base::Json words = base::Json::parse(near.out).at(0);
    CHECK(words.at("after").size() == 3);
    CHECK(words.at("before").size() == 3);
    host(2, "neighbours " + model + " A3");
}

TEST_CASE("a model whose record of training is damaged or cut off gives no results and no vectors")
{
    const Project project;
    host(0, project.train("my.paragram", "--epochs 1 -q"));
    const std::string bytes = base::read_file(project.scratch / "my.paragram");
    const std::size_t record = bytes.find("training", bytes.find("parameters")); // its footer
    REQUIRE(record != bytes.npos);
    std::string flipped = bytes;
    flipped[record - 4] = static_cast<char>(flipped[record - 4] ^ 1);
    std::string renamed = bytes;
    renamed[record] = 'T';
    const auto task = base::read_file(project.scratch / "run.toml");
    project.scratch.write("plain.toml", task.substr(0, task.find("[[encoder]]")) +
                                            "[[encoder]]\nname = \"glove\"\n"
                                            "[encoder.parameters]\nvectors = \"my.paragram\"\n" +
                                            task.substr(task.find("[[task]]")));
    for (const std::string& damaged : {flipped, renamed, bytes.substr(0, bytes.size() - 1)}) {
        project.scratch.write("my.paragram", damaged);
        for (const char* file : {"run.toml", "plain.toml"}) {
            CAPTURE(file);
            const Run refused = host("run " + quoted(project.scratch / file));
            CHECK(refused.exit_code != 0);
            CHECK(contains(refused.err, "my.paragram"));
            CHECK((contains(refused.err, "damaged") || contains(refused.err, "cut short")));
        }
        const Run refused =
            host(1, "train paragram --pairs " + quoted(project.scratch / "pairs.tsv") + " --init " +
                        quoted(project.scratch / "my.paragram") + " --epochs 1 -q -o " +
                        quoted(project.scratch / "next"));
        CHECK(contains(refused.err, "my.paragram"));
    }
    CHECK_FALSE(std::filesystem::exists(project.scratch / "next"));
    CHECK_FALSE(std::filesystem::exists(project.scratch / "results" / "Seen"));
}

TEST_CASE("what was trained on is known of models that were trained further, time and again")
{
    const Project project;
    project.scratch.write("other.tsv", "a1\tb2\na3\tb4\nthe a5 and b6\tthe b7 or a8\n");
    host(0, project.train("first", "--epochs 1 -q"));
    for (const auto& [from, to] :
         {std::pair("first", "second"), std::pair("second", "my.paragram")})
        host(0, "train paragram -q --epochs 1 --pairs " + quoted(project.scratch / "other.tsv") +
                    " --init " + quoted(project.scratch / from) + " -o " +
                    quoted(project.scratch / to));
    const Run run = host(0, "run " + quoted(project.scratch / "run.toml"));
    CHECK(contains(run.err, "trained was trained on sentences of 12 of the 12 test items of Seen"));

    std::string cut = base::read_file(project.scratch / "first");
    cut.pop_back();
    project.scratch.write("cut", cut);
    const Run damaged =
        host(1, "train paragram -q --pairs " + quoted(project.scratch / "other.tsv") + " --init " +
                    quoted(project.scratch / "cut") + " -o " + quoted(project.scratch / "third"));
    CHECK(contains(damaged.err, "was cut short"));
}

TEST_CASE("every task whose test items were trained on is told of, and what ranks it says so")
{
    const Project project;
    const std::string sets = (test::samples / "downstream/STS").string();
    std::string more;
    for (const char* set :
         {"STS12-en-test/STS.input.MSRvid.txt", "STS13-en-test/STS.input.FNWN.txt"}) {
        const std::string lines = base::read_file(std::filesystem::path(sets) / set);
        more += lines.substr(0, lines.find('\t')) + "\tthe a1 and b1\n";
    }
    project.scratch.write("more.tsv", more);
    host(0, project.train("my.paragram",
                          "--epochs 1 -q --pairs " + quoted(project.scratch / "more.tsv")));
    const std::string results = quoted(project.scratch / "r");
    const Run run =
        host(0, "run --encoder paragram --set model=" + quoted(project.scratch / "my.paragram") +
                    " --label 300 --tasks STS12,STS13 " + "--allow-unverified --json - --output " +
                    results + test::data_option);
    CHECK(contains(run.err, {"test items of STS12:", "test items of STS13:"}));
    const Run lengths = host("analyse lengths --tasks STS12,STS13 " + results);
    CHECK(contains(lengths.out, "300†\n"));
    const Run json = host("analyse lengths --tasks STS13 --json " + results);
    const base::Json overlaps = base::Json::parse(json.out).at(0).at("trained_on");
    CHECK(overlaps.size() == 1);
    CHECK(overlaps.contains("STS13"));
}

TEST_CASE("a place among the systems of a shared task is marked where test items were trained on")
{
    const auto data = test::shared_or_skip("senteval_data");
    if (!data)
        return;
    const Project project;
    const std::string lines =
        base::read_file(*data / "downstream/STS/STS12-en-test/STS.input.MSRvid.txt");
    project.scratch.write("more.tsv", lines.substr(0, lines.find('\n') + 1));
    const std::string model = quoted(project.scratch / "my.paragram");
    host(0, "train paragram -q --epochs 1 --pairs " + quoted(project.scratch / "more.tsv") +
                " --pairs " + quoted(project.scratch / "pairs.tsv") + " --batch 8 --init " +
                quoted(test::samples / "vectors/sample.50d.txt") + " -o " + model);
    const std::string results = quoted(project.scratch / "r");
    const Run run =
        host(0, "run -q --encoder paragram --set model=" + model + " --tasks STS12,STS13 " +
                    "--json - --output " + results + " --data " + quoted(*data));
    const base::Json told = base::Json::parse(run.out);
    for (const base::Json& result : told.at("results")) {
        const base::Json& document = result.at("document");
        CHECK(document.at("standing").value("overlap", base::Json()) ==
              document.value("overlap", base::Json()));
        CHECK(document.contains("overlap") == (result.at("task") == "STS12"));
    }
    const Run standing = host("analyse standing " + results);
    CHECK(contains(standing.out, "† below the median"));
    CHECK(contains(standing.out, "  below the median")); // of STS13
    CHECK(contains(standing.out, "no scores on unseen text"));
    const Run json = host("analyse standing --json " + results);
    const base::Json datasets = base::Json::parse(json.out).at(0).at("datasets");
    CHECK(contains(datasets.front().at("trained_on").get<std::string>(), " of 3108"));
    CHECK(datasets.back().at("trained_on") == "");
}

TEST_CASE("pairs with sentences of the sample sets are counted, and left out on request")
{
    const Project project;
    host(0, "run" + test::glove_option + " --tasks STS12 -q" + test::into(project.scratch / "r") +
                test::data_option);
    // A sentence of a sample set, whichever: the first of STS12 with four words and more.
    const std::string lines =
        base::read_file(test::samples / "downstream/STS/STS12-en-test/STS.input.MSRvid.txt");
    const std::string sentence = lines.substr(0, lines.find('\t'));
    project.scratch.write("more.tsv", sentence + "\tthe a1 and b1\n");
    const std::string more =
        "--epochs 1 --pairs " + quoted(project.scratch / "more.tsv") + test::data_option;
    const Run counted = host(0, project.train("counted", more));
    CHECK(contains(counted.err,
                   {"1 pair shares a sentence with an evaluation set, 0 of them left out",
                    "warning: 1 pair holds sentences of evaluation sets"}));
    const Run left_out = host(project.train("left-out", more + " --exclude-overlap STS12"));
    CHECK(contains(left_out.err, {"1 of them left out", "80 pairs to train on, of 81"}));
}
