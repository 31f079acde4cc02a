// Import and export.
#include "base/error.hpp"
#include "compare/comparison.hpp"
#include "exchange/import.hpp"
#include "exchange/items_csv.hpp"
#include "exchange/mteb.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <map>
#include <tuple>

using namespace senteval;

namespace {

results::TaskRecord task_called(const std::string& name, const std::string& headline)
{
    return {name,
            "",
            headline,
            {{headline, "a number", results::percent, 2, true, {"accuracy", ""}}},
            {}};
}

std::vector<results::TaskRecord> some_tasks()
{
    return {task_called("CR", "acc"), task_called("STS12", "all.pearson.wmean"),
            task_called("STSBenchmark", "pearson"),
            task_called("STSBenchmarkUnsupervised", "pearson"),
            task_called("ImageCaptionRetrieval", "image_to_text.r1")};
}

/// Known are the parts of Rain, of two metrics; MTEB's own number of the second is under "mteb".
std::optional<results::TaskRecord>
mteb_part(const std::string& task, const std::string& subset, const std::string& split)
{
    if (task == "STS12" || task == "All") {
        results::TaskRecord record = task_called(task + "-mteb", "spearman");
        record.description["keys"] = {{"mteb", {{"task", task}}}, {"metric", "spearman"}};
        return record;
    }
    if (task != "Rain" || split == "train")
        return std::nullopt;
    results::TaskRecord record = task_called(task + "-" + subset + "-" + split, "mteb.v_measure");
    record.metrics.push_back(task_called("", "v_measure").metrics[0]);
    record.description["keys"] = {{"mteb", {{"task", task}, {"subset", subset}, {"split", split}}},
                                  {"metric", "v_measure"}};
    return record;
}

/// What becomes of a dictionary of the original, and what is said of it.
struct Imported {
    explicit Imported(const std::string& dictionary)
        : cells(exchange::import_results(dictionary, "old.json", "old", some_tasks(), problems))
    {
    }
    std::vector<std::string> problems;
    std::vector<results::Cell> cells;
};

/// What leaves to MTEB, and what is said of it.
struct Exported {
    explicit Exported(std::vector<results::Cell> cells)
        : files(exchange::to_mteb(compare::Results(std::move(cells)), problems))
    {
    }
    std::vector<std::string> problems;
    std::vector<exchange::MtebFile> files;
};

const exchange::MtebFile* find(const std::vector<exchange::MtebFile>& files, const std::string& end)
{
    const auto at = std::find_if(files.begin(), files.end(), [&](const auto& file) {
        return file.path.string().ends_with(end);
    });
    return at == files.end() ? nullptr : &*at;
}

} // namespace

TEST_CASE("a dictionary of the original becomes cells, whatever Python wrote into it")
{
    const auto& [problems, cells] = Imported(
        R"({"CR": {"devacc": 80.5, "acc": 79.25, "ndev": 3, "ntest": 3, "note": "NaN \" NaN"},
            "STS12": {"MSRpar": {"pearson": [0.5, 1e-9], "spearman": [NaN, -Infinity]},
                      "all": {"pearson": {"mean": 0.4, "wmean": 0.45}}},
            "ImageCaptionRetrieval": {"acc": [[10, 20, 30, 4], [11, 21, 31, 5]], "yhat": [1, 2]},
            "CRR": {"acc": 1}})");
    REQUIRE(cells.size() == 3);
    REQUIRE(problems.size() == 1);
    CHECK(test::contains(problems[0], "Did you mean 'CR'?"));
    CHECK(cells[0].result.metrics.at("acc") == 79.25);
    CHECK(cells[0].result.metrics.at("note") == "NaN \" NaN");
    const auto& sts = cells[1].result.metrics.at("MSRpar");
    CHECK(sts.at("pearson") == 0.5);
    CHECK(sts.at("pearson_p") == 1e-9);
    CHECK(sts.at("spearman").is_null());
    const auto& recall = cells[2].result.metrics;
    CHECK(recall.at("image_to_text").at("r1") == 10);
    CHECK(recall.at("text_to_image").at("median_rank") == 5);
    CHECK_FALSE(recall.contains("yhat"));
    CHECK(cells[1].result.headline() == 0.45);
}

