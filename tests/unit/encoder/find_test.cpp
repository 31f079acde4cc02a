#include "core/error.hpp"
#include "encoder/find.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace senteval;
namespace fs = std::filesystem;

namespace {

const fs::path bad_plugins = test::binary_dir() / "tests/bad_plugins";

/// $SENTEVAL_PLUGIN_PATH for the length of a test.
class PluginPath {
public:
    explicit PluginPath(const fs::path& path)
    {
        setenv("SENTEVAL_PLUGIN_PATH", path.c_str(), 1);
    }
    PluginPath(const PluginPath&) = delete;
    PluginPath& operator=(const PluginPath&) = delete;
    PluginPath(PluginPath&&) = delete;
    PluginPath& operator=(PluginPath&&) = delete;
    ~PluginPath() { unsetenv("SENTEVAL_PLUGIN_PATH"); }
};

std::string id(const encoder::FoundEncoder& found)
{
    return found.encoder->id;
}

} // namespace

TEST_CASE("a path names a library, relative to the base, and perhaps one of its encoders")
{
    CHECK(id(encoder::find_encoder("./runtime.so", bad_plugins)) == "bad.runtime");
    CHECK(id(encoder::find_encoder("runtime.so", bad_plugins)) == "bad.runtime");
    CHECK(id(encoder::find_encoder((bad_plugins / "runtime.so:runtime").string(), "/")) ==
          "bad.runtime");
    CHECK_THROWS_WITH_AS((void)encoder::find_encoder("./runtime.so:other", bad_plugins),
                         doctest::Contains("no encoder 'other'"), core::UsageError);
    CHECK_THROWS_WITH_AS((void)encoder::find_encoder("./none.so", bad_plugins),
                         doctest::Contains("bad_plugins/./none.so' does not exist"),
                         core::UsageError);
    CHECK(encoder::find_plugin("./runtime.so", bad_plugins)->encoders().size() == 1);
}

TEST_CASE("a name is looked up in the folders of the plugin path, past libraries that are broken")
{
    const test::ScratchFolder folder;
    fs::copy_file(bad_plugins / "runtime.so", folder / "runtime.so");
    folder.write("aardvark.so", "not a library");
    const PluginPath path(folder.path());

    CHECK(encoder::plugin_folders().front() == folder.path());
    CHECK(id(encoder::find_encoder("runtime", "/")) == "bad.runtime");
    CHECK(id(encoder::find_encoder("bad.runtime", "/")) == "bad.runtime");
    CHECK(id(encoder::find_encoder("runtime:runtime", "/")) == "bad.runtime");
    CHECK(encoder::find_plugin("runtime", "/")->path() == folder / "runtime.so");
    CHECK(encoder::load_bundled_plugins().problems.size() == 1);

    CHECK_THROWS_WITH_AS((void)encoder::find_encoder("runtme", "/"),
                         doctest::Contains("there is no encoder 'runtme'. Did you mean 'runtime'?"),
                         core::UsageError);
    CHECK_THROWS_WITH_AS((void)encoder::find_encoder("aardvark", "/"),
                         doctest::Contains("cannot be loaded"), core::UsageError);
    CHECK_THROWS_WITH_AS((void)encoder::find_encoder("runtme", "/"),
                         doctest::Contains("aardvark.so' is not a usable encoder plugin"),
                         core::UsageError);
    CHECK_THROWS_AS((void)encoder::find_encoder("nowhere:runtime", "/"), core::UsageError);
}

TEST_CASE("of equal file names in the plugin path the first counts")
{
    const test::ScratchFolder first;
    const test::ScratchFolder second;
    fs::copy_file(bad_plugins / "runtime.so", first / "same.so");
    second.write("same.so", "not a library");
    const PluginPath path(first.path().string() + ":" + second.path().string());
    CHECK(id(encoder::find_encoder("same", "/")) == "bad.runtime");
}
