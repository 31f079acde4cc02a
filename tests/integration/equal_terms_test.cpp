// Encoders on equal terms: normalised embeddings, and equal dimensions.
#include "core/json.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace senteval;
using core::Json;

namespace {

/// Runs the word-vector encoder on the sample data.
std::string run(const test::ScratchFolder& folder, const std::string& arguments)
{
    const std::filesystem::path samples = test::source_dir() / "data/samples";
    const test::Run run = test::shell(
        test::quoted(test::binary_dir() / "senteval") + " run -q --encoder glove --set vectors=" +
        test::quoted(samples / "vectors/sample.50d.txt") + " --data " + test::quoted(samples) +
        " --kfold 3 --output " + test::quoted(folder / "results") + " " + arguments);
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    return run.out;
}

Json results_of(const test::ScratchFolder& folder, const std::string& arguments)
{
    return Json::parse(run(folder, "--json - " + arguments)).at("results");
}

} // namespace

TEST_CASE("several normalisations are rows of a similarity task and a choice of a trained one")
{
    const test::ScratchFolder folder;
    const Json results = results_of(folder, "--tasks STS14,CR --normalise none,z+l2");
    REQUIRE(results.size() == 3);
    const auto settings = [&](std::size_t number) {
        return results.at(number).at("document").at("protocol").at("settings").at("normalise");
    };
    CHECK(settings(0) == Json{"none", "z+l2"});
    CHECK(settings(1) == "none");
    CHECK(settings(2) == "z+l2");
    CHECK(results.at(1).at("metrics") != results.at(2).at("metrics"));
    const Json& z = results.at(2).at("document").at("details");
    CHECK(z.at("transductive") == true);
    for (const Json& search : results.at(0).at("document").at("details").at("searches"))
        CHECK((search.at("normalise") == "none" || search.at("normalise") == "z+l2"));

    const std::string table =
        run(folder, "--tasks STS14,CR --normalise none,z+l2 --resume --format csv");
    CHECK(table.find("\nglove,CR,") != std::string::npos);
    CHECK(table.find("\nglove,STS14,") != std::string::npos);
    CHECK(table.find("\nglove (normalise z+l2),STS14,") != std::string::npos);
}

TEST_CASE("encoders are also shown at an equal dimension where they have more")
{
    const test::ScratchFolder folder;
    const std::string arguments = "--tasks STS14 --equal-dimension 10,50 --projection random,pca";
    const Json results = results_of(folder, arguments);
    REQUIRE(results.size() == 3); // 50 dimensions are brought to 10, twice; not to 50
    const char* labels[] = {"glove", "glove @10 random", "glove @10 pca"};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& encoder = results.at(i).at("document").at("encoder");
        CHECK(encoder.at("label") == labels[i]);
        CHECK(encoder.at("dimension") == (i == 0 ? 50 : 10));
        CHECK(encoder.at("id") == "senteval.glove");
        CHECK(encoder.at("parameters").contains("projection") == (i > 0));
        if (i > 0)
            CHECK(encoder.at("parameters").at("projection").at("from") == 50);
    }
    const Json again = results_of(folder, arguments + " --resume --threads 1");
    REQUIRE(again.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(again.at(i).at("document") == results.at(i).at("document")); // kept, not computed
    const test::ScratchFolder other;
    const Json threads = results_of(other, arguments + " --threads 3 --encode-batch 7");
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(threads.at(i).at("metrics") == results.at(i).at("metrics"));
}