TEST_CASE("a dictionary of SimCSE's copy is of the untrained tasks; without its headline a result "
          "is left out")
{
    const auto& [problems, cells] = Imported(
        R"({"STSBenchmark": {"train": {"pearson": [0.6, 0], "spearman": [0.6, 0], "nsamples": 5749},
                             "dev": {"pearson": [0.71, 0], "spearman": [0.72, 0], "nsamples": 1500},
                             "test": {"pearson": [0.73, 0.01], "spearman": [0.74, 0], "nsamples": 1379},
                             "all": {"pearson": {"all": 0.7}, "spearman": {"all": 0.7}}},
            "CR": {"devacc": 80}})");
    REQUIRE(cells.size() == 1);
    CHECK(problems.size() == 1);
    CHECK(cells[0].result.task.name == "STSBenchmarkUnsupervised");
    const base::Json expected = {{"devpearson", 0.71}, {"devpearson_p", 0}, {"devspearman", 0.72},
                                 {"devspearman_p", 0}, {"ndev", 1500},      {"pearson", 0.73},
                                 {"pearson_p", 0.01},  {"spearman", 0.74},  {"spearman_p", 0},
                                 {"ntest", 1379}};
    CHECK(cells[0].result.metrics == expected);
}

TEST_CASE("of a dictionary of SimCSE's copy in parts it is said which is missing")
{
    const auto left_out = [](const std::string& parts) {
        const Imported found("{\"CR\": {\"acc\": 80}, \"STSBenchmark\": " + parts + "}");
        return found.problems.empty() ? std::string() : found.problems.at(0);
    };
    const std::string one = R"({"pearson": [0.7, 0], "spearman": [0.7, 0], "nsamples": 9})";
    CHECK(left_out("{\"test\": " + one + "}").empty());
    for (const std::string part : {"train", "dev"})
        CHECK(test::contains(left_out("{\"" + part + "\": " + one + "}"), "no part 'test'"));
    CHECK(test::contains(left_out(R"({"all": {"pearson": {"all": 0.7}}})"), "no part 'test'"));
    CHECK(test::contains(left_out(R"({"test": 3, "dev": 4})"), "'pearson'"));
    CHECK(test::contains(left_out(R"({"test": {"spearman": [0.7, 0]}})"), "'pearson'"));
    CHECK(left_out(R"({"pearson": 0.8, "test": )" + one + "}")
              .empty()); // learned, as the module has both
}

