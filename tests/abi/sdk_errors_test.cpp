// What an encoder written with the C++ SDK throws arrives as a status and a message.
#include "support/loaded_plugin.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace {

namespace test = senteval::test;

test::LoadedPlugin bad_plugin(const char* name)
{
    return test::LoadedPlugin(test::binary_dir() / "tests/bad_plugins" / name);
}

/// Status and message of the call named by `where` when it throws `what`.
std::pair<senteval_status, std::string> outcome(const std::string& where, const std::string& what)
{
    const auto plugin = bad_plugin("throwing.so");
    try {
        test::PluginHarness encoder(plugin.encoder("bad.throwing"),
                                    {{"where", where}, {"what", what}});
        encoder.prepare({"a"});
        (void)encoder.encode("a");
        (void)encoder.count_known({"a"});
    } catch (const test::PluginFailure& failed) {
        return {failed.status, failed.what()};
    }
    return {SENTEVAL_OK, ""};
}

} // namespace

TEST_CASE("no exception leaves a library written with the SDK")
{
    for (const std::string where : {"create", "prepare", "dimension", "encode", "count_known"}) {
        CAPTURE(where);
        using Outcome = std::pair<senteval_status, std::string>;
        CHECK(outcome(where, "error") == Outcome(SENTEVAL_UNSUPPORTED, "thrown in " + where));
        CHECK(outcome(where, "standard") == Outcome(SENTEVAL_INTERNAL, "thrown in " + where));
        CHECK(outcome(where, "memory") == Outcome(SENTEVAL_OUT_OF_MEMORY, "out of memory"));
        CHECK(outcome(where, "ok_error") == Outcome(SENTEVAL_INTERNAL, "thrown in " + where));
        CHECK(outcome(where, "foreign") ==
              Outcome(SENTEVAL_INTERNAL, "an exception that is not a std::exception"));
    }
    CHECK(outcome("nowhere", "error").first == SENTEVAL_OK);
}

TEST_CASE("the SDK refuses a host of another major version")
{
    const auto plugin = bad_plugin("throwing.so");
    CHECK(plugin.table(2U << 16) == nullptr);
    CHECK(plugin.table(SENTEVAL_ABI_VERSION + 5) != nullptr);
}
