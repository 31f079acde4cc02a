#include "base/error.hpp"
#include "base/files.hpp"
#include "fakes/fakes.hpp"
#include "run/evaluate.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::FakeSource;
using test::FakeTask;
using test::Protocol;
using Lines = std::vector<std::string>;

namespace {

std::vector<task::Settings> seeds(std::initializer_list<std::uint32_t> seeds)
{
    std::vector<task::Settings> variants;
    for (const std::uint32_t seed : seeds)
        variants.emplace_back().seed = seed;
    return variants;
}

struct Options : run::EvaluateOptions {
    std::vector<task::Settings> variants = {task::Settings{}};
};

void evaluate(std::span<const run::EncoderSource> encoders,
              std::span<const task::Task* const> tasks,
              const Options& options,
              run::Observer& observer)
{
    run::evaluate(encoders, tasks,
                  run::in_order(run::all_units(encoders.size(), tasks, options.variants)), options,
                  observer);
}

/// What is told of a run of one encoder.
struct Told : Protocol {
    Told(const FakeSource& encoder,
         const std::vector<const task::Task*>& tasks,
         const Options& options = {})
    {
        evaluate({&encoder.source, 1}, tasks, options, *this);
    }
};

Lines run_lines(const FakeSource& encoder,
                const std::vector<const task::Task*>& tasks,
                const Options& options)
{
    return Told(encoder, tasks, options).lines;
}

} // namespace

TEST_CASE("each task is run under each variant, and the document tells all about it")
{
    const FakeTask mr("MR");
    const FakeTask cr("CR");
    const FakeSource encoder;
    Options options;
    options.variants = seeds({100, 200});
    const Told protocol(encoder, {&mr, &cr}, options);
    CHECK(protocol.lines == Lines{"started fake MR", "finished fake 104.0", "finished fake 204.0",
                                  "started fake CR", "finished fake 104.0", "finished fake 204.0"});
    CHECK(encoder.created == 1);

    const results::Result& result = protocol.cells[0].result;
    CHECK(result.schema == "senteval-result/2");
    CHECK(result.encoder.dimension == 2);
    CHECK(result.task.name == "MR");
    CHECK(result.protocol.seed() == 100);
    CHECK(result.coverage->tokens == 4);
    CHECK(result.coverage->types_known == 1);
    CHECK(result.run.sentences_encoded == 2);

    const auto& traits = protocol.cells[0].items.traits;
    CHECK(traits.at(0).tokens_first == 2);
    CHECK(traits.at(0).tokens_second == 0);
    CHECK(std::isnan(traits.at(0).overlap));
    CHECK(traits.at(0).unknown == 0.5F);
    CHECK(traits.at(1).overlap == doctest::Approx(1.0 / 3)); // b of a, b, c
    CHECK(traits.at(1).tokens_second == 2);
}

TEST_CASE("variants that do not differ for a task are run once")
{
    const FakeTask seedless("STS14", false);
    const FakeSource encoder;
    Options options;
    options.variants = seeds({1, 2, 3});
    CHECK(run_lines(encoder, {&seedless}, options) ==
          Lines{"started fake STS14", "finished fake 4.0"});
}

TEST_CASE("a task that fails is reported and the next one goes on")
{
    FakeTask broken("MR");
    broken.in_load = [] { throw base::Error("no data"); };
    FakeTask worse("CR");
    worse.in_run = [] { throw std::runtime_error("no memory"); };
    const FakeTask good("TREC", false);
    CHECK(run_lines(FakeSource(), {&broken, &worse, &good}, {}) ==
          Lines{"started fake MR", "failed fake MR: no data", "started fake CR",
                "failed fake CR: no memory", "started fake TREC", "finished fake 4.0"});
}

TEST_CASE("an encoder that cannot start fails every task, and is not tried again")
{
    const FakeTask mr("MR");
    const FakeTask cr("CR");
    FakeSource encoder;
    encoder.in_create = [] { throw base::UsageError("no model"); };
    CHECK(run_lines(encoder, {&mr, &cr}, {}) == Lines{"started fake MR", "failed fake MR: no model",
                                                      "started fake CR",
                                                      "failed fake CR: no model"});
    CHECK(encoder.created == 1);
}

