// The document of a result: what is written is read again, and what is not made so is refused.
#include "base/error.hpp"
#include "cells.hpp"
#include "results/result.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;

namespace {

/// With every member that there is.
results::Result full_result()
{
    results::Result result = test::cell_of("STS12", 70).result;
    result.encoder.stated = {{"similarity", "dot"}};
    result.encoder.batch_size = 8;
    result.encoder.dimension = 300;
    result.encoder.capabilities = {true, false, true};
    result.task.metrics[0].source.groups = {"a", "b"};
    result.task.metrics[0].source.fits = 3;
    result.task.description = {{"keys", Json::object()}};
    result.protocol.settings = {
        {"protocol", "split"}, {"seed", 1111}, {"classifier", {{"classifier", "logreg-newton"}}}};
    result.protocol.deterministic = true;
    result.data = {{{"z.txt", "0f"}, {"a.txt", "1f"}}, {"a subset"}, {"copies"}};
    result.overlap = {2, 3};
    result.dimension = 50;
    result.norm = 0.0;
    result.metrics["none"] = nullptr;
    result.details = {{"warnings", {"few steps"}}, {"trained_on", 7}};
    result.coverage = {4, 3, 2, 1};
    result.run.date = "2026-01-31T12:00:00Z";
    result.run.threads = 2;
    result.run.kernels = "avx2";
    result.run.sentences_encoded = 0;
    result.run.sentences_from_cache = 9;
    result.run.machine = "Linux";
    result.run.computer = {"g++", "1.0", "OpenBLAS", "a processor"};
    result.run.warnings = {"a text was cut"};
    result.cautions = {{"unconverged", "few steps", "--max-iterations 1000000"}};
    result.uninformative = "there are too few test items (2)";
    result.standing = {"a table", {{"all.r", {0.5, 0.6, 0.7, "above the best"}}}, {2, 3}};
    result.outcomes = {"STS12.items", 1, "0f", ""};
    result.outcomes.findings = results::fingerprint_of_findings(results::to_json(result));
    return result;
}

std::string refusal(const Json& document)
{
    return test::error_of<base::Error>([&] { return results::from_json(document); });
}

} // namespace

TEST_CASE("a document is read and written again byte for byte, in one order of members")
{
    const Json document = results::to_json(full_result());
    CHECK(results::to_json(results::from_json(document)).dump() == document.dump());
    const auto keys = [](const Json& object) {
        std::string all;
        for (const auto& [key, value] : object.items())
            all += key + " ";
        return all;
    };
    CHECK(keys(document) ==
          "schema program encoder task protocol data overlap dimension norm "
          "metrics details coverage run cautions uninformative standing outcomes ");
    CHECK(keys(document.at("encoder")) == "label id version parameters files fingerprint stated "
                                          "batch_size dimension capabilities ");
    CHECK(keys(document.at("data")) == "files doubts accepted ");
    CHECK(keys(document.at("data").at("files")) == "z.txt a.txt ");
    CHECK(keys(document.at("run")) ==
          "date seconds threads kernels sentences_encoded sentences_from_cache machine compiler "
          "abi blas processor warnings ");
    CHECK(keys(document.at("standing")) == "source all.r overlap ");
    CHECK(keys(document.at("task").at("metrics").at(0).at("source")) ==
          "statistic over fits groups ");
}

TEST_CASE(
    "a document of before there were cautions and deterministic results has them when it is read")
{
    const auto read = [](const Json& settings, const results::Result& made) {
        Json document = results::to_json(made);
        document["protocol"]["settings"] = settings;
        return results::from_json(document);
    };
    const auto settings = [](const char* kind, const char* classifier) {
        return Json{{"protocol", kind}, {"seed", 3}, {"classifier", {{"classifier", classifier}}}};
    };
    results::Result made = test::cell_of("MR", 70).result;
    made.details["warnings"] = {"softmax took 8 steps; do this"};
    const Json newton = settings("split", "logreg-newton");
    Json own_folds = settings("kfold", "logreg-newton");
    own_folds["folds_seed"] = 1111;
    for (const auto& [of, expected] : {std::pair{newton, true},
                                       {settings("inner_kfold", "logreg-newton"), true},
                                       {settings("kfold", "logreg-newton"), false},
                                       {own_folds, true},
                                       {settings("split", "softmax"), false},
                                       {Json{{"protocol", "ridge_relatedness"}, {"seed", 3}}, true},
                                       {Json{{"protocol", "similarity"}}, false}})
        CHECK(read(of, made).protocol.deterministic == expected);
    CHECK(read(newton, made).cautions.empty()); // as on the published set
    made.data.doubts = {"a sample"};
    using Cautions = std::vector<results::Caution>;
    CHECK(read(settings("split", "softmax"), made).cautions ==
          Cautions{{"too-few-steps", "softmax took 8 steps", "--classifier logreg-newton"}});
    made.data.doubts = {};
    made.task.description = {{"keys", Json::object()}};
    CHECK(read(newton, made).cautions.front().code == "unconverged");
}

