#include "base/error.hpp"
#include "fakes/fakes.hpp"
#include "results/document.hpp"
#include "run/document.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;

namespace {

Json document(const task::Task& task, std::uint32_t seed, const std::string& encoder = "0f")
{
    encoder::Identity identity;
    identity.fingerprint = encoder;
    task::Settings settings;
    settings.seed = seed;
    return run::new_document(identity, task, settings, task::DataFolder({}));
}

std::string protocol_hash(const Json& document)
{
    return document.at("protocol").at("fingerprint").get<std::string>();
}

} // namespace

TEST_CASE("the protocol hash changes with the task and with the settings it depends on")
{
    const test::FakeTask mr("MR");
    const test::FakeTask cr("CR");
    const test::FakeTask seedless("MR", false);
    const std::string hash = protocol_hash(document(mr, 1));
    CHECK(hash.size() == 32);
    CHECK(protocol_hash(document(mr, 1, "other encoder")) == hash);
    CHECK(protocol_hash(document(mr, 2)) != hash);
    CHECK(protocol_hash(document(cr, 1)) != hash);
    CHECK(protocol_hash(document(seedless, 1)) == protocol_hash(document(seedless, 2)));
}

TEST_CASE("the similarity that an encoder states is that of its settings")
{
    encoder::Identity identity;
    task::Settings settings;
    CHECK(run::settings_for(identity, settings).followed_similarity() == task::Similarity::cosine);
    identity.stated = {{"similarity", "dot"}};
    CHECK(run::settings_for(identity, settings).followed_similarity() == task::Similarity::dot);
    settings.similarity = task::Similarity::manhattan;
    CHECK(run::settings_for(identity, settings).followed_similarity() ==
          task::Similarity::manhattan);
    for (const Json& wrong : {Json("angular"), Json(1)}) {
        identity.stated = {{"similarity", wrong}};
        CHECK_THROWS_AS((void)run::settings_for(identity, settings), base::UsageError);
    }
}

TEST_CASE("inputs are the same when encoder, protocol and data are")
{
    const test::FakeTask task("MR");
    const Json one = document(task, 1);
    CHECK(results::same_input(one, document(task, 1)));
    CHECK(!results::same_input(one, document(task, 2)));
    CHECK(!results::same_input(one, document(task, 1, "other")));
    Json other_data = one;
    other_data["data"]["files"]["x"] = "changed";
    CHECK(!results::same_input(one, other_data));
    Json other_label = one;
    other_label["encoder"]["label"] = "changed";
    CHECK(results::same_input(one, other_label));
}
