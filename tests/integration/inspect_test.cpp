#include "program/program.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <string>

using namespace senteval;
using test::host;
using test::quoted;

namespace {

/// The results of a run of the [[task]]s that `senteval inspect FILE OPTIONS` prints, on one-hot vectors.
base::Json results_of_inspected(const test::ScratchFolder& folder, const std::string& arguments)
{
    const auto here = "cd " + quoted(folder.path()) + " && " + test::program;
    const std::string said = test::shell(0, here + " inspect " + arguments).out;
    folder.write("run.toml", said.substr(said.find("[[task]]")));
    return test::json_of(test::shell(0, here + " run -q --encoder onehot --json - run.toml"))
        .at("results");
}

} // namespace

TEST_CASE("what inspect prints runs, whatever the file is called, and raw text is no doubt")
{
    const test::ScratchFolder folder;
    std::string rows = "text,label\n";
    for (int i = 0; i < 30; ++i)
        rows += fmt::format("\"a good film{},\nreally.\",pos\na bad film{}!,neg\n", i, i);
    folder.write("Tickets, \xC3\x9C 'bersicht.csv", rows);
    const auto results = results_of_inspected(folder, quoted("Tickets, \xC3\x9C 'bersicht.csv") +
                                                          " --text text --label label");
    REQUIRE(results.size() == 1);
    CHECK(results[0].at("task") == "Tickets--\xC3\x9C-'bersicht");
    CHECK_FALSE(results[0].at("document").at("data").contains("doubts"));
    const auto here = "cd " + quoted(folder.path()) + " && " + test::program + " inspect ";
    const std::string said = test::shell(0, here + "*.csv --text text --label label --name N").out;
    CHECK(test::contains(
        said, {"pos  a good film0,\\nreally.\n", "name = \"N\"\n", "senteval run N.toml "}));
    const std::string columns = test::shell(0, here + "*.csv").out; // a hint that can be pasted
    const auto hint = columns.find("senteval inspect ");
    const auto file = columns.substr(hint + 17, columns.find(" --text", hint) - hint - 17);
    test::shell(0, here + file + " --text text --label label");
}

TEST_CASE("pairs are offered what trains nothing beside what does")
{
    const test::ScratchFolder folder;
    std::string rows;
    for (int i = 0; i < 30; ++i)
        rows += fmt::format("{{\"a\": \"dog {0} runs\", \"b\": \"{1} {0} sleeps\", \"same\": {2}, "
                            "\"score\": {3}}}\n",
                            i, i % 2 == 0 ? "dog" : "cat", i % 2 == 0, 5 - i % 6);
    folder.write("pairs.jsonl", rows);
    folder.write("dev.jsonl", rows);
    const auto labelled =
        results_of_inspected(folder, "pairs.jsonl --text a --text2 b --label same");
    REQUIRE(labelled.size() == 2);
    CHECK(labelled[1].at("task") == "pairs-untrained");
    CHECK(labelled[1].at("metrics").at("cosine_ap") ==
          doctest::Approx(100)); // two words of three are the same
    const auto scored = results_of_inspected(
        folder, "pairs.jsonl --text a --text2 b --score score --dev dev.jsonl --test dev.jsonl");
    REQUIRE(scored.size() == 2);
    CHECK(scored[1].at("metrics").contains("devspearman"));
}

TEST_CASE("a run says what the values of sets mean, and which folder is none")
{
    const test::ScratchFolder folder;
    folder.write("sets/a/test.tsv", "sentence1\tsentence2\tfar\na\ta b\t4.5\nb\ta\t0\nc\td\t1\n");
    folder.write("sets/b/test.tsv", "odd\nx\n");
    const std::string said = host(0, "run --encoder onehot --mteb " + quoted(folder / "sets") +
                                         " --output " + quoted(folder / "results"))
                                 .err;
    CHECK(test::contains(said, {"a: similarity by 'far': more means more alike\n",
                                "b/test.tsv: has the fields odd."}));
}