TEST_CASE("what is not there is not written")
{
    const Json document = results::to_json(test::cell_of("MR", 70).result);
    for (const char* absent : {"imported", "overlap", "dimension", "norm", "coverage", "cautions",
                               "uninformative", "standing", "outcomes"})
        CHECK_FALSE(document.contains(absent));
    CHECK(document.at("run").dump() == R"({"seconds":{"total":1.0}})");
    CHECK_FALSE(document.at("data").contains("doubts"));
    CHECK(results::to_json(results::from_json(document)) == document);
}

TEST_CASE("a member that is missing, unknown or of another kind is refused and named")
{
    const Json document = results::to_json(full_result());
    const auto changed = [&](const char* pointer, const Json& value) {
        Json other = document;
        other[Json::json_pointer(pointer)] = value;
        return refusal(other);
    };
    for (const auto& [pointer, value] : {std::pair<const char*, Json>{"/encoder/label", 3},
                                         {"/encoder/id", "a/b"},
                                         {"/encoder/fingerprint", ""},
                                         {"/encoder/files", "none"},
                                         {"/encoder/capabilities/concurrent", 1},
                                         {"/task/name", "a\nb"},
                                         {"/task/metrics", Json::object()},
                                         {"/task/metrics/0/digits", -1},
                                         {"/task/metrics/0/source/over", "everything"},
                                         {"/protocol/version", 1.5},
                                         {"/data/doubts", "all"},
                                         {"/metrics", 3},
                                         {"/coverage/tokens", -4},
                                         {"/run/seconds/embed", "x"},
                                         {"/run/seconds/total", -1},
                                         {"/run/threads", "many"},
                                         {"/run/machine", 5},
                                         {"/run/warnings", {1}},
                                         {"/standing/all.r", 1},
                                         {"/outcomes/count", "one"}}) {
        CAPTURE(std::string(pointer));
        CHECK(test::contains(changed(pointer, value), pointer));
    }
    for (const char* pointer : {"/more", "/encoder/more", "/task/metrics/0/more", "/run/more"}) {
        CAPTURE(std::string(pointer));
        CHECK(test::contains(changed(pointer, 1), pointer));
    }
    for (const char* member :
         {"program", "encoder", "task", "protocol", "data", "metrics", "details", "run"}) {
        Json less = document;
        less.erase(member);
        CHECK(test::contains(refusal(less), member));
    }
    CHECK_FALSE(changed("/task/metrics/0/digits", 1000).empty());
    CHECK_FALSE(refusal(Json::array()).empty());
    CHECK(refusal(document).empty());
}

TEST_CASE("what rows differ by are the settings that somebody chose")
{
    results::Result result;
    result.protocol.settings = {{"protocol", "search"},
                                {"similarity", "dot"},
                                {"seed", 3},
                                {"resample", 2},
                                {"variant", {{"label", "8:binary"}, {"precision", "binary"}}}};
    result.encoder.dimension = 12;
    result.dimension = 9;
    CHECK(result.choices().at("similarity") == "dot");
    result.encoder.stated = {{"similarity", "dot"}};
    CHECK(result.choices() == Json({{"protocol", "search"}, {"similarity", "none"}}));
    CHECK(result.protocol.projection() == "8:binary");
    CHECK(result.bytes_of_vector() == 2);
    result.protocol.settings.erase("variant");
    CHECK(result.bytes_of_vector() == 36);
    CHECK(result.protocol.projection().empty());
    result.protocol.settings["projection"] = {{"kind", "random"}, {"dimension", 50}};
    CHECK(result.protocol.projection() == "@50 random");
    CHECK(result.protocol.seed() == 3);
    CHECK(result.protocol.resample() == 2);
    CHECK(result.protocol.limit() == 0);
}
