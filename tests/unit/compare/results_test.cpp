// Rows of the cells of a store: who was tested on what, under which settings.
#include "base/error.hpp"
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

using namespace senteval;
using compare::Results;
using Names = std::vector<std::string>;

namespace {

/// Of an encoder with parameters of its own. `settings`: beyond those of a trained task.
results::Cell cell(const std::string& encoder,
                   const std::string& task,
                   int seed = 1,
                   const base::Json& settings = base::Json::object())
{
    test::MadeCell made = test::trained(encoder, 100, seed);
    made.task = task;
    made.settings.update(settings);
    return test::made(made);
}

results::Cell dated(results::Cell cell, const std::string& date)
{
    cell.result.run.date = date;
    return cell;
}

Names labels(const Results& results)
{
    Names all;
    std::ranges::transform(results.rows(), std::back_inserter(all), &compare::Row::label);
    return all;
}

std::vector<std::uint64_t> seeds(const compare::Runs& runs)
{
    std::vector<std::uint64_t> all;
    for (const results::Cell* run : runs)
        all.push_back(run->result.protocol.seed().value_or(0));
    return all;
}

base::Json variant(const std::string& label, const std::string& precision)
{
    return {{"variant", {{"label", label}, {"precision", precision}}}};
}

} // namespace

TEST_CASE("cells of one encoder under one protocol are one row, its runs in order of their seeds")
{
    const Results results({cell("glove", "MR", 3), cell("borep", "CR", 1), cell("glove", "CR", 1),
                           cell("glove", "MR", 1), cell("glove", "MR", 2)});
    CHECK(labels(results) == Names{"borep", "glove"});
    CHECK(results.tasks() == Names{"MR", "CR"});
    const compare::Row& glove = results.rows()[1];
    CHECK(seeds(glove.tasks[0]) == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(seeds(glove.tasks[1]) == std::vector<std::uint64_t>{1});
    CHECK(results.rows()[0].tasks[0].empty());
    CHECK(glove.dimension == 100);
    CHECK(glove.bytes == 400);
    CHECK(results.cells().size() == 5);
    CHECK(results.notes().empty());
    CHECK(results.metrics(0).front().path == "acc");
    CHECK(results.metrics(0).size() == test::usual_metrics().size());
}

TEST_CASE("of a result that was found twice the later copy stays, and is no second seed")
{
    results::Cell late = dated(cell("glove", "MR"), "2026-03-01T00:00:00Z");
    late.result.run.threads = 7;
    const Results results({cell("glove", "MR"), late, cell("glove", "MR")});
    REQUIRE(results.rows().size() == 1);
    REQUIRE(results.rows()[0].tasks[0].size() == 1);
    CHECK(results.rows()[0].tasks[0][0]->result.run.threads == 7);
}

TEST_CASE("results of other data than the latest are left out, and counted in a note")
{
    results::Cell old = dated(cell("glove", "MR", 2), "2026-01-01T00:00:00Z");
    old.result.data.files["MR.txt"] = "other";
    results::Cell older = dated(cell("glove", "MR", 3), "2025-01-01T00:00:00Z");
    older.result.data.files["MR.txt"] = "another";
    results::Cell of_other_encoder = dated(cell("borep", "MR", 2), "2025-01-01T00:00:00Z");
    of_other_encoder.result.data.files["MR.txt"] = "other";
    const Results results({old, cell("glove", "MR", 1), older, of_other_encoder});
    CHECK(labels(results) == Names{"borep", "glove"});
    CHECK(seeds(results.rows()[1].tasks[0]) == std::vector<std::uint64_t>{1});
    REQUIRE(results.notes().size() == 1);
    const std::string note = results.notes()[0].text;
    CHECK(test::contains(note, "MR of 'glove'"));
    CHECK(test::contains(note, "2026-01-31T12:00:00Z"));
    CHECK(note.ends_with("2."));
}

TEST_CASE("results of data that is in doubt stand in a row of their own")
{
    results::Cell doubtful = cell("glove", "MR", 1);
    doubtful.result.data.doubts = {"a subset"};
    const Results results({doubtful, cell("glove", "MR", 1)});
    CHECK(labels(results) == Names{"glove", "glove (data=doubtful)"});
    CHECK(compare::data_warnings_of(results.rows()[1].tasks[0]) == Names{"a subset"});
    test::MadeCell some = test::trained("glove", 100, 1);
    some.task = "MR";
    some.settings["limit"] = 100;
    results::Cell limited = test::made(some);
    limited.result.data.doubts = {"a smoke run", "a subset"}; // the limit is a doubt, too
    CHECK(labels(Results({doubtful, limited})) == Names{"glove", "glove (limit=100)"});
}

TEST_CASE("encoders of one label are called by what differs, one of two labels by the later")
{
    test::MadeCell mean = test::trained("glove", 100, 1);
    mean.parameters = {{"pooling", "mean"}};
    test::MadeCell max = test::trained("glove", 100, 1);
    max.parameters = {{"pooling", "max"}};
    results::Cell renamed = dated(test::made(max), "2026-02-01T00:00:00Z");
    renamed.result.task.name = "CR";
    renamed.result.protocol.fingerprint = "CR";
    CHECK(labels(Results({test::made(mean), test::made(max)})) ==
          Names{"glove pooling=max", "glove pooling=mean"});
    renamed.result.encoder.label = "new name";
    const Results results({test::made(mean), test::made(max), renamed});
    CHECK(labels(results) == Names{"glove", "new name"});
    CHECK(results.rows_called("new name").size() == 1);
    REQUIRE(results.notes().size() == 1);
    CHECK(test::contains(results.notes()[0].text, "'glove' and 'new name'"));
}

TEST_CASE("rows stand by pattern, then by the earliest date, then by label")
{
    Results results({dated(cell("c", "MR"), "2026-01-01T00:00:00Z"),
                     dated(cell("c", "CR"), "2026-01-09T00:00:00Z"),
                     dated(cell("b", "MR"), "2026-01-05T00:00:00Z"),
                     dated(cell("a", "MR"), "2026-01-05T00:00:00Z")});
    CHECK(labels(results) == Names{"c", "a", "b"});
    results.order_rows(Names{"b", "A"});
    CHECK(labels(results) == Names{"b", "a", "c"});
    results.order_tasks(Names{"SST2", "CR"});
    CHECK(results.tasks() == Names{"CR", "MR"});
    CHECK(results.rows()[0].tasks[0].empty());
    results.keep_encoders(Names{"c", "b"});
    CHECK(labels(results) == Names{"c", "b"});
    results.keep_tasks(Names{"C*"});
    CHECK(results.tasks() == Names{"CR"});
    CHECK(labels(results) == Names{"c"});
    REQUIRE(results.notes().size() == 1);
    CHECK(test::contains(results.notes()[0].text, "b, without a result of CR"));
    CHECK_THROWS_AS(results.keep_tasks(Names{"MR"}), base::UsageError);
    CHECK_THROWS_AS(results.keep_encoders(Names{"a"}), base::UsageError);
}

TEST_CASE("versions of one name stand together by time, called by version, then by date")
{
    const auto version = [](const char* version, int right, const char* date) {
        results::Cell one = dated(test::made(test::trained("mine", right, 1)), date);
        one.result.encoder.id = "callback";
        one.result.encoder.version = version;
        one.result.encoder.fingerprint = date;
        return one;
    };
    Results results({version("epoch 10", 120, "2026-03-10T00:00:00Z"),
                     version("epoch 2", 150, "2026-03-02T00:00:00Z"), cell("other", "CR"),
                     version("epoch 1", 180, "2026-03-01T00:00:00Z"),
                     version("epoch 1", 110, "2026-03-11T00:00:00Z")});
    CHECK(compare::compare_best_first(results, {}).rows ==
          Names{"mine epoch 1 (2026-03-01T00:00:00)", "mine epoch 2", "mine epoch 10",
                "mine epoch 1 (2026-03-11T00:00:00)", "other"});
}

TEST_CASE("variants stand behind the full vectors, from large to small")
{
    const Results results({cell("m", "MR", 1, variant("binary", "binary")),
                           cell("m", "MR", 1, variant("int8", "int8")), cell("m", "MR"),
                           cell("m", "MR", 1, variant("float16", "float16")), cell("n", "MR")});
    CHECK(labels(results) == Names{"m", "m float16", "m int8", "m binary", "n"});
    CHECK(results.rows()[3].bytes == 13); // 100 bits
    CHECK(results.rows()[3].is_variant());
    CHECK_FALSE(results.rows()[0].is_variant());
    test::MadeCell small = test::trained("m", 100, 1);
    small.settings["projection"] = {{"kind", "random"}, {"dimension", 50}};
    small.projected_to = 50;
    const Results projected({cell("m", "MR"), test::made(small)});
    CHECK(labels(projected) == Names{"m", "m @50 random"});
    CHECK(projected.rows()[1].dimension == 50);
    CHECK_FALSE(projected.rows()[1].is_variant());
}

TEST_CASE("halves of the training part are no runs of a row, but stand beside them")
{
    const Results results({cell("glove", "MR", 1, {{"resample", 2}}), cell("glove", "MR", 1),
                           cell("glove", "MR", 2, {{"resample", 1}}),
                           cell("glove", "MR", 1, {{"resample", 1}})});
    REQUIRE(results.rows().size() == 1);
    CHECK(results.rows()[0].tasks[0].size() == 1);
    const compare::Runs& halves = results.rows()[0].resampled[0];
    REQUIRE(halves.size() == 3);
    CHECK(halves[0]->result.protocol.resample() == 1);
    CHECK(seeds(halves) == std::vector<std::uint64_t>{1, 2, 1});
    CHECK(halves[2]->result.protocol.resample() == 2);
}

TEST_CASE("a result that other settings do not concern stands once, in the plainest row")
{
    const results::Cell untrained = test::untrained("glove", "STS12", 10, 7);
    const Results results({cell("glove", "MR", 1, {{"normalise", "z"}}),
                           cell("glove", "MR", 1, {{"normalise", "none"}}), untrained});
    CHECK(labels(results) == Names{"glove", "glove (normalise=z)"});
    CHECK(results.rows()[0].tasks[1].size() == 1);
    CHECK(results.rows()[1].tasks[1].empty());
    CHECK(results.rows()[1].settings == std::map<std::string, std::string>{{"normalise", "z"}});
    CHECK(results.rows_called("glove").size() == 1);
    REQUIRE(results.notes().size() == 1);
    CHECK(results.notes()[0].text.starts_with("STS12: "));
}

TEST_CASE("test items that were trained on are told of the first run that knows")
{
    results::Cell seen = cell("glove", "MR", 2);
    seen.result.overlap = {3, 200};
    const Results results({cell("glove", "MR", 1), seen});
    CHECK(compare::training_overlap(results.rows()[0].tasks[0]) == "3 of 200");
    CHECK(compare::training_overlap({}).empty());
}
