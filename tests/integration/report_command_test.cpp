// From encoders to the report, slices and exchange, as a person types it.
#include "base/files.hpp"
#include "base/json.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>

using namespace senteval;

namespace {

const std::string samples = test::quoted(test::source_dir() / "data" / "samples");

test::Run senteval_program(const std::string& arguments)
{
    return test::shell(test::quoted(test::binary_dir() / "senteval") + " " + arguments);
}

/// Two encoders on a few tasks of the sample data.
std::string store_in(const test::ScratchFolder& scratch)
{
    std::string store = test::quoted(scratch / "store");
    const auto vectors =
        test::quoted(test::source_dir() / "data" / "samples" / "vectors" / "sample.50d.txt");
    const test::Run run = senteval_program("run --set vectors=" + vectors +
                                           " --encoder glove --encoder paragram --tasks "
                                           "STS12,TREC --data " +
                                           samples + " --output " + store + " -q");
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return store;
}

} // namespace

TEST_CASE("the report of a store shows encoders, tasks, slices and errors, and nothing fails in it")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto page = scratch / "report.html";
    const test::Run run = senteval_program("report " + store + " -o " + test::quoted(page) +
                                           " --title 'Two encoders' --errors 2 --data " + samples);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const std::string html = base::read_file(page);
    for (const char* part : {"<title>Two encoders</title>", "glove", "paragram", "STS12", "TREC",
                             "length of the longer sentence", "gold class", "id=\"errors\"",
                             "id=\"provenance\"", "sample.50d.txt"}) {
        INFO(part);
        CHECK(test::contains(html, part));
    }
    CHECK(!test::contains(html, "id=\"published\"")); // the data are samples
    const test::Run again = senteval_program("report " + store +
                                             " -o - --title 'Two encoders' "
                                             "--errors 2 --data " +
                                             samples);
    CHECK(again.out == html);
}

TEST_CASE(
    "a damaged result costs the exit code, whatever reads the store, and the others are shown")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch / "store"))
        if (entry.path().extension() == ".json") {
            std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
            break;
        }
    const std::string export_command = "export --output " + test::quoted(scratch / "out") + " ";
    for (const std::string& command : {std::string("compare "), std::string("report -o - "),
                                       std::string("analyse standing "), export_command}) {
        CAPTURE(command);
        const test::Run run = senteval_program(command + store);
        CHECK(run.exit_code == 1);
        CHECK(!run.out.empty());
        CHECK(test::contains(run.err, ".json"));
    }
}

TEST_CASE("compare slices the test sets and shows the worst errors when asked")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    const test::Run text =
        senteval_program("compare " + store + " --slices --errors 1 --data " + samples);
    CHECK(text.exit_code == 0);
    CHECK(test::contains(text.out, "TREC* by gold class"));
    CHECK(test::contains(text.out, "TREC*, glove: the worst 1 error"));
    const test::Run json = senteval_program("compare " + store + " --slices --format json");
    CHECK(base::Json::parse(json.out).at("slices").size() >= 4);
    for (const char* idle : {"--slices --format csv", "--details --format json", "--plain",
                             "--plain --format csv", "--table sts --slices"})
        CHECK_MESSAGE(senteval_program("compare " + store + " " + idle).exit_code == 2, idle);
    CHECK(senteval_program("compare " + store + " --errors 3").exit_code !=
          0); // where is the data?
}

TEST_CASE("tasks of a comparison are named as a run knows them")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto compare = [&](const std::string& arguments) {
        return test::shell("cd " + test::quoted(scratch.path()) + " && " +
                           test::quoted(test::binary_dir() / "senteval") + " compare " + arguments);
    };
    const test::Run one = compare("--tasks STS12 --format csv " + store);
    CHECK(one.exit_code == 0);
    CHECK_FALSE(test::contains(one.out, "TREC"));
    for (const char* spelling : {"sts-12", "'sts_12'", "'STS12*'"})
        CHECK(compare(store + " --format csv --tasks " + spelling).out == one.out);
    const test::Run two = compare("--format csv --tasks STS12,TREC " + store);
    CHECK(two.exit_code == 0);
    CHECK(compare(store + " --format csv --tasks STS12 TREC").out == two.out);
}

