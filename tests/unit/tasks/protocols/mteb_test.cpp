// Protocols after MTEB, by hand: vectors are the numbers of a, b and c in a text, and of its words.
#include "base/error.hpp"
#include "core/table.hpp"
#include "learn/random.hpp"
#include "support/evaluate.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"

using namespace senteval;

namespace {

std::unique_ptr<task::Task> described(const test::ScratchFolder& folder, const std::string& toml)
{
    return tasks::make_custom_task(tasks::read_description(
        core::Table::parse("name = \"Example\"\n" + toml, "run.toml", folder.path())));
}

task::Result evaluated(const test::ScratchFolder& folder,
                       const std::string& toml,
                       const task::Settings& settings = {})
{
    return test::evaluate(*described(folder, toml), folder.path(), settings);
}

void write_search(const test::ScratchFolder& folder)
{
    folder.write("corpus.jsonl", R"({"_id": "d1", "title": "", "text": "a"}
{"_id": "d2", "title": "b", "text": "b"}
{"_id": "d3", "text": "c"}
{"_id": "q2", "text": "c"}
)");
    folder.write("queries.jsonl", R"({"_id": "q1", "text": "a"}
{"_id": "q2", "text": "c"}
{"_id": "q3", "text": "nobody judged this one"}
)");
    folder.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq2\td3\t1\n");
}

const std::string search = "protocol = \"search\"\ncorpus = \"corpus.jsonl\"\n"
                           "queries = \"queries.jsonl\"\njudgements = \"qrels.tsv\"\n";

} // namespace

TEST_CASE("a search finds what is nearest, equal documents by id, the larger first")
{
    const test::ScratchFolder folder;
    write_search(folder);
    const auto result = evaluated(folder, search);
    // q1: d1, then three of equal cosine: q2, d3, d2; q2: q2 and d3 are equal
    CHECK(result.metrics["ndcg_at_1"] == doctest::Approx(50));
    CHECK(result.metrics["mrr_at_10"] == doctest::Approx(100 * (1 + 0.5) / 2));
    CHECK(result.metrics["recall_at_1"] == doctest::Approx(100 * (0.5 + 0) / 2));
    CHECK(result.metrics["recall_at_10"] == doctest::Approx(100));
    CHECK(result.metrics["nqueries"] == 2);
    REQUIRE(result.outcomes.rows.size() == 2);
    CHECK(result.outcomes.rows[0].gold == 2); // relevant documents
    const auto ignoring = evaluated(folder, search + "ignore_identical_ids = true\n");
    CHECK(ignoring.metrics["mrr_at_10"] == doctest::Approx(100));
    const auto skipping = evaluated(folder, search + "skip_first_result = true\n");
    CHECK(skipping.metrics["ndcg_at_1"] == doctest::Approx(50)); // q2: d3
}

TEST_CASE("a run of TREC is judged as a search is, by score and not by rank")
{
    const test::ScratchFolder folder;
    write_search(folder);
    task::DataFolder data(folder.path());
    const auto loaded = described(folder, search)->load(data);
    const auto run = results::read_trec("q1 Q0 d3 1 0.5 x\nq1 Q0 d1 2 1e3 x\n\nq2 Q0 d3 7 2 x\n"
                                        "q2 Q0 q2 9 2 x\nnobody Q0 d1 1 1 x\n",
                                        "run.trec");
    REQUIRE(run.at("q1").size() == 2);
    CHECK(run.at("q1")[0] == results::Found{"d1", 1000});
    CHECK(run.at("q2")[0] == results::Found{"q2", 2}); // of equals the larger id
    CHECK(results::read_trec(results::to_trec(run, "a b"), "again") == run);
    const auto result = loaded->judge(run);
    REQUIRE(result);
    CHECK(result->metrics["mrr_at_10"] == doctest::Approx(100 * (1 + 0.5) / 2));
    CHECK(result->outcomes.rows.size() == 2);
    const auto half = loaded->judge(results::read_trec("q2 Q0 d3 1 1 x", "run.trec"));
    CHECK(half->metrics["ndcg_at_10"] == doctest::Approx(50)); // q1 found nothing
    CHECK(half->details["queries_not_ranked"] == 1);
    for (const char* wrong : {"q1 Q0 d9 1 1 x", "nobody Q0 d1 1 1 x"})
        CHECK_THROWS_AS((void)loaded->judge(results::read_trec(wrong, "run.trec")),
                        base::UsageError);
    for (const char* wrong : {"", "q1 Q0 d1 1 x", "q1 Q0 d1 1 one x", "q1 Q0 d1 1 nan x",
                              "q1 Q0 d1 1 1 x y", "q1 Q0 d1 1 1 x\nq1 Q0 d1 2 0 x"})
        CHECK_THROWS_AS((void)results::read_trec(wrong, "run.trec"), base::UsageError);
}

