#include "base/error.hpp"
#include "results/result.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;
using results::Metric;

TEST_CASE("a metric is found by its path, whose keys may have dots, where it is a number")
{
    const Json metrics = {{"all", {{"pearson", {{"wmean", 0.5}}}}},
                          {"surprise.OnWN", {{"pearson", 0.25}}},
                          {"surprise", {{"mean", 7}}},
                          {"name", "x"},
                          {"undefined", std::numeric_limits<double>::quiet_NaN()},
                          {"null", nullptr}};
    const auto value = [&](const std::string& path) {
        return Metric{path, "", ""}.value_in(metrics);
    };
    CHECK(value("all.pearson.wmean") == 0.5);
    CHECK(value("surprise.OnWN.pearson") == 0.25);
    CHECK(value("surprise.mean") == 7);
    for (const char* path :
         {"all", "all.pearson.mean", "name", "name.x", "undefined", "null", "", "surprise.OnWN"})
        CHECK(!value(path).has_value());
}

TEST_CASE("a value outside of its metric's range is no result, whatever wrote it")
{
    const auto is_possible = [](const Metric& metric, double value) {
        results::Result result;
        result.task.metrics = {metric};
        result.metrics[metric.path] = value;
        try {
            results::require_possible(result);
        } catch (const base::Error&) {
            return false;
        }
        return true;
    };
    const Metric share{"acc", "", results::percent, 2, true, {"accuracy", ""}};
    const Metric adjusted{"ari", "", results::percent};
    const Metric r{"r", "", results::correlation};
    const Metric error{"mse", "", "", 4, false};
    for (const auto& [metric, value, expected] : {std::tuple(share, 100 + 1e-9, true),
                                                  {share, 100.01, false},
                                                  {share, -0.2, false},
                                                  {share, 4520, false},
                                                  {adjusted, -20, true},
                                                  {adjusted, 101, false},
                                                  {r, -1, true},
                                                  {r, 74.9, false},
                                                  {error, 1e9, true},
                                                  {error, -1, false}})
        CHECK(is_possible(metric, value) == expected);
}

TEST_CASE("a metric has its digits, its direction and its scale")
{
    const Metric accuracy{"acc", "accuracy", results::percent};
    CHECK(accuracy.text(72.456) == "72.46");
    CHECK(accuracy.scale() == 100);
    CHECK(accuracy.axis() == "accuracy, %");
    CHECK(accuracy.is_better(2, 1));
    const Metric error{"mse", "mean squared error", "squared error", 4, false};
    CHECK(error.text(0.52084) == "0.5208");
    CHECK(error.text(std::numeric_limits<double>::quiet_NaN()) == "-");
    CHECK(error.scale() == 1);
    CHECK(error.axis() == "mean squared error");
    CHECK(error.is_better(1, 2));
    CHECK_FALSE(error.is_better(1, std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("descriptions come back as they were written")
{
    const std::vector<Metric> metrics = {
        {"acc", "accuracy", results::percent, 2, true, {"accuracy", ""}},
        {"x.mse", "error", "squared error", 3, false, {"squared error", "x"}},
        {"all.r",
         "r",
         results::correlation,
         4,
         true,
         {"pearson", "", {"a", "b"}, results::Over::groups}},
        {"devacc", "development accuracy", results::percent}};
    const Json json = results::to_json(metrics);
    const auto read = results::metrics_from_json(json);
    CHECK(results::to_json(read) == json);
    REQUIRE(read.size() == 4);
    CHECK(read[1].source.series == "x");
    CHECK_FALSE(read[1].higher_is_better);
    CHECK(read[1].digits == 3);
    CHECK(read[2].source.groups == std::vector<std::string>{"a", "b"});
    CHECK(read[2].source.over == results::Over::groups);
    CHECK(read[3].source.statistic.empty());
    CHECK(results::find_metric(read, "x.mse") == &read[1]);
    CHECK(results::find_metric(read, "mse") == nullptr);

    Json broken = json;
    broken[0]["source"]["over"] = "everything";
    CHECK_THROWS_AS(results::metrics_from_json(broken), base::Error);
    broken[0].erase("unit");
    CHECK_THROWS(results::metrics_from_json(broken));
}
