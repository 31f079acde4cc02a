// From encoders to the report, slices and exchange, as a person types it.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

/// Two encoders on a few tasks of the sample data.
std::string store_in(const ScratchFolder& scratch)
{
    std::string store = quoted(scratch / "store");
    host(0, "run" + glove_option +
                " --encoder paragram --set vectors=" + quoted(samples / "vectors/sample.50d.txt") +
                on_samples("STS12,TREC") + " --output " + store + " -q");
    return store;
}

} // namespace

TEST_CASE("the report of a store shows encoders, tasks, slices and errors, and nothing fails in it")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto page = scratch / "report.html";
    host(0, "report " + store + " -o " + quoted(page) + " --title 'Two encoders' --errors 2" +
                data_option);
    const std::string html = base::read_file(page);
    for (const char* part : {"<title>Two encoders</title>", "glove", "paragram", "STS12", "TREC",
                             "length of the longer sentence", "gold class", "id=\"errors\"",
                             "id=\"provenance\"", "sample.50d.txt"}) {
        INFO(part);
        CHECK(contains(html, part));
    }
    CHECK(!contains(html, "id=\"published\"")); // the data are samples
    const Run again = host("report " + store +
                           " -o - --title 'Two encoders' "
                           "--errors 2" +
                           data_option);
    CHECK(again.out == html);
}

TEST_CASE(
    "a damaged result costs the exit code, whatever reads the store, and the others are shown")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch / "store"))
        if (entry.path().extension() == ".json") {
            std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
            break;
        }
    const std::string export_command = "export" + into(scratch / "out") + " ";
    for (const std::string& command : {std::string("compare "), std::string("report -o - "),
                                       std::string("analyse standing "), export_command}) {
        CAPTURE(command);
        const Run run = host(1, command + store);
        CHECK(!run.out.empty());
        CHECK(contains(run.err, ".json"));
    }
}

TEST_CASE("compare slices the test sets and shows the worst errors when asked")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    const Run text = host(0, "compare " + store + " --slices --errors 1" + data_option);
    CHECK(contains(text.out, {"TREC* by gold class", "TREC*, glove: the worst 1 error"}));
    const Run json = host("compare " + store + " --slices --format json");
    CHECK(base::Json::parse(json.out).at("slices").size() >= 4);
    for (const char* idle : {"--slices --format csv", "--details --format json", "--plain",
                             "--plain --format csv", "--table sts --slices"})
        CHECK_MESSAGE(host("compare " + store + " " + idle).exit_code == 2, idle);
    CHECK(host("compare " + store + " --errors 3").exit_code != 0); // where is the data?
}

TEST_CASE("tasks of a comparison are named as a run knows them")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto compare = [&](const std::string& arguments) {
        return shell("cd " + quoted(scratch.path()) + " && " + program + " compare " + arguments);
    };
    const Run one = compare("--tasks STS12 --format csv " + store);
    CHECK(one.exit_code == 0);
    CHECK_FALSE(contains(one.out, "TREC"));
    for (const char* spelling : {"sts-12", "'sts_12'", "'STS12*'"})
        CHECK(compare(store + " --format csv --tasks " + spelling).out == one.out);
    const Run two = compare("--format csv --tasks STS12,TREC " + store);
    CHECK(two.exit_code == 0);
    CHECK(compare(store + " --format csv --tasks STS12 TREC").out == two.out);
}

TEST_CASE("results go out to MTEB's files and come in from the original's dictionary")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto folder = scratch / "mteb";
    host(0, "export " + store + into(folder));
    std::size_t found = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
        if (file.path().filename() == "STS12.json") {
            const auto json = base::Json::parse(base::read_file(file.path()));
            CHECK(json.at("scores").at("test").at(0).at("main_score").is_number());
            ++found;
        }
    CHECK(found == 2);

    const auto old = scratch.write("old.json", R"({"TREC": {"devacc": NaN, "acc": 88.2}})");
    host(0, "import " + quoted(old) + " --encoder InferSent --output " + store);
    const Run compared = host("compare " + store + "");
    CHECK(contains(compared.out, {"InferSent", "Imported results (InferSent)"}));
    host(0, "report " + store + " -o " + quoted(scratch / "r.html"));
    host(2, "import " + quoted(scratch.write("bad.json", "{}")) + " --encoder x --output " + store);
}

TEST_CASE("seeds and halves of the training part are run, stored and exported")
{
    const ScratchFolder scratch;
    const auto store = quoted(scratch / "store");
    const Run run = host(0, "run" + glove_option + glove_option + " --set pooling=max" +
                                on_samples("TREC,STS12") + " --seeds 3 --resample-training 5" +
                                " --output " + store);
    CHECK(contains(run.err, "TREC, seed 1112, half 2 of the training part: acc"));
    const Run json = host("compare " + store + " --format json");
    const auto cells = base::Json::parse(json.out).at("cells");
    REQUIRE(cells.size() == 4);
    for (const auto& cell : cells)
        if (cell.at("task") == "TREC") {
            CHECK(cell.at("seeds") == 3);
            CHECK(cell.at("training_sets") == 5);
            CHECK(cell.at("values").size() == 3);
            CHECK(cell.at("verdict") == "no verdict"); // fewer than five seeds
        }
    const auto folder = scratch / "items";
    host(0, "export " + store + " --format items" + into(folder));
    const std::string csv = base::read_file(folder / "TREC.csv");
    CHECK(csv.starts_with("encoder,seed,resample,item,group,gold,prediction,score,"));
    CHECK(contains(csv, ",1112,2,0,")); // the second half, under the second seed
    const Run plan = host(0, "plan-test --task TREC " + store);
    CHECK(contains(plan.out, "TREC"));
    host(2, "plan-test --task TRECK " + store);
    const auto file = scratch / "file";
    base::write_file_atomically(file, "text");
    const Run a_file = host(2, "compare " + quoted(file));
    CHECK(contains(a_file.err, "is a file, but a result store is a folder"));
    host(2, "plan-test nowhere --task TREC");
}

TEST_CASE("a store in which nothing succeeded does not hide the others")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    std::filesystem::create_directories(scratch / "nothing");
    const auto nothing = quoted(scratch / "nothing");
    const Run both = host(1, "compare " + store + " " + nothing);
    CHECK(contains(both.out, "glove"));
    CHECK(contains(both.err, "nothing' has no results: it is left out"));
    const Run alone = host(2, "compare " + nothing);
    CHECK(contains(alone.err, "nothing'"));
}

TEST_CASE("a path after '=' may begin with ~, whatever the command")
{
    const ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto at_home = [&](const std::string& arguments) {
        return shell("cd / && HOME=" + quoted(scratch.path()) + " " + program + " " + arguments);
    };
    CHECK(at_home("merge " + store + " --output='~/merged'").exit_code == 0);
    CHECK(at_home("compare '~/merged'").exit_code == 0);
    CHECK(at_home("export '~/merged' --format items --output='~/items'").exit_code == 0);
    CHECK(std::filesystem::exists(scratch / "items" / "TREC.csv"));
    CHECK(at_home("report '~/merged' --output='~/page.html'").exit_code == 0);
    CHECK(std::filesystem::exists(scratch / "page.html"));
}