TEST_CASE("candidates are ranked among themselves; a negative comes before an equal positive")
{
    const test::ScratchFolder folder;
    folder.write("test.jsonl", R"({"query": "a", "positive": ["a"], "negative": ["b", "c"]}
{"query": "b", "positive": ["b"], "negative": ["b"]}
{"query": "left out", "positive": [], "negative": ["b"]}
)");
    const auto result = evaluated(folder, "protocol = \"reranking\"\ntest = \"test.jsonl\"\n");
    CHECK(result.metrics["map_at_1000"] == doctest::Approx(100 * (1 + 0.5) / 2));
    CHECK(result.metrics["nqueries"] == 2);
}

TEST_CASE("judged documents that are absent count in the ideal ranking, and absent candidates not")
{
    const test::ScratchFolder folder;
    write_search(folder);
    folder.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td9\t1\n");
    const auto result = evaluated(folder, search); // pytrec_eval's values
    CHECK(result.metrics["ndcg_at_10"] == doctest::Approx(100 / (1 + 1 / std::log2(3))));
    CHECK(result.metrics["map_at_10"] == doctest::Approx(50));
    CHECK(result.metrics["recall_at_10"] == doctest::Approx(50));
    folder.write("candidates.jsonl",
                 R"({"query-id": "q1", "corpus-ids": ["d9", "d2", "d1", "d7"]})");
    std::string candidates = search + "candidates = \"candidates.jsonl\"\n";
    candidates.replace(candidates.find("\"search\""), 8, "\"reranking\"");
    CHECK(evaluated(folder, candidates).metrics["map_at_10"] == doctest::Approx(50));
    task::DataFolder data(folder.path());
    (void)described(folder, candidates)->load(data);
    CHECK(data.data_warnings().size() == 2);
}

TEST_CASE("pairs in one row, as MTEB's older sets are, are those of many rows, whatever the flags "
          "are called")
{
    const test::ScratchFolder folder;
    folder.write("rows.jsonl", R"({"s": "a b", "t": "a", "same": true}
{"s": "c", "t": "d", "same": false}
{"s": "e", "t": "e f", "same": true}
)");
    folder.write(
        "set/test.jsonl",
        R"({"sent1": ["a b", "c", "e"], "sent2": ["a", "d", "e f"], "labels": [1, 0, 1]})");
    folder.write("python.csv", "s,t,same\na b,a,True\nc,d,False\ne,e f,True\n");
    const std::string keys =
        "protocol = \"pair-threshold\"\nfirst = \"s\"\nsecond = \"t\"\ntarget = \"same\"\n";
    const auto rows = evaluated(folder, keys + "test = \"rows.jsonl\"\n");
    CHECK(evaluated(folder, keys + "test = \"python.csv\"\n").metrics == rows.metrics);
    const auto sets = tasks::describe_mteb_folder(folder / "set");
    REQUIRE(sets.size() == 1);
    const auto set = tasks::make_custom_task(tasks::read_description(sets[0]));
    CHECK(test::evaluate(*set, folder / "set").metrics == rows.metrics);
}

TEST_CASE("what a task of MTEB needs must be there")
{
    const test::ScratchFolder folder;
    write_search(folder);
    CHECK_THROWS_AS((void)described(folder, "protocol = \"search\"\ncorpus = \"corpus.jsonl\"\n"),
                    base::UsageError);
    CHECK_THROWS_AS((void)described(folder, search + "samples_per_label = 4\n"), base::UsageError);
}

