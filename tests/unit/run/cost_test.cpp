#include "run/computer.hpp"
#include "run/cost.hpp"
#include "run/past.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace senteval;
using core::Json;

namespace {

const Json nested = {{"protocol", "inner_kfold"},
                     {"kfold", 10},
                     {"normalise", "none"},
                     {"classifier", {{"classifier", "softmax"}}}};
const Json once = {
    {"protocol", "split"}, {"normalise", "none"}, {"classifier", {{"classifier", "softmax"}}}};
constexpr task::Size thousand_items{1000, 0, 2, 1};

/// A result of this machine.
Json document(const std::string& task, const Json& settings, double fit, std::size_t threads)
{
    Json one = {{"encoder", {{"fingerprint", "e"}, {"dimension", 100}}},
                {"task", {{"name", task}}},
                {"protocol", {{"settings", settings}}},
                {"dimension", 100},
                {"run",
                 {{"threads", threads},
                  {"sentences_encoded", 500},
                  {"seconds", {{"embed", 0.5}, {"fit", fit}}}}}};
    one["run"].update(run::computer());
    return one;
}

} // namespace

TEST_CASE("a cell costs in proportion to its items and classes, and by its folds")
{
    const double one = run::fit_seconds(once, thousand_items, 1000);
    CHECK(one > 0);
    CHECK(run::fit_seconds(once, {2000, 0, 2, 1}, 1000) == doctest::Approx(2 * one));
    CHECK(run::fit_seconds(once, {1000, 0, 6, 1}, 1000) == doctest::Approx(3 * one));
    CHECK(run::fit_seconds(once, {1000, 0, 2, 4}, 1000) > 3 * one);
    CHECK(run::fit_seconds(nested, thousand_items, 1000) == doctest::Approx(90 * one));
    Json half = once;
    half["resample"] = 1;
    CHECK(run::fit_seconds(half, thousand_items, 1000) == doctest::Approx(one / 2));
    Json choosing = once;
    choosing["normalise"] = {"none", "z", "l2"};
    CHECK(run::fit_seconds(choosing, thousand_items, 1000) == doctest::Approx(3 * one));
    CHECK(run::fit_seconds({{"protocol", "subsets"}}, {0, 5000, 0, 0}, 1000) < one * 10);
    const Json retrieval = {{"protocol", "retrieval"}, {"normalise", "none"}};
    const auto ranked = [&](std::size_t images, std::size_t dimension) {
        return run::fit_seconds(retrieval, {1000, 0, 5, 1, images}, dimension);
    };
    CHECK(ranked(2048, 300) == doctest::Approx(ranked(300, 2048))); // both are mapped
    CHECK(ranked(2048, 300) > 5 * ranked(48, 100));
    CHECK(run::fit_jobs(nested) == 100);
    CHECK(run::fit_jobs(once) == 1);
    CHECK(run::fit_processes(nested) == 100);
    CHECK(run::fit_processes(choosing) == 1); // no folds
}

TEST_CASE(
    "memory is that of different sentences, and of the features of pairs where they are stored")
{
    CHECK(run::vector_bytes({thousand_items, 300, 200}, 1000) >= 200 * 1000 * 4);
    CHECK(run::vector_bytes({thousand_items, 300, 200}, 1000) < 200 * 1100 * 4);
    CHECK(run::feature_bytes(once, thousand_items, 1000, 2) == 0); // read where the vectors lie
    CHECK(run::feature_bytes(once, {1000, 0, 2, 2}, 1000, 2) >= 1000 * 2000 * 4);
    const Json retrieval = {{"protocol", "retrieval"}};
    CHECK(run::feature_bytes(retrieval, {1000, 0, 5, 1, 2048}, 300, 1) >
          31 * 128 * (4000 + 2348) * 4);
    Json choosing = once;
    choosing["normalise"] = {"none", "z"};
    CHECK(run::feature_bytes(choosing, thousand_items, 1000, 2) >= 2 * 1000 * 1000 * 4);
}

TEST_CASE("earlier results tell dimension, pace of encoding, and how fast the machine fits")
{
    const double told = run::fit_seconds(nested, thousand_items, 100);
    run::Past past({document("MR", nested, told, 2), document("MR", nested, told * 2, 2),
                    document("TREC", once, 1000, 1)});
    CHECK(past.dimension("e", "MR") == 100);
    CHECK(past.dimension("e", "another") == 100); // the same on both tasks
    CHECK_FALSE(past.dimension("f", "MR"));
    CHECK(past.encode_seconds("e") == doctest::Approx(0.001));
    CHECK_FALSE(past.encode_seconds("f"));

    CHECK(past.fit_factor("MR", nested).value == 1);
    CHECK(past.fit_factor("MR", nested).factor > 2);
    past.learn("MR", thousand_items);
    CHECK(past.fits() == 2);
    const run::Guess same_task = past.fit_factor("MR", nested); // two threads took that long
    CHECK(same_task.value == doctest::Approx(4));
    CHECK(past.fit_factor("SUBJ", nested).value == doctest::Approx(4));
    CHECK(past.fit_factor("SUBJ", nested).factor >= same_task.factor);
}

TEST_CASE("what was computed elsewhere tells nothing of this machine")
{
    Json other = document("MR", nested, 1, 2);
    other["run"]["processor"] = "another";
    run::Past past(std::vector<Json>{other});
    past.learn("MR", thousand_items);
    CHECK(past.fits() == 0);
    CHECK_FALSE(past.encode_seconds("e"));
}