TEST_CASE("what is no such dictionary, numbers that no evaluation can give, and bottomless ones "
          "are refused")
{
    for (const std::string& text :
         {std::string("{'CR': 1}"), std::string("[1]"), std::string("{}"),
          std::string(R"({"CR": 7})"), std::string(R"({"CR": {"acc": -5000}})"),
          std::string(R"({"CR": {"acc": 100.01}})"),
          std::string(R"({"CR": {"acc": 80, "ntest": -300}})"),
          std::string(R"({"CR": {"acc": 80, "ndev": 1.5}})"),
          std::string(R"({"STS12": {"MSRpar": {"pearson": [1.5, 0]}}})"),
          std::string(100'000, '[') + std::string(100'000, ']')})
        CHECK_THROWS_AS(Imported{text}, base::UsageError);
}

TEST_CASE("imported cells live in a store and stand untested beside others")
{
    const test::ScratchFolder scratch;
    const results::Store store(scratch / "store");
    std::vector<std::string> problems;
    for (auto& cell : Imported(R"({"CR": {"acc": 99}})").cells)
        store.save(cell);
    test::MadeCell own;
    own.metrics = {{"acc", 50.0}};
    own.items = test::class_items({{0, 0}, {1, 0}}, {1, 2});
    auto own_cell = test::made(own);
    store.save(own_cell);
    const compare::Results results(store.load_all(problems));
    CHECK(problems.empty());
    const auto comparison = compare::compare(results, {});
    REQUIRE(comparison.rows.size() == 2);
    const std::size_t old = comparison.rows[0] == "old" ? 0 : 1;
    const auto& entry = comparison.tasks[0].entries[old];
    CHECK(entry.score.value == 99);
    CHECK(entry.score.interval.low != entry.score.interval.low); // NaN
    CHECK(entry.verdict == compare::Verdict::unknown);
    CHECK(comparison.tasks[0].entries[1 - old].difference.open == compare::Open::no_items);
    CHECK(comparison.tasks[0].is_open);
    REQUIRE(comparison.notes.size() == 1);
    CHECK(test::contains(comparison.notes[0].text, "Imported results (old)"));
}

TEST_CASE("a folder of MTEB's results is read as MTEB's tasks, and others by their names")
{
    const test::ScratchFolder folder;
    std::filesystem::create_directories(folder.path() / "model/abc");
    folder.write("model/abc/model_meta.json", "{}");
    folder.write("model/abc/STS12.json",
                 R"({"task_name": "STS12", "scores": {"test": [
                    {"main_score": 0.8, "cosine_spearman": 0.8, "spearman": 0.1}]}})");
    folder.write("model/abc/CR.json",
                 R"({"task_name": "CR", "scores": {"test": [{"acc": 0.71}]}})");
    folder.write("model/abc/STSOld.json",
                 R"({"mteb_dataset_name": "STS12", "mteb_version": "0.0.2",
                    "test": {"cos_sim": {"spearman": 0.7, "pearson": 0.6}, "evaluation_time": 2}})");
    folder.write("model/abc/Other.json", R"({"task_name": "Other", "scores": {"test": [{}]}})");
    folder.write("model/abc/All.json",
                 R"({"task_name": "All", "scores": {"test": [{"main_score": 0.75}]}})");
    std::vector<std::string> problems;
    const results::MeanOfTasks mean{"All", {"STS12", "CR"}}; // which are there
    const auto cells =
        exchange::import_mteb(folder.path(), "model", some_tasks(), mteb_part, problems, {{mean}});
    REQUIRE(cells.size() == 3);
    CHECK(problems.size() == 1);
    CHECK(cells[0].result.metrics.at("acc") == doctest::Approx(71));
    CHECK(cells[1].result.task.name == "STS12-mteb");
    CHECK(cells[1].result.metrics.at("spearman") == doctest::Approx(80));
    CHECK(cells[2].result.metrics.at("spearman") == doctest::Approx(70));
    problems.clear();
    CHECK(exchange::import_mteb(folder.path(), "model", some_tasks(), mteb_part, problems).size() ==
          4);
    problems.clear();
    for (const char* acc : {"71", "-0.2"}) { // shares of 1
        folder.write(
            "model/abc/CR.json",
            fmt::format(R"({{"task_name": "CR", "scores": {{"test": [{{"acc": {}}}]}}}})", acc));
        CHECK_THROWS_AS(
            (void)exchange::import_mteb(folder.path(), "model", some_tasks(), mteb_part, problems),
            base::UsageError);
    }
    folder.write("model/abc/CR.json", "[]"); // costs itself only
    problems.clear();
    CHECK(exchange::import_mteb(folder.path(), "model", some_tasks(), mteb_part, problems).size() ==
          cells.size()); // and the mean
    CHECK(std::ranges::count_if(problems, [](const std::string& problem) {
              return problem.find("CR.json") != std::string::npos;
          }) == 1);
}