TEST_CASE("candidates that are listed twice are one, and what nobody asked for is told")
{
    const test::ScratchFolder folder;
    write_search(folder);
    folder.write("candidates.jsonl", R"({"query-id": "q1", "corpus-ids": ["d1", "d1", "d2", "d3"]}
{"query-id": "q9", "corpus-ids": ["d1"]}
)");
    const std::string reranking = "protocol = \"reranking\"\ncorpus = \"corpus.jsonl\"\n"
                                  "queries = \"queries.jsonl\"\njudgements = \"qrels.tsv\"\n"
                                  "candidates = \"candidates.jsonl\"\n";
    const auto result = evaluated(folder, reranking);
    CHECK(result.metrics["map_at_1000"].get<double>() <= 100);
    CHECK(result.metrics["recall_at_10"] == doctest::Approx(50)); // q2 has no candidates
    folder.write("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td1\t0\nq1\td2\t1\n"
                              "q2\td3\t1\nq7\td3\t1\n");
    task::DataFolder data(folder.path());
    (void)described(folder, reranking)->load(data);
    CHECK(data.data_warnings().size() == 4); // again, q7, q9, q2 without candidates
}

TEST_CASE("keys that would do nothing, and a field that is read twice, are refused")
{
    const test::ScratchFolder folder;
    const std::string clustering = "protocol = \"clustering\"\ntest = \"x.jsonl\"\n";
    const std::string drawn = clustering + "sampling = \"mteb\"\n";
    const std::string few_shot = "protocol = \"few-shot\"\ntrain = \"x\"\ntest = \"x\"\n";
    for (const std::string& toml :
         {clustering + "max_fraction = 0.5\n",
          clustering + "levels = 2\n",
          clustering + "first = \"labels\"\n",
          clustering + "sampling = \"mteb\"\nmax_fraction = 0.5\nmax_documents = 9\n",
          std::string("protocol = \"bitext\"\ntest = \"x.tsv\"\nfirst = \"sentence2\"\n"),
          std::string("protocol = \"few-shot\"\ntest = \"x\"\ntrain = \"y\"\nfolds = 5\n"),
          std::string("protocol = \"few-shot\"\ntest = \"x\"\nfolds = 1\n"),
          std::string("protocol = \"few-shot\"\ntest = \"x\"\nfolds = 1001\n"),
          few_shot + "experiments = 1001\n",
          few_shot + "samples_per_label = 1000001\n",
          few_shot + "tolerated_copies = 1.5\n",
          drawn + "clusterings = 1001\n",
          drawn + "cluster_size = 1000001\n",
          drawn + "levels = 101\n",
          drawn + "max_fraction = 2\n",
          drawn + "earlier = [10, 1]\n",
          drawn + "earlier = [[10]]\n",
          drawn + "earlier = [[10, 101]]\n",
          clustering + "earlier = [[10, 1]]\n",
          drawn + "max_documents = 1000000001\n",
          search + "cutoffs = [100001]\n",
          search + "cutoffs = []\n",
          search + "cutoffs = 0\n",
          std::string("protocol = \"relatedness\"\ntrain = \"x\"\ndev = \"x\"\ntest = \"x\"\n"
                      "lowest_score = 0\nhighest_score = 1e7\n"),
          std::string("protocol = \"serch\"\ncorpus = \"x\"\n")})
        CHECK_THROWS_AS((void)described(folder, toml), base::UsageError);
    CHECK(described(folder, search + "cutoffs = [5, 20]\n")->info().headline == "ndcg_at_20");
}

TEST_CASE("cells of similarities are those of MTEB 2.26, others are as old as they were")
{
    const test::ScratchFolder folder;
    const auto version_of = [&](const std::string& toml) {
        return described(folder, toml)->protocol_settings({})["mteb"];
    };
    CHECK(version_of(search) == "2.26");
    CHECK(version_of("protocol = \"pair-threshold\"\ntest = \"x\"\n") == "2.26");
    CHECK(version_of("protocol = \"bitext\"\ntest = \"x\"\n") == "2.26");
    CHECK(version_of("protocol = \"few-shot\"\ntrain = \"x\"\ntest = \"x\"\n") == "2.20");
}

TEST_CASE("a limit cuts no part that another one counts")
{
    const test::ScratchFolder folder;
    std::string rows;
    for (int i = 0; i < 4; ++i)
        rows +=
            R"({"text": "a", "human_summaries": ["a", "b"], "machine_summaries": ["a", "c a", "b"], )"
            R"("relevance": [3, 2, 1]})"
            "\n";
    folder.write("test.jsonl", rows);
    const auto task = described(folder, "protocol = \"summarization\"\ntest = \"test.jsonl\"\n");
    task::DataFolder limited(folder.path(), 2);
    CHECK(task->load(limited)->sizes() == "texts 4, human 8, machine 12");
}