TEST_CASE("a broken claim is told of the encoder's other results, too")
{
    const FakeTask before("MR", false);
    FakeTask tried("CR", false);
    for (const char letter : std::string("defghijklmno"))
        tried.more.push_back(std::string("b ") + letter);
    const FakeTask after("TREC", false);
    FakeSource encoder;
    encoder.when_alone = 0.5;
    const Told protocol(encoder, {&before, &tried, &after});
    REQUIRE(protocol.lines.size() == 7);
    CHECK(protocol.lines[3].find("failed fake CR") == 0);
    CHECK(protocol.lines[4] == "warned fake gave other vectors the second time: what came before "
                               "that may be wrong, too (results: 1)");
    CHECK(protocol.lines[6] == "finished fake 4.0");
    REQUIRE(protocol.cells.size() == 2);
    CHECK(protocol.cells[0].result.run.warnings.empty());
    const auto& warnings = protocol.cells[1].result.run.warnings;
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("on CR, a sentence does not always have the same vector") == 0);
}

TEST_CASE("a stop request keeps what is finished and begins nothing more")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    std::stop_source stop;
    const FakeTask first("MR", false);
    FakeTask second("CR", false);
    second.in_run = [&] { stop.request_stop(); };
    FakeTask third("TREC");
    third.in_load = [] { FAIL("the third task was begun"); };
    Options options;
    options.store = &store;
    options.stop = stop.get_token();
    Protocol protocol;
    const FakeSource encoder;
    const std::array<const task::Task*, 3> tasks = {&first, &second, &third};
    CHECK_THROWS_AS(evaluate({&encoder.source, 1}, tasks, options, protocol), base::Cancelled);
    CHECK(protocol.cells.size() == 2);
    std::vector<std::string> problems;
    CHECK(store.load_all(problems).size() == 2);
}

TEST_CASE("stored results are computed again, kept where their input is the same, or just kept")
{
    const test::ScratchFolder folder;
    const results::Store store(folder / "results");
    const FakeTask task("MR", false);
    Options options;
    options.store = &store;
    options.data = folder.path();
    folder.write("file.txt", "one");
    bool takes_the_place = false; // of a result of other data
    const auto run_with = [&](run::Overwrite overwrite, const FakeSource& encoder) {
        options.overwrite = overwrite;
        const Lines lines = run_lines(encoder, {&task}, options);
        const bool warns = lines.at(1).starts_with("warned ");
        CHECK(warns == takes_the_place);
        return lines.at(warns ? 2 : 1);
    };

    CHECK(run_with(run::Overwrite::missing, FakeSource()) == "finished fake 4.0");
    FakeSource second("renamed");
    CHECK(run_with(run::Overwrite::missing, second) == "kept renamed 4.0");
    CHECK(run_with(run::Overwrite::never, second) == "kept renamed 4.0");
    CHECK(second.created == 0); // no model is loaded for nothing
    CHECK(run_with(run::Overwrite::always, second) == "finished renamed 4.0");
    CHECK(run_with(run::Overwrite::missing, FakeSource("fake", "other")) == "finished fake 4.0");

    folder.write("file.txt", "two");
    CHECK(run_with(run::Overwrite::never, FakeSource()) == "kept fake 4.0");
    takes_the_place = true;
    CHECK(run_with(run::Overwrite::missing, FakeSource()) == "finished fake 4.0");
    takes_the_place = false;
    CHECK(run_with(run::Overwrite::missing, FakeSource()) == "kept fake 4.0");
}

TEST_CASE("another protocol is another result")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    const FakeTask task("MR");
    Options options;
    options.store = &store;
    options.overwrite = run::Overwrite::never;
    options.variants = seeds({1});
    CHECK(run_lines(FakeSource(), {&task}, options).at(1) == "finished fake 5.0");
    options.variants = seeds({1, 2});
    CHECK(run_lines(FakeSource(), {&task}, options) ==
          Lines{"started fake MR", "kept fake 5.0", "finished fake 6.0"});
}

TEST_CASE("a result that cannot be stored is reported all the same")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.write("file", "not a folder"));
    const FakeTask task("MR", false);
    Options options;
    options.store = &store;
    const Lines lines = run_lines(FakeSource(), {&task}, options);
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == "finished fake 4.0");
    CHECK(lines[2].find("failed fake MR: the result cannot be stored: cannot create folder") == 0);
}

TEST_CASE("a second run takes the vectors from the cache, one that cannot be written is a warning")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder / "cache", 1U << 20U);
    const FakeTask task("MR", false);
    Options options;
    options.cache = &cache;
    const FakeSource encoder;
    for (const int cached : {0, 2})
        CHECK(Told(encoder, {&task}, options).cells.at(0).result.run.sentences_from_cache ==
              cached);
    const encoder::EmbeddingCache none(folder.write("file", "x"), 1U << 20U);
    options.cache = &none;
    const Lines lines = run_lines(encoder, {&task}, options);
    REQUIRE(lines.size() == 3);
    CHECK(lines[1].find("warned the embeddings are not cached: ") == 0);
    CHECK(lines[2] == "finished fake 4.0");
}

