#include "core/error.hpp"
#include "encoder/plugin.hpp"
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
    } catch (const core::UsageError& e) {
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
        {"no_encoders", "it contains no encoder"},
        {"null_encoders", "it contains no encoder"},
        {"null_encoder", "entry 2 of its encoder table is null"},
        {"duplicate_ids", "it contains two encoders with the id 'bad.table'"},
        {"plugin_struct_size", "the struct_size of the plugin table is 8"},
        {"encoder_struct_size", "the struct_size of encoder 1 is 40"},
        {"param_struct_size", "the struct_size of parameter 'first' of encoder 'bad.table' is 8"},
        {"null_create", "encoder 'bad.table' lacks one of create, destroy, dimension and batcher"},
        {"null_destroy", "lacks one of create, destroy, dimension and batcher"},
        {"null_dimension", "lacks one of create, destroy, dimension and batcher"},
        {"null_batcher", "lacks one of create, destroy, dimension and batcher"},
        {"null_id", "encoder 1 has no well-formed id"},
        {"empty_id", "encoder 1 has no well-formed id"},
        {"dot_id", "encoder 1 has no well-formed id"}, // its short name would be empty
        {"null_params", "encoder 'bad.table' has 2 parameters, but no table of them"},
        {"null_param", "parameter 2 of encoder 'bad.table' has no name"},
        {"null_param_key", "parameter 1 of encoder 'bad.table' has no name"},
        {"duplicate_param", "encoder 'bad.table' declares parameter 'first' twice"},
        {"param_type", "parameter 'second' of encoder 'bad.table' has the unknown type 77"},
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

TEST_CASE("a library that is not there is refused with its full path")
{
    CHECK(complaint("no/such.so") == "encoder library '" +
                                         (std::filesystem::current_path() / "no/such.so").string() +
                                         "' does not exist");
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
        core::UsageError);
}