TEST_CASE("a translation is found among all; a hub costs F1")
{
    const test::ScratchFolder folder;
    folder.write("test.tsv", "sentence1\tsentence2\na\ta\nb\tb b\na\tc\n");
    const auto result = evaluated(folder, "protocol = \"bitext\"\ntest = \"test.tsv\"\n");
    CHECK(result.metrics["accuracy"] == doctest::Approx(200.0 / 3));
    CHECK(result.metrics["f1"] ==
          doctest::Approx(100 * (2.0 / 3 + 1) / 3)); // row 0 was found twice
    folder.write("test.tsv", "sentence1\tsentence2\na\ta\nb\ta TAB\tb b\n");
    CHECK_ERROR(base::Error, "test.tsv:3: this row has 3 fields",
                evaluated(folder, "protocol = \"bitext\"\ntest = \"test.tsv\"\n"));
}

TEST_CASE("a threshold cannot part equal pairs")
{
    const test::ScratchFolder folder;
    folder.write("test.csv", "sentence1,sentence2,labels\na,a,1\nb,b,0\n");
    const auto result = evaluated(folder, "protocol = \"pair-threshold\"\ntest = \"test.csv\"\n");
    CHECK(result.metrics["cosine_accuracy"] == doctest::Approx(50));
    CHECK(result.metrics["cosine_f1"] == doctest::Approx(200.0 / 3));
    CHECK(result.metrics["cosine_ap"] == doctest::Approx(50));
    CHECK(result.metrics["mteb"]["cosine_accuracy"] == 0); // no threshold beyond all
    CHECK(result.metrics["mteb"]["max_ap"] == doctest::Approx(0.5));
}

TEST_CASE("the greatest measure of any similarity can be the headline")
{
    const test::ScratchFolder folder;
    folder.write("test.csv", "sentence1,sentence2,labels\na a a,a a a,1\na,a b,0\nb b,b b a a,1\n"
                             "a b,b b,0\nb,b,0\n");
    const auto keys = "protocol = \"pair-threshold\"\ntest = \"test.csv\"\nmetric = \"max_ap\"\n";
    const auto task = described(folder, keys);
    const auto result = test::evaluate(*task, folder.path());
    CHECK(task->info().headline == "max_ap");
    for (const std::string measure : {"ap", "accuracy", "f1"}) {
        double greatest = 0;
        for (const char* similarity : {"cosine_", "dot_", "euclidean_", "manhattan_"})
            greatest = std::max(greatest, result.metrics[similarity + measure].get<double>());
        CHECK(result.metrics["max_" + measure] == greatest);
    }
    CHECK(result.metrics["max_ap"] != result.metrics["cosine_ap"]);
}

TEST_CASE("few-shot experiments are drawn, learned and averaged")
{
    const test::ScratchFolder folder;
    std::string train;
    for (int i = 0; i < 12; ++i)
        train += i % 2 == 0 ? "{\"text\": \"a a\", \"label\": \"x\"}\n"
                            : "{\"text\": \"b\\nb\", \"label\": \"y\"}\n";
    folder.write("train.jsonl", train);
    folder.write("test.jsonl", train + "{\"text\": \"a a\", \"label\": \"y\"}\n");
    const std::string few = "protocol = \"few-shot\"\ntrain = \"train.jsonl\"\n"
                            "test = \"test.jsonl\"\nsamples_per_label = 2\nexperiments = 3\n";
    const auto result = evaluated(folder, few);
    CHECK(result.metrics["accuracy"] == doctest::Approx(100 * 12.0 / 13));
    CHECK(result.details["learned_from"] == base::Json({4, 4, 4}));
    REQUIRE(result.outcomes.further.size() == 3);
    CHECK(result.outcomes.further[2].name == "experiment 3");
    CHECK(result.outcomes.further[2].predictions.size() == 13);
    const auto folds = evaluated(
        folder,
        "protocol = \"few-shot\"\ntest = \"test.jsonl\"\nfolds = 4\nsamples_per_label = 2\n");
    CHECK(folds.outcomes.groups.size() == 4);
    CHECK(folds.outcomes.rows.size() == 13);
}