TEST_CASE("classification leaves as MTEB writes it, with its experiments")
{
    test::MadeCell cell;
    cell.encoder = "org/my glove";
    cell.metrics = {{"acc", 60.0}};
    cell.items = test::class_items({{0, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 0}}, {1, 1, 1, 1, 1});
    auto other = cell;
    other.settings["seed"] = 2;
    other.metrics = {{"acc", 80.0}};
    const auto files = Exported({test::made(cell), test::made(other)}).files;
    REQUIRE(files.size() == 2);
    CHECK(files[0].path.filename() == "model_meta.json");
    CHECK(files[1].path.string().starts_with("org__my_glove/"));
    const auto& content = files[1].content;
    CHECK(content.at("task_name") == "CR");
    CHECK(content.at("mteb_version").is_null());
    CHECK(content.at("date") == 1769860800.0);
    CHECK(content.at("evaluation_time") == 6.0);
    const auto& scores = content.at("scores").at("test").at(0);
    CHECK(scores.at("main_score") == 0.7);
    CHECK(scores.at("ap").is_null());
    CHECK(scores.at("hf_subset") == "default");
    CHECK(scores.at("languages").dump() == R"(["eng-Latn"])");
    REQUIRE(scores.at("scores_per_experiment").size() == 2);
    // F1 of "no": 2 / (2 + 1 + 1) = 1/2; of "yes": 4 / (4 + 1 + 1) = 2/3.
    CHECK(scores.at("f1") == doctest::Approx(7.0 / 12).epsilon(1e-5));
    CHECK(scores.at("f1_weighted") == doctest::Approx(0.4 * 0.5 + 0.6 * 2 / 3).epsilon(1e-5));
}

TEST_CASE("parts of a task of MTEB's leave in one file, as what they are")
{
    std::vector<results::Cell> cells;
    for (const auto& [subset, split, value] :
         {std::tuple("de", "test", 60.0), std::tuple("en", "test", 70.0),
          std::tuple("en", "dev", 80.0)}) {
        test::MadeCell cell;
        cell.task = std::string("Rain-") + subset + "-" + split;
        cell.headline = "mteb.v_measure";
        cell.metrics = {{"v_measure", 1.0}, {"mteb", {{"v_measure", value / 100}}}};
        cell.described = {{"mteb.v_measure", "", "share", 4, true},
                          {"v_measure", "", results::percent, 2, true}};
        cell.settings = {{"protocol", "clustering"}, {"mteb", "2.20"}};
        cells.push_back(test::made(cell));
        base::Json& description = cells.back().result.task.description;
        description["keys"]["mteb"] = {{"task", "Rain"},    {"subset", subset},
                                       {"split", split},    {"languages", {"deu-Latn"}},
                                       {"revision", "abc"}, {"version", "2.26.0"}};
    }
    const auto files = Exported(cells).files;
    REQUIRE(files.size() == 2);
    CHECK(files[1].path.filename() == "Rain.json");
    const base::Json& file = files[1].content;
    CHECK(file.at("task_name") == "Rain");
    CHECK(file.at("dataset_revision") == "abc");
    CHECK(file.at("mteb_version") == "2.26.0");
    CHECK(file.at("evaluation_time") == 9.0);
    std::map<std::string, double> scores; // as split and subset
    for (const auto& [split, parts] : file.at("scores").items())
        for (const base::Json& part : parts) {
            CHECK(part.at("languages") == base::Json::array({"deu-Latn"}));
            scores[split + part.at("hf_subset").get<std::string>()] = part.at("main_score");
        }
    CHECK(scores == std::map<std::string, double>{{"testde", .6}, {"testen", .7}, {"deven", .8}});

    for (results::Cell& cell : cells)
        cell.result.task.description["keys"]["mteb"]["main_score"] = "p-MRR";
    const Exported without(cells);
    CHECK(without.files.size() == 1);
    CHECK(without.problems.size() == 3);
}

