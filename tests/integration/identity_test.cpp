// Results and cached vectors never outlive what they were made from.
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

/// STS12's result of the encoder of tests/abi/bad/stating.cpp with what is in `folder`/model.
base::Json resumed(const ScratchFolder& folder, const std::string& more = "")
{
    const auto plugin = binary_dir() / "tests/bad_plugins/stating.so";
    const Run run =
        host(0, "run --encoder " + quoted(plugin) + " --set model=" + quoted(folder / "model") +
                    more + on_samples("STS12") + into(folder / "results") + " --cache " +
                    quoted(folder / "cache") + " --resume --json -");
    return json_of(run).at("results").at(0);
}

} // namespace

TEST_CASE("a model folder that was trained again is evaluated again, without stale vectors")
{
    const ScratchFolder folder;
    folder.write("model/weight.txt", "1");
    const auto first = resumed(folder);
    CHECK(resumed(folder).at("document") == first.at("document")); // to the second: it was kept

    folder.write("model/weight.txt", "9");
    const auto retrained = resumed(folder);
    CHECK(retrained.at("metrics") != first.at("metrics"));
    CHECK(retrained.at("document").at("encoder").at("fingerprint") !=
          first.at("document").at("encoder").at("fingerprint"));

    folder.write("model/weight.txt", "1");
    CHECK(resumed(folder).at("metrics") == first.at("metrics"));
}

TEST_CASE("what an encoder states is in its result, and another statement is another encoder")
{
    const ScratchFolder folder;
    folder.write("model/weight.txt", "1");
    const auto of_model = [&](const std::string& name) {
        return resumed(folder, " --set 'states={\"served\": \"" + name + "\"}'").at("document");
    };
    const auto first = of_model("a");
    CHECK(first.at("encoder").at("stated").at("served") == "a");
    CHECK(of_model("a") == first);
    CHECK(of_model("b").at("encoder").at("fingerprint") != first.at("encoder").at("fingerprint"));
}