TEST_CASE("the nearest items vote on each of several labels")
{
    const test::ScratchFolder folder;
    std::string rows;
    for (int i = 0; i < 10; ++i)
        rows += "{\"text\": \"a\", \"label\": [\"x\", \"z\"]}\n"
                "{\"text\": \"b b\", \"label\": [\"y\"]}\n";
    folder.write("train.jsonl", rows);
    folder.write("test.jsonl", "{\"text\": \"a\", \"label\": [\"x\"]}\n"
                               "{\"text\": \"b b\", \"label\": [\"y\"]}\n");
    const auto result = evaluated(folder, "protocol = \"multilabel\"\ntrain = \"train.jsonl\"\n"
                                          "test = \"test.jsonl\"\n");
    CHECK(result.metrics["accuracy"] == doctest::Approx(100)); // no test item has z: it is dropped
    CHECK(result.metrics["f1"] == doctest::Approx(100));
}

TEST_CASE("clusters of all rows, of drawn rows and of sets")
{
    const test::ScratchFolder folder;
    std::string rows;
    for (int i = 0; i < 20; ++i)
        rows += "{\"sentences\": \"a\", \"labels\": [\"x\", \"x1\"]}\n"
                "{\"sentences\": \"b b b\", \"labels\": [\"y\", \"y1\"]}\n";
    folder.write("test.jsonl", rows);
    const std::string all = "protocol = \"clustering\"\ntest = \"test.jsonl\"\n";
    const auto drawn =
        evaluated(folder, all + "sampling = \"mteb\"\nmax_fraction = 0.5\nclusterings = 2\n");
    CHECK(drawn.metrics["v_measure"] == doctest::Approx(100));
    CHECK(drawn.metrics["mteb"]["v_measure"] == doctest::Approx(1));
    CHECK(drawn.metrics["ntest"] == 20);
    CHECK(drawn.outcomes.groups.size() == 2);
    CHECK(drawn.outcomes.rows.size() == 40);
    CHECK(evaluated(folder, all + "sampling = \"mteb\"\nmax_fraction = 0\nclusterings = 1\n")
              .metrics["ntest"] == 40);

    folder.write("test.jsonl", "{\"sentences\": \"a\", \"labels\": 1}\n"
                               "{\"sentences\": \"a\", \"labels\": 1}\n"
                               "{\"sentences\": \"b b b\", \"labels\": 2}\n"
                               "{\"sentences\": \"b b b\", \"labels\": 1}\n");
    const auto whole = evaluated(folder, all);
    CHECK(whole.metrics["homogeneity"] ==
          doctest::Approx(100 * (1 - 0.5 * std::log(2) / (std::log(4) - 0.75 * std::log(3)))));
    folder.write("test.jsonl", R"({"sentences": ["a", "b b"], "labels": ["x", "y"]}
{"sentences": ["a", "b"], "labels": ["x", "x"]}
)");
    CHECK(evaluated(folder, all + "sampling = \"sets\"\n").metrics["v_measure"] ==
          doctest::Approx(100));
}

TEST_CASE("random draws go on from those for earlier parts of the task")
{
    tasks::BootstrapRules rules{.most = 30, .drawn = 70, .clusterings = 3, .earlier = {}};
    learn::PythonRandom random(42);
    for (const auto& [rows, levels] : {std::pair(100U, 2U), std::pair(20U, 1U)}) {
        rules.earlier.push_back({rows, levels});
        (void)random.sample(rows, std::min(rows, 30U));
        for (unsigned run = 0; run < 3 * levels; ++run)
            (void)random.choices(30 - run, 70); // of the rows that have the level
    }
    CHECK(tasks::mteb_rows(50, rules) == random.sample(50, 30));
    rules.most = {};
    rules.share = {};
    CHECK(tasks::mteb_rows(3, rules) == std::vector<std::uint32_t>{0, 1, 2});

    const test::ScratchFolder folder;
    std::string rows;
    for (int i = 0; i < 30; ++i) {
        std::string text = "b";
        for (int words = i % 10; words > 0; --words)
            text += " a";
        rows +=
            "{\"text\": \"" + text + "\", \"label\": [\"" + std::to_string(i % 10 / 4) + "\"]}\n";
    }
    folder.write("rows.jsonl", rows);
    const std::string keys = "protocol = \"multilabel\"\ntrain = \"rows.jsonl\"\n"
                             "test = \"rows.jsonl\"\nsamples_per_label = 3\n";
    const auto settings_of = [&](const std::string& more) {
        return described(folder, keys + more)->protocol_settings({});
    };
    CHECK(settings_of("earlier = [[30], [9]]\n")["earlier"].dump() == "[[30],[9]]");
    CHECK_FALSE(settings_of("").contains("earlier"));
    const auto drawn = [&](const std::string& more) {
        return evaluated(folder, keys + more).details["experiments"];
    };
    const base::Json five = drawn("experiments = 5\n"); // all from one generator
    const base::Json last = drawn("experiments = 1\nearlier = [[30], [30], [30], [30]]\n");
    CHECK(last[0] == five[4]);
    CHECK(last[0] != five[0]);
}