TEST_CASE("results go out to MTEB's files and come in from the original's dictionary")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto folder = scratch / "mteb";
    REQUIRE(senteval_program("export " + store + " --output " + test::quoted(folder)).exit_code ==
            0);
    std::size_t found = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder))
        if (file.path().filename() == "STS12.json") {
            const auto json = base::Json::parse(base::read_file(file.path()));
            CHECK(json.at("scores").at("test").at(0).at("main_score").is_number());
            ++found;
        }
    CHECK(found == 2);

    const auto old = scratch.write("old.json", R"({"TREC": {"devacc": NaN, "acc": 88.2}})");
    CHECK(senteval_program("import " + test::quoted(old) + " --encoder InferSent --output " + store)
              .exit_code == 0);
    const test::Run compared = senteval_program("compare " + store + "");
    CHECK(test::contains(compared.out, "InferSent"));
    CHECK(test::contains(compared.out, "Imported results (InferSent)"));
    CHECK(
        senteval_program("report " + store + " -o " + test::quoted(scratch / "r.html")).exit_code ==
        0);
    CHECK(senteval_program("import " + test::quoted(scratch.write("bad.json", "{}")) +
                           " --encoder x --output " + store)
              .exit_code == 2);
}

TEST_CASE("seeds and halves of the training part are run, stored and exported")
{
    const test::ScratchFolder scratch;
    const auto store = test::quoted(scratch / "store");
    const auto vectors =
        test::quoted(test::source_dir() / "data" / "samples" / "vectors" / "sample.50d.txt");
    const test::Run run = senteval_program(
        "run --set vectors=" + vectors +
        " --encoder glove --encoder glove --set pooling=max --tasks TREC,STS12 --seeds 3 "
        "--resample-training 5 --data " +
        samples + " --output " + store);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    CHECK(test::contains(run.err, "TREC, seed 1112, half 2 of the training part: acc"));
    const test::Run json = senteval_program("compare " + store + " --format json");
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
    CHECK(senteval_program("export " + store + " --format items --output " + test::quoted(folder))
              .exit_code == 0);
    const std::string csv = base::read_file(folder / "TREC.csv");
    CHECK(csv.starts_with("encoder,seed,resample,item,group,gold,prediction,score,"));
    CHECK(test::contains(csv, ",1112,2,0,")); // the second half, under the second seed
    const test::Run plan = senteval_program("plan-test --task TREC " + store);
    CHECK(plan.exit_code == 0);
    CHECK(test::contains(plan.out, "TREC"));
    const test::Run not_there = senteval_program("plan-test --task TRECK " + store);
    CHECK(not_there.exit_code == 2);
    const auto file = scratch / "file";
    base::write_file_atomically(file, "text");
    const test::Run a_file = senteval_program("compare " + test::quoted(file));
    CHECK(a_file.exit_code == 2);
    CHECK(test::contains(a_file.err, "is a file, but a result store is a folder"));
    const test::Run nowhere = senteval_program("plan-test nowhere --task TREC");
    CHECK(nowhere.exit_code == 2);
}

TEST_CASE("a store in which nothing succeeded does not hide the others")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    std::filesystem::create_directories(scratch / "nothing");
    const auto nothing = test::quoted(scratch / "nothing");
    const test::Run both = senteval_program("compare " + store + " " + nothing);
    CAPTURE(both.err);
    CHECK(both.exit_code == 1);
    CHECK(test::contains(both.out, "glove"));
    CHECK(test::contains(both.err, "nothing' has no results: it is left out"));
    const test::Run alone = senteval_program("compare " + nothing);
    CHECK(alone.exit_code == 2);
    CHECK(test::contains(alone.err, "nothing'"));
}

TEST_CASE("a path after '=' may begin with ~, whatever the command")
{
    const test::ScratchFolder scratch;
    const auto store = store_in(scratch);
    const auto at_home = [&](const std::string& arguments) {
        return test::shell("cd / && HOME=" + test::quoted(scratch.path()) + " " +
                           test::quoted(test::binary_dir() / "senteval") + " " + arguments);
    };
    CHECK(at_home("merge " + store + " --output='~/merged'").exit_code == 0);
    CHECK(at_home("compare '~/merged'").exit_code == 0);
    CHECK(at_home("export '~/merged' --format items --output='~/items'").exit_code == 0);
    CHECK(std::filesystem::exists(scratch / "items" / "TREC.csv"));
    CHECK(at_home("report '~/merged' --output='~/page.html'").exit_code == 0);
    CHECK(std::filesystem::exists(scratch / "page.html"));
}
