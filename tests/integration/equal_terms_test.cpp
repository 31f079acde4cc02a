// Encoders on equal terms: normalised embeddings, and equal dimensions.
#include "base/json.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;

namespace {

/// Runs the word-vector encoder on the sample data.
std::string run(const test::ScratchFolder& folder, const std::string& arguments)
{
    const std::filesystem::path samples = test::source_dir() / "data/samples";
    const test::Run run = test::shell(0, test::quoted(test::program_file()) +
                                             " run -q --encoder glove --set vectors=" +
                                             test::quoted(samples / "vectors/sample.50d.txt") +
                                             " --data " + test::quoted(samples) + " --output " +
                                             test::quoted(folder / "results") + " " + arguments);
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
    const Json results = results_of(folder, "--tasks STS14,CR --kfold 3 --normalise none,z+l2");
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
        run(folder, "--tasks STS14,CR --kfold 3 --normalise none,z+l2 --resume --format csv");
    CHECK_FALSE(test::contains(table, "\nglove,CR,")); // that would be no choice
    CHECK(test::contains(table, {"glove (normalise=none,z+l2)", "\nglove,STS14,",
                                 "\nglove (normalise=z+l2),STS14,"}));
}

TEST_CASE("encoders are also shown at an equal dimension where they have more")
{
    const test::ScratchFolder folder;
    const std::string arguments = "--tasks STS14 --equal-dimension 10,50 --projection random,pca";
    const Json results = results_of(folder, arguments);
    REQUIRE(results.size() == 3); // 50 dimensions are brought to 10, twice; not to 50
    const Json projections[] = {
        nullptr,
        {{"kind", "random"}, {"dimension", 10}, {"seed", 1111}},
        {{"kind", "pca"}, {"dimension", 10}, {"samples", 2000}, {"transductive", true}}};
    for (std::size_t i = 0; i < 3; ++i) {
        const Json& document = results.at(i).at("document");
        CHECK(document.at("encoder") == results.at(0).at("document").at("encoder"));
        CHECK(document.at("encoder").at("dimension") == 50);
        CHECK(document.at("dimension") == (i == 0 ? 50 : 10));
        CHECK(document.at("protocol").at("settings").value("projection", Json()) == projections[i]);
        CHECK(document.at("run").at("sentences_encoded") ==
              results.at(0).at("document").at("run").at("sentences_encoded"));
    }
    const std::string table = run(folder, arguments + " --resume --format csv");
    for (const char* row : {"\nglove,", "\nglove @10 random,", "\nglove @10 pca,"})
        CHECK(table.find(row) != std::string::npos);
    const Json again = results_of(folder, arguments + " --resume --threads 1");
    REQUIRE(again.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(again.at(i).at("document") == results.at(i).at("document")); // kept, not computed
    const test::ScratchFolder other;
    const Json threads = results_of(other, arguments + " --threads 3 --encode-batch 7");
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(threads.at(i).at("metrics") == results.at(i).at("metrics"));
}
