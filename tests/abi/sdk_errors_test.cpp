// What an encoder written with the C++ SDK throws arrives as a status and a message.
#include "support/loaded_plugin.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

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

TEST_CASE("the misbehaving encoder misbehaves as asked")
{
    const auto plugin = bad_plugin("runtime.so");
    const senteval_encoder& bad = plugin.encoder("bad.runtime");
    const std::vector<std::string> sentences = {"good", "bad one"};
    const auto encode = [&](const char* what) {
        test::PluginHarness encoder(bad, {{"what", std::string(what)}});
        encoder.prepare(sentences);
        return encoder.encode(sentences);
    };
    CHECK(encode("nothing") == test::Rows{{4, 1, 0}, {7, 1, 1}});
    CHECK(encode("nan")[0][1] == 1);
    CHECK(std::isnan(encode("nan")[1][1]));
    CHECK(std::isinf(encode("infinity")[1][1]));
    CHECK(std::isnan(encode("write_nothing")[0][0]));
    CHECK(encode("dimension_zero")[0].empty());
    CHECK_THROWS_WITH_AS(encode("error"), "the model is out of order", test::PluginFailure);
    CHECK_THROWS_WITH_AS(encode("silent_error"), "", test::PluginFailure);
    CHECK_THROWS_WITH_AS(encode("prepare_error"), "this task cannot be prepared",
                         test::PluginFailure);
    CHECK_THROWS_WITH_AS(encode("create_error"), "the model file 'none.bin' is not there",
                         test::PluginFailure);

    test::PluginHarness changing(bad, {{"what", std::string("dimension_changes")}});
    CHECK(changing.dimension() != changing.dimension());

    test::PluginHarness hanging(bad, {{"what", std::string("hang")}});
    hanging.cancel();
    CHECK_THROWS_WITH_AS(hanging.encode(sentences), "cancelled", test::PluginFailure);
}