TEST_CASE("MTEB's repository of results is read: several models, parts, old files")
{
    const test::ScratchFolder folder;
    for (const char* of : {"one__a/1", "one__a/2", "two__b/1"})
        std::filesystem::create_directories(folder.path() / of);
    folder.write("one__a/1/model_meta.json", R"({"name": "one/a", "revision": "1"})");
    folder.write("one__a/2/model_meta.json", R"({"name": "one/a", "revision": "2"})");
    const std::string today =
        R"({"task_name": "Rain", "dataset_revision": "abc", "mteb_version": "1.34.0", "scores": {
            "dev": [{"hf_subset": "en", "languages": ["eng-Latn"], "main_score": 0.5, "v_measure": 0.5}],
            "train": [{"hf_subset": "en", "languages": ["eng-Latn"], "main_score": 0.9}],
            "test": [{"hf_subset": "en", "languages": ["eng-Latn"], "main_score": 0.25},
                     {"hf_subset": "de", "languages": ["deu-Latn"], "main_score": null}]}})";
    folder.write("one__a/1/Rain.json", today);
    folder.write("one__a/2/Rain.json", today);
    folder.write("one__a/2/Other.json", R"({"task_name": "Other", "scores": {"test": [{}, {}]}})");
    folder.write(
        "two__b/1/Rain.json",
        R"({"mteb_dataset_name": "Rain", "mteb_version": "0.0.2", "dataset_revision": "abc",
                     "test": {"de": {"v_measure": 0.75}, "evaluation_time": 3}})");
    std::vector<std::string> problems;
    const auto import = [&](const std::string& label) {
        problems.clear();
        return exchange::import_mteb(folder.path(), label, some_tasks(), mteb_part, problems);
    };
    std::map<std::string, double> values;
    for (const results::Cell& cell : import("")) {
        values[cell.result.encoder.label + " " + cell.result.task.name] =
            cell.result.headline().value();
        CHECK_FALSE(cell.result.metrics.contains("v_measure")); // ours is another number
        CHECK(cell.result.task.of_mteb("revision") == "abc");
    }
    CHECK(values == std::map<std::string, double>{{"one/a@1 Rain-en-dev", 50},
                                                  {"one/a@1 Rain-en-test", 25},
                                                  {"one/a@2 Rain-en-dev", 50},
                                                  {"one/a@2 Rain-en-test", 25},
                                                  {"two/b Rain-de-test", 75}});
    CHECK(problems.size() == 3); // two without a main score, and an unknown task
    CHECK_THROWS_AS(import("label"), base::UsageError);

    // Scores alone have ranks over tasks, with intervals.
    std::vector<results::Cell> cells = import("");
    std::erase_if(cells, [](const auto& cell) { return cell.result.encoder.label == "two/b"; });
    compare::Options options;
    options.across_tasks = true;
    const auto table = compare::compare(compare::Results(std::move(cells)), options);
    REQUIRE(table.across);
    CHECK(table.across->tasks.size() == 2);
    CHECK(table.across->mean_ranks == std::vector<double>{1.5, 1.5});
    CHECK(table.across->intervals.at(0).high == 1.5);
}

