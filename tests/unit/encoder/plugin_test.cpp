#include "base/error.hpp"
#include "encoder/plugin.hpp"
#include "support/loaded_plugin.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using encoder::Plugin;

namespace {

std::filesystem::path path_of_bad(const std::string& name)
{
    return test::binary_dir() / "tests/bad_plugins" / (name + ".so");
}

/// What is said of the plugin; empty where it loads.
std::string complaint(const std::filesystem::path& path)
{
    try {
        (void)Plugin::load(path);
        return "";
    } catch (const base::UsageError& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("a library that breaks a promise of its table is refused with the promise named")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"not_a_library", "it cannot be loaded as a shared library ("},
        {"undefined", "the_part_that_is_missing"},
        {"no_entry", "it has no symbol 'senteval_plugin_entry'"},
        {"null_table", "it does not speak version 1 of the ABI"},
        {"other_major", "it was built for version 2 of the ABI, this program speaks version 1"},
        {"no_encoders", "the plugin's table has no encoders"},
        {"null_encoders", "the plugin's table has no encoders"},
        {"null_encoder", "encoders[1] is NULL"},
        {"duplicate_ids", "(rule 7.1"},
        {"plugin_struct_size", "the plugin's table struct_size is 8"},
        {"encoder_struct_size", "encoders[0] struct_size is 40"},
        {"param_struct_size", "encoders[0].params[0] struct_size is 8"},
        {"null_create", "encoders[0].create is NULL"},
        {"null_destroy", "encoders[0].destroy is NULL"},
        {"null_dimension", "encoders[0].dimension is NULL"},
        {"null_batcher", "encoders[0].batcher is NULL"},
        {"null_id", "encoders[0].id is NULL"},
        {"empty_id", "encoders[0].id is \"\""},
        {"dot_id", "encoders[0].id is \"..\""}, // its short name would be empty
        {"null_params", "encoders[0].params is NULL"},
        {"null_param", "encoders[0].params[1] is NULL"},
        {"null_param_key", "encoders[0].params[0].key is NULL"},
        {"duplicate_param", "'first' is declared twice"},
        {"path_id", "encoders[0].id is \"../bad\""},
        {"no_name", "encoders[0].name has 0 bytes"},
        {"no_version", "encoders[0].version is NULL"},
        {"param_type", "has the type 77"},
    };
    for (const auto& refused : expected) {
        const auto& [name, words] = refused;
        CAPTURE(refused.first);
        const std::string said = complaint(path_of_bad(name));
        CHECK(said.find("'" + path_of_bad(name).string() + "' is not a usable encoder plugin: ") ==
              0);
        CHECK(said.find(words) != std::string::npos);
    }
}

TEST_CASE(
    "what breaks a rule and does no harm is known, and does not keep a library from being used")
{
    for (const auto& [name, rule] :
         std::vector<std::pair<std::string, std::string>>{{"unknown_flags", "8.1"},
                                                          {"boolean_default", "8.1"},
                                                          {"real_default", "8.1"},
                                                          {"upper_key", "8.2"}}) {
        const test::LoadedPlugin library(path_of_bad(name));
        const auto faults = encoder::table_faults(*library.table());
        REQUIRE(faults.size() >= 1);
        CHECK(faults.front().rule == rule);
        CHECK_FALSE(faults.front().is_fatal);
        CHECK(complaint(path_of_bad(name)).empty());
    }
}

TEST_CASE("a library that is not there is refused with its full path")
{
    CHECK(complaint("no/such.so")
              .starts_with("encoder library '" +
                           (std::filesystem::current_path() / "no/such.so").string() +
                           "' does not exist"));
    CHECK(complaint(test::source_dir()).find("cannot be loaded") != std::string::npos);
}

TEST_CASE("an encoder is named by its id or the end of it")
{
    const auto plugin = Plugin::load(path_of_bad("runtime"));
    CHECK(plugin->encoders().size() == 1);
    CHECK(std::string(plugin->encoder("").id) == "bad.runtime");
    CHECK(&plugin->encoder("runtime") == &plugin->encoder("bad.runtime"));
    CHECK(encoder::short_name(plugin->encoder("")) == "runtime");
    CHECK_THROWS_WITH_AS(
        (void)plugin->encoder("runtine"),
        doctest::Contains("no encoder 'runtine' (it has runtime). Did you mean 'runtime'?"),
        base::UsageError);
}
