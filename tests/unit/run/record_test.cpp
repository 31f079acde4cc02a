#include "base/error.hpp"
#include "fakes/fakes.hpp"
#include "run/record.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;

namespace {

results::Result
record(const task::Task& task, std::uint32_t seed, const std::string& encoder = "0f")
{
    encoder::Identity identity;
    identity.fingerprint = encoder;
    task::Settings settings;
    settings.seed = seed;
    return run::new_record(identity, {}, 1, task, settings, task::DataFolder({}));
}

std::string protocol_hash(const results::Result& result)
{
    return result.protocol.fingerprint;
}

} // namespace

TEST_CASE("the protocol hash changes with the task and with the settings it depends on")
{
    const test::FakeTask mr("MR");
    const test::FakeTask cr("CR");
    const test::FakeTask seedless("MR", false);
    const std::string hash = protocol_hash(record(mr, 1));
    CHECK(hash.size() == 32);
    CHECK(protocol_hash(record(mr, 1, "other encoder")) == hash);
    CHECK(protocol_hash(record(mr, 2)) != hash);
    CHECK(protocol_hash(record(cr, 1)) != hash);
    CHECK(protocol_hash(record(seedless, 1)) == protocol_hash(record(seedless, 2)));
}

TEST_CASE("a classifier that draws nothing has one protocol, whatever the seed")
{
    test::FakeTask task("MR");
    task.fixed = {{"protocol", "split"}, {"classifier", {{"classifier", "logreg-newton"}}}};
    const results::Protocol one = record(task, 5).protocol;
    CHECK(one.deterministic);
    CHECK(one.seed() == task::default_seed);
    CHECK(one.fingerprint == record(task, 6).protocol.fingerprint);
}

TEST_CASE("the similarity that an encoder states is that of its settings")
{
    encoder::Identity identity;
    task::Settings settings;
    CHECK(run::settings_for(identity, test::FakeTask("MR"), settings).followed_similarity() ==
          task::Similarity::cosine);
    identity.stated = {{"similarity", "dot"}};
    CHECK(run::settings_for(identity, test::FakeTask("MR"), settings).followed_similarity() ==
          task::Similarity::dot);
    settings.similarity = task::Similarity::manhattan;
    CHECK(run::settings_for(identity, test::FakeTask("MR"), settings).followed_similarity() ==
          task::Similarity::manhattan);
    for (const Json& wrong : {Json("angular"), Json(1)}) {
        identity.stated = {{"similarity", wrong}};
        CHECK_THROWS_AS((void)run::settings_for(identity, test::FakeTask("MR"), settings),
                        base::UsageError);
    }
}

TEST_CASE("inputs are the same when encoder, protocol and data are")
{
    const test::FakeTask task("MR");
    const results::Result one = record(task, 1);
    CHECK(results::same_input(one, record(task, 1)));
    CHECK(!results::same_input(one, record(task, 2)));
    CHECK(!results::same_input(one, record(task, 1, "other")));
    results::Result other_data = one;
    other_data.data.files["x"] = "changed";
    CHECK(!results::same_input(one, other_data));
    results::Result other_label = one;
    other_label.encoder.label = "changed";
    CHECK(results::same_input(one, other_label));
}