TEST_CASE("a mean of tasks leaves in a file of its own, where all of them are there")
{
    std::vector<results::Cell> cells;
    for (const auto& [task, value] : {std::pair("Gis", 60.0), std::pair("Tex", 70.0)}) {
        test::MadeCell cell;
        cell.task = task;
        cell.headline = "ndcg_at_10";
        cell.metrics = {{"ndcg_at_10", value}};
        cell.described = {{"ndcg_at_10", "", results::percent, 2, true}};
        cell.settings = {{"protocol", "search"}, {"mteb", "2.20"}};
        cells.push_back(test::made(cell));
        cells.back().result.task.description["keys"]["mteb"] = {{"task", task}};
    }
    std::vector<std::string> problems;
    const std::vector<results::MeanOfTasks> means = {{"Dup", {"Gis", "Tex"}},
                                                     {"Other", {"Gis", "Unix"}}};
    const auto files = exchange::to_mteb(compare::Results(cells), problems, means);
    CHECK(files.size() == 4);
    CHECK(find(files, "/Other.json") == nullptr);
    const auto* mean = find(files, "/Dup.json");
    REQUIRE(mean != nullptr);
    CHECK(mean->content.at("task_name") == "Dup");
    CHECK(mean->content.at("dataset_revision") == "1");
    const base::Json& scores = mean->content.at("scores").at("test").at(0);
    CHECK(scores.at("hf_subset") == "default");
    CHECK(scores.at("languages") == base::Json::array({"eng-Latn"}));
    for (const char* key : {"ndcg_at_10", "main_score"})
        CHECK(scores.at(key) == .65);
}

TEST_CASE("drawn clusterings leave by level, under MTEB's keys alone")
{
    test::MadeCell cell;
    cell.headline = "v_measure";
    cell.metrics = {{"v_measure", 40.0}, {"mteb", {{"v_measure", 0.5}, {"ami", 0.3}}}};
    cell.described = {{"v_measure", "", results::percent, 2, true},
                      {"mteb.ami", "", "share", 4, true}};
    cell.settings = {{"protocol", "clustering-bootstrapped"}, {"mteb", "2.20"}, {"clusterings", 2}};
    results::Cell made = test::made(cell);
    made.result.details = {{"v_measures", {0.4, 0.5, 0.6, 0.5}}};
    const auto files = Exported({made}).files;
    base::Json scores = files.at(1).content.at("scores").at("test").at(0);
    CHECK(scores.at("main_score") == 0.5);
    CHECK(scores.at("v_measures").dump() == R"({"Level 0":[0.4,0.5],"Level 1":[0.6,0.5]})");
    CHECK(scores.at("ami") == 0.3);
    CHECK_FALSE(scores.contains("mteb.ami"));
}

TEST_CASE("summaries leave with what MTEB calls their correlations")
{
    test::MadeCell cell;
    cell.headline = "cosine_spearman";
    cell.metrics = {{"cosine_spearman", .4}, {"cosine_pearson", .3}};
    cell.described = {{"cosine_spearman", "", "", 4, true}, {"cosine_pearson", "", "", 4, true}};
    cell.settings = {{"protocol", "summarization"}, {"mteb", "2.20"}};
    const Exported exported({test::made(cell)});
    const auto& scores = exported.files.at(1).content.at("scores").at("test").at(0);
    for (const char* key : {"spearman", "cosine_spearman", "main_score"})
        CHECK(scores.at(key) == .4);
    CHECK(scores.at("pearson") == .3);
}

TEST_CASE("similarity leaves under MTEB's names, with its main score")
{
    test::MadeCell cell;
    cell.task = "STSBenchmarkUnsupervised";
    cell.headline = "pearson";
    cell.metrics = {{"pearson", 0.9}, {"spearman", 0.5}, {"mteb", {{"manhattan_spearman", 0.25}}}};
    cell.settings = {{"protocol", "similarity"}, {"similarity", "cosine"}};
    auto learned = cell;
    learned.task = "STSBenchmark";
    learned.settings = {{"protocol", "relatedness"}};
    const auto files = Exported({test::made(cell), test::made(learned)}).files;
    const auto* plain = find(files, "/STSBenchmark.json");
    REQUIRE(plain != nullptr);
    const auto& scores = plain->content.at("scores").at("test").at(0);
    CHECK(scores.at("main_score") == 0.5);
    CHECK(scores.at("cosine_spearman") == 0.5);
    CHECK(scores.at("manhattan_spearman") == 0.25);
    const auto* other = find(files, "/STSBenchmarkLearned.json");
    REQUIRE(other != nullptr);
    CHECK(other->content.at("scores").at("test").at(0).at("main_score") == 0.9);
}