TEST_CASE("summaries near to a human one should be the better ones")
{
    const test::ScratchFolder folder;
    folder.write(
        "test.jsonl",
        R"({"text": "t", "human_summaries": ["a a a"], "machine_summaries": ["a a", "a b", "b b"], "relevance": [5, 3, 1]}
{"text": "t", "human_summaries": ["a"], "machine_summaries": ["a", "b"], "relevance": [2, 2]}
)");
    const auto result = evaluated(folder, "protocol = \"summarization\"\ntest = \"test.jsonl\"\n");
    CHECK(result.metrics["cosine_spearman"] == doctest::Approx(1));
    CHECK(result.outcomes.rows.size() == 1); // the second text has equal scores
}

TEST_CASE("own sets are warned of as other own data is, and warnings are accepted by name")
{
    const test::ScratchFolder folder;
    folder.write("train.tsv", "text\tlabel\na\tx\nb\ty\na b\tx\nb a\ty\n");
    folder.write("test.tsv", "text\tlabel\na\tx\n \ty\nc\tz\n");
    const std::string toml = "protocol = \"few-shot\"\ntrain = \"train.tsv\"\n"
                             "test = \"test.tsv\"\n";
    task::DataFolder data(folder.path());
    (void)described(folder, toml)->load(data);
    CHECK(data.data_warnings().size() == 3); // empty, a class that is not learned, a copy
    task::DataFolder accepting(folder.path());
    (void)described(folder, toml + "accept = [\"empty\", \"classes\", \"copies\"]\n")
        ->load(accepting);
    CHECK(accepting.data_warnings().empty());
    CHECK(accepting.accepted_warnings().size() == 3);
    CHECK_THROWS_AS((void)described(folder, toml + "accept = [\"copy\"]\n"), base::UsageError);
}

TEST_CASE("classes that no test item shares with the training part are an error")
{
    const test::ScratchFolder folder;
    const std::string toml =
        "protocol = \"few-shot\"\ntrain = \"train.jsonl\"\ntest = \"test.jsonl\"\n";
    folder.write("train.jsonl",
                 "{\"text\": \"a\", \"label\": 0}\n{\"text\": \"b\", \"label\": 1}\n");
    folder.write("test.jsonl",
                 "{\"text\": \"c\", \"label\": 0.0}\n{\"text\": \"d\", \"label\": 1.0}\n");
    task::DataFolder data(folder.path());
    CHECK_ERROR(base::Error, "'0.0', '1.0' are tested, '0', '1' learned",
                described(folder, toml)->load(data));
    folder.write("test.jsonl",
                 "{\"text\": \"c\", \"label\": 0}\n{\"text\": \"d\", \"label\": 1.0}\n");
    (void)described(folder, toml)->load(data);
    REQUIRE(data.data_warnings().size() == 2); // the other is that people take 1 and 1.0 for one
    CHECK(test::contains(data.data_warnings()[1], "by 1 test item: '1.0'"));
}

