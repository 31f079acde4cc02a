#include "base/error.hpp"
#include "encoder/plugin.hpp"
#include "support/support.hpp"

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
    return test::error_of<base::UsageError>([&] { return Plugin::load(path); });
}

} // namespace

TEST_CASE("a library that breaks a promise of its table is refused with the promise named")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"not_a_library", "it cannot be loaded as a shared library ("},
        {"undefined", "the_part_that_is_missing"},
        {"no_entry", "it has no symbol 'senteval_plugin_entry'"},
        {"null_table", "version 1 of the ABI"},
        {"other_major", "version 2 of the ABI"},
        {"null_encoder", "encoders[1] is NULL"},
        {"plugin_struct_size", "struct_size is 8"},
        {"path_id", "encoders[0].id is \"../bad\""},
        {"no_version", "encoders[0].version is NULL"},
        {"param_type", "type 77"},
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

TEST_CASE("what breaks a rule and does no harm does not keep a library from being used")
{
    CHECK(complaint(path_of_bad("upper_key")).empty());
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
    CHECK_ERROR(base::UsageError, "no encoder 'runtine' (it has runtime). Did you mean 'runtime'?",
                plugin->encoder("runtine"));
}