TEST_CASE("imported similarity leaves with MTEB's main score, the rank correlation over all pairs")
{
    const auto& [problems, cells] = Imported(
        R"({"STSBenchmark": {"dev": {"pearson": [0.71, 0], "spearman": [0.72, 0]},
                             "test": {"pearson": [0.73, 0], "spearman": [0.74, 0]}},
            "STS12": {"all": {"pearson": {"all": 0.5, "wmean": 0.45},
                              "spearman": {"all": 0.55, "wmean": 0.46}}}})");
    const Exported exported(cells);
    const auto& files = exported.files;
    const auto scores = [&](const std::string& name) {
        const auto* file = find(files, name);
        REQUIRE(file != nullptr);
        return file->content.at("scores").at("test").at(0);
    };
    CHECK(scores("/STSBenchmark.json").at("main_score") == 0.74);
    CHECK(scores("/STSBenchmark.json").at("cosine_pearson") == 0.73);
    CHECK(scores("/STS12.json").at("main_score") == 0.55);
    CHECK(scores("/STS12.json").at("cosine_spearman") == 0.55);
    CHECK(problems.empty());
    CHECK(exported.problems.empty());

    const Exported original(
        Imported(R"({"STS12": {"all": {"pearson": {"wmean": 0.45}, "spearman": {"wmean": 0.46}}}})")
            .cells);
    CHECK(find(original.files, "/STS12.json") == nullptr);
    CHECK(original.problems.size() == 1);
}

TEST_CASE("what leaves says which test items the encoder was trained on")
{
    test::MadeCell cell;
    cell.encoder = "seen";
    cell.items = test::class_items({{0, 0}, {0, 1}, {1, 1}}, {1, 1, 1});
    auto seen = test::made(cell);
    seen.result.overlap = {2, 3};
    cell.encoder = "new";
    const compare::Results results({seen, test::made(cell)});
    std::vector<std::string> problems;
    const auto files = exchange::to_mteb(results, problems);
    for (const std::string encoder : {"seen", "new"}) {
        CAPTURE(encoder);
        const auto at = [&](const std::string& end) -> const base::Json& {
            return std::find_if(files.begin(), files.end(),
                                [&](const auto& file) {
                                    return file.path.string().starts_with(encoder) &&
                                           file.path.string().ends_with(end);
                                })
                ->content;
        };
        const base::Json& sets = at("model_meta.json").at("training_datasets");
        const base::Json& scores = at("CR.json").at("scores").at("test").at(0);
        if (encoder == "new") {
            CHECK(sets.is_null());
            CHECK_FALSE(scores.contains("test_items_trained_on"));
        } else {
            CHECK(sets == base::Json({"CR"}));
            CHECK(scores.at("test_items_trained_on") == "2 of 3");
        }
    }
    const std::string items = exchange::items_to_csv(results).at(0).content;
    CHECK(test::contains(items,
                         {"source_second,trained_on,doubts\nnew,1111,0,0,", "\nseen,1111,0,0,"}));
    CHECK(items.ends_with(",2 of 3,\n"));
}

TEST_CASE("what leaves says that its data is not the published set")
{
    test::MadeCell cell;
    cell.items = test::class_items({{0, 0}, {0, 1}, {1, 1}}, {1, 1, 1});
    auto limited = test::made(cell);
    limited.result.data.doubts = {"limited to 3 items, see \"--limit\""};
    const compare::Results results({limited});
    std::vector<std::string> problems;
    for (const auto& file : exchange::to_mteb(results, problems))
        if (file.path.string().ends_with("CR.json"))
            CHECK(file.content.at("scores").at("test").at(0).at("data_doubts").at(0) ==
                  "limited to 3 items, see \"--limit\"");
    CHECK(exchange::items_to_csv(results).at(0).content.ends_with(
        ",,\"limited to 3 items, see \"\"--limit\"\"\"\n"));
}