TEST_CASE("an encoder that is not batch-invariant is embedded once for all settings")
{
    const FakeTask task("MR");
    FakeSource encoder;
    encoder.source.capabilities.batch_invariant = false;
    Options options;
    options.variants = seeds({1, 2, 3});
    options.batch_size = 7;
    const Told protocol(encoder, {&task}, options);
    CHECK(protocol.lines ==
          Lines{"started fake MR", "finished fake 5.0", "finished fake 6.0", "finished fake 7.0"});
    CHECK(protocol.cells_started == 3);
    CHECK(protocol.cells.at(2).result.run.sentences_encoded == 2);
    CHECK(protocol.cells.at(0).result.encoder.batch_size == 7);
}

TEST_CASE("the batch size counts for an encoder that depends on it, and for no other")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    const FakeTask task("MR", false);
    Options options;
    options.store = &store;
    options.overwrite = run::Overwrite::missing;
    for (const bool invariant : {true, false}) {
        FakeSource encoder("fake", invariant ? "aa" : "bb");
        encoder.source.capabilities.batch_invariant = invariant;
        options.batch_size = 8;
        CHECK(run_lines(encoder, {&task}, options).at(1) == "finished fake 4.0");
        CHECK(run_lines(encoder, {&task}, options).at(1) == "kept fake 4.0");
        options.batch_size = 9;
        CHECK(run_lines(encoder, {&task}, options).at(1) ==
              (invariant ? "kept fake 4.0" : "finished fake 4.0"));
    }
}

TEST_CASE("projections are cells of their own, skipped where there is nothing to project")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    const FakeTask mr("MR", false);
    const FakeTask cr("CR", false);
    const FakeSource encoder;
    Options options;
    options.store = &store;
    options.overwrite = run::Overwrite::missing;
    for (const std::size_t dimension : {0U, 1U, 2U}) {
        options.variants.resize(dimension + 1);
        if (dimension > 0)
            options.variants.back().projection = {embedding::ProjectionKind::random, dimension};
    }
    const Told protocol(encoder, {&mr, &cr}, options);
    REQUIRE(protocol.cells.size() == 4);
    CHECK(protocol.cells_started == 6);
    CHECK(protocol.lines.at(2) == "skipped fake has 2 dimensions: it is not brought to 2");
    CHECK(protocol.lines.at(6) == "skipped "); // told once
    const results::Result& plain = protocol.cells[0].result;
    const results::Result& projected = protocol.cells[1].result;
    CHECK(plain.encoder.fingerprint == projected.encoder.fingerprint);
    CHECK(plain.dimension == 2);
    CHECK(projected.dimension == 1);
    CHECK(projected.protocol.projection().starts_with("@1 "));
    CHECK(projected.run.sentences_encoded == 2);
    CHECK(encoder.created == 1);

    const FakeSource again; // what is stored says that there is nothing to project
    CHECK(run_lines(again, {&mr, &cr}, options).size() == 8);
    CHECK(again.created == 0);
}

TEST_CASE("the data of a task is inspected once, whatever the encoders")
{
    const FakeTask good("MR", false);
    const FakeTask broken("CR", false);
    const FakeSource first("first");
    const FakeSource second("second");
    int inspections = 0;
    Options options;
    options.inspect_data = [&](const task::Task& task, const task::DataFolder&) {
        ++inspections;
        if (task.info().name == "CR")
            throw base::Error("an error page");
        return std::vector<std::string>{"a subset"};
    };
    Protocol protocol;
    const std::array<const task::Task*, 2> tasks = {&good, &broken};
    const std::array sources = {first.source, second.source};
    evaluate(sources, tasks, options, protocol);
    CHECK(inspections == 2);
    CHECK(protocol.lines ==
          Lines{"started first MR", "warned of data MR: a subset", "finished first 4.0",
                "started first CR", "failed first CR: an error page", "started second MR",
                "finished second 4.0", "started second CR", "failed second CR: an error page"});
    CHECK(protocol.cells.at(1).result.data.doubts.at(0) == "a subset");
}

TEST_CASE("the vectors of a task that fails after it was embedded stay in the cache")
{
    const test::ScratchFolder folder;
    const encoder::EmbeddingCache cache(folder.path(), 1U << 20U);
    FakeTask failing("MR");
    failing.in_run = [] { throw base::Error("no memory"); };
    const FakeTask sound("MR");
    const FakeSource encoder;
    Options options;
    options.cache = &cache;
    CHECK(run_lines(encoder, {&failing}, options).back() == "failed fake MR: no memory");
    const Told protocol(encoder, {&sound}, options);
    CHECK(protocol.cells.at(0).result.run.sentences_from_cache == 2);
}