TEST_CASE("sets on which no encoder can differ are warned of, whatever the protocol")
{
    struct Set {
        std::string protocol;
        std::string rows;
        bool is_flat;
    };
    const std::string one = R"({"sentences": "a", "labels": "x"})"
                            "\n";
    const std::string two = R"({"sentences": "b", "labels": "y"})"
                            "\n";
    const auto pair = [](const char* first, const char* second, const char* more = "") {
        return fmt::format("{{\"sentence1\": \"{}\", \"sentence2\": \"{}\"{}}}\n", first, second,
                           more);
    };
    const std::string yes = ", \"labels\": 1";
    const std::string no = ", \"labels\": 0";
    for (const Set& set : std::vector<Set>{
             {"clustering", one, true},
             {"clustering", one + two, true},
             {"clustering", one + one, true},
             {"clustering", one + two + R"({"sentences": "c", "labels": "x"})", false},
             {"bitext", pair("a", "b"), true},
             {"bitext", pair("a", "b") + pair("c", "d"), false},
             {"bitext", pair("a", "b") + pair("a", "d"), true},
             {"pair-threshold", pair("a", "a", yes.c_str()) + pair("b", "b", no.c_str()), true},
             {"pair-threshold", pair("a", "b", yes.c_str()) + pair("a", "b", no.c_str()), true},
             {"pair-threshold", pair("a", "b", yes.c_str()) + pair("a", "c", no.c_str()), false},
             {"reranking", R"({"query": "q", "positive": ["a"], "negative": ["a"]})", true},
             {"reranking", R"({"query": "q", "positive": ["a"], "negative": ["b"]})", false}}) {
        CAPTURE(set.rows);
        const test::ScratchFolder folder;
        folder.write("x.jsonl", set.rows);
        task::DataFolder data(folder.path());
        (void)described(folder, fmt::format("protocol = \"{}\"\ntest = \"x.jsonl\"\n"
                                            "accept = [\"duplicates\"]\n",
                                            set.protocol))
            ->load(data);
        CHECK(data.data_warnings().empty() != set.is_flat);
    }
    const test::ScratchFolder folder;
    write_search(folder);
    for (const char* judged : {"q1\td1\t0\n", "q1\td1\t1\nq1\td2\t1\nq1\td3\t1\nq1\tq2\t1\n"}) {
        folder.write("qrels.tsv", std::string("query-id\tcorpus-id\tscore\n") + judged);
        task::DataFolder data(folder.path());
        (void)described(folder, search)->load(data);
        CHECK(data.data_warnings().size() == 1);
    }
}

TEST_CASE("what a row lacks is told as it is")
{
    const test::ScratchFolder folder;
    const auto said = [&](const std::string& protocol, const std::string& name,
                          const std::string& rows) {
        folder.write(name, rows);
        task::DataFolder data(folder.path());
        return test::error_of<base::Error>([&] {
            (void)described(folder,
                            fmt::format("protocol = \"{}\"\ntest = \"{}\"\n", protocol, name))
                ->load(data);
        });
    };
    CHECK(test::contains(said("clustering", "a.jsonl", R"({"sentences": "a"})"), "'labels'"));
    for (const auto& [protocol, name, rows] :
         {std::tuple("clustering", "a.jsonl", R"({"sentences": "a", "labels": null})"),
          {"reranking", "b.jsonl", R"({"query": "a", "positive": [], "negative": ["b"]})"},
          {"clustering", "c.csv", "sentences,labels,labels\na,x,y\n"}})
        CHECK_FALSE(said(protocol, name, rows).empty());
    folder.write("d.tsv", "sentences\tlabels\n\"\"\"a\"\" b\"\tx\n\"a, b\"\ty\nc\tx\n");
    task::DataFolder data(folder.path());
    (void)described(folder, "protocol = \"clustering\"\ntest = \"d.tsv\"\n")->load(data);
    REQUIRE(data.data_warnings().size() == 1);
    CHECK(test::contains(data.data_warnings()[0], "2 of 3 values of the column 'sentences'"));
}

TEST_CASE("pairs of a folder are what their further field says, and nothing is guessed")
{
    const test::ScratchFolder folder;
    const auto protocol = [&](const std::string& more, const std::string& other) {
        folder.write("test.jsonl", R"({"sentence1": "a", "sentence2": "b", "idx": 1)" + more +
                                       "}\n" + R"({"sentence1": "c", "sentence2": "d", "idx": 2)" +
                                       other + "}\n");
        const auto tables = tasks::describe_mteb_folder(folder.path());
        return tables.at(0).text("protocol") + " " + tables.at(0).text("target");
    };
    CHECK(protocol("", "") == "bitext ");
    CHECK(protocol(R"(, "label": 4.8)", R"(, "label": 0.4)") == "similarity label");
    CHECK(protocol(R"(, "label": 1)", R"(, "label": 0)") == "pair-threshold label");
    CHECK(protocol(R"(, "is_duplicate": true)", R"(, "is_duplicate": false)") ==
          "pair-threshold is_duplicate");
    CHECK(protocol(R"(, "score": 4)", R"(, "score": 0)") == "similarity score");
    CHECK(protocol(R"(, "labels": 1)", R"(, "labels": 0)") == "pair-threshold ");
    for (const auto& [more, other] : {std::pair(R"(, "label": 2)", R"(, "label": 0)"),
                                      {R"(, "label": null)", R"(, "label": null)"},
                                      {R"(, "label": "same")", R"(, "label": "other")"},
                                      {R"(, "label": 1)", ""},
                                      {"", R"(, "label": 0.5)"},
                                      {R"(, "a": 1, "b": 0.5)", R"(, "a": 1, "b": 0.5)"}})
        CHECK_THROWS_AS((void)protocol(more, other), base::UsageError);
}

TEST_CASE("a folder's set is doubted as own data, but for few copies")
{
    const test::ScratchFolder folder;
    std::string train;
    std::string test;
    for (int i = 0; i < 50; ++i) {
        train += fmt::format("{{\"text\": \"a {}\", \"label\": {}}}\n", i, i % 2);
        test += fmt::format("{{\"text\": \"b {}\", \"label\": {}}}\n", i, i % 2);
    }
    const auto doubts = [&](const std::string& rows) {
        folder.write("train.jsonl", train);
        folder.write("test.jsonl", rows);
        task::DataFolder data(folder.path());
        (void)tasks::make_custom_task(
            tasks::read_description(tasks::describe_mteb_folder(folder.path()).at(0)))
            ->load(data);
        return data.data_warnings().size();
    };
    CHECK(doubts(test) == 0);
    CHECK(doubts(test + train.substr(0, train.find('\n') + 1)) == 0);
    CHECK(doubts(train) == 1);
    CHECK(doubts(test + R"({"text": " ", "label": 1})") == 1);
    CHECK(doubts(test + R"({"text": "c", "label": 2})") == 1);
    const std::string good = R"({"text": "c", "label": 0, "label_text": "good"})";
    CHECK(doubts(test + good + "\n" + R"({"text": "d", "label": 0, "label_text": "good"})") == 0);
    CHECK(doubts(test + good + "\n" + R"({"text": "d", "label": 0, "label_text": "bad"})") == 1);
}

TEST_CASE("a folder of sets says what its tasks are")
{
    const test::ScratchFolder folder;
    write_search(folder);
    std::filesystem::create_directories(folder.path() / "sets/FEVER/qrels");
    std::filesystem::rename(folder.path() / "corpus.jsonl",
                            folder.path() / "sets/FEVER/corpus.jsonl");
    std::filesystem::rename(folder.path() / "queries.jsonl",
                            folder.path() / "sets/FEVER/queries.jsonl");
    std::filesystem::rename(folder.path() / "qrels.tsv",
                            folder.path() / "sets/FEVER/qrels/test.tsv");
    std::filesystem::create_directories(folder.path() / "sets/two/de-en");
    folder.write("sets/two/de-en/test.tsv", "sentence1\tsentence2\na\tb\n");
    folder.write("sets/other/test.tsv", "odd\tfield\na\tb\n");
    std::vector<std::string> skipped;
    const auto tables = tasks::describe_mteb_folder(folder.path() / "sets", &skipped);
    REQUIRE(skipped.size() == 1);
    CHECK(test::contains(skipped[0], {"sets/other/test.tsv: ", "field, odd"}));
    CHECK_ERROR(base::UsageError, "field, odd",
                tasks::describe_mteb_folder(folder.path() / "sets/other"));
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].text("protocol") == "search");
    CHECK(tables[0].find("ignore_identical_ids") != nullptr); // by its name
    CHECK(tables[1].text("protocol") == "bitext");
    CHECK(tables[1].text("name") == "two-de-en");
    CHECK(test::evaluate(*tasks::make_custom_task(tasks::read_description(tables[0])),
                         folder.path(), {})
              .metrics["nqueries"] == 2);
    CHECK_THROWS_AS((void)tasks::describe_mteb_folder(folder.path() / "nowhere"), base::UsageError);
}
