#include "encoder/identity.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "support/support.hpp"

#include <unistd.h>

using namespace senteval;
using encoder::CallContext;

namespace fs = std::filesystem;

namespace {

const fs::path broken_plugins = test::binary_dir() / "tests/bad_plugins";

std::string print_with_model(const fs::path& model, const CallContext& context = {})
{
    static const auto plugin = encoder::Plugin::load(broken_plugins / "stating.so");
    return encoder::identify(*plugin, plugin->encoder(""),
                             {{"model", SENTEVAL_TYPE_PATH, model.string(), true}}, "label",
                             context)
        .fingerprint;
}

void copy_into(const fs::path& folder, const char* name)
{
    fs::create_directories(folder);
    fs::copy_file(broken_plugins / name, folder / name);
}

} // namespace

TEST_CASE("a folder counts for the identity by the names and the content of all its files")
{
    const test::ScratchFolder scratch;
    scratch.write("model/config.json", "{}");
    scratch.write("model/deep/below/weights", "1");
    const std::string before = print_with_model(scratch / "model");

    SUBCASE("retrained")
    {
        scratch.write("model/deep/below/weights", "2");
    }
    SUBCASE("a file more")
    {
        scratch.write("model/deep/tokens", "");
    }
    SUBCASE("a file less")
    {
        fs::remove(scratch / "model/config.json");
    }
    SUBCASE("another name")
    {
        fs::rename(scratch / "model/deep/below/weights", scratch / "model/deep/below/other");
    }
    SUBCASE("another folder within")
    {
        fs::rename(scratch / "model/deep", scratch / "model/flat");
    }
    SUBCASE("what one file loses, the next gains")
    {
        scratch.write("model/config.json", "{}1");
        scratch.write("model/deep/below/weights", "");
    }
    SUBCASE("what a link leads to")
    {
        scratch.write("blobs/1", "1");
        fs::remove(scratch / "model/deep/below/weights");
        fs::create_symlink("../../../blobs/1", scratch / "model/deep/below/weights");
        CHECK(print_with_model(scratch / "model") == before);
        scratch.write("blobs/1", "2");
    }
    CHECK(print_with_model(scratch / "model") != before);
}

TEST_CASE("where a folder lies, and what comes and goes in it, does not count")
{
    const test::ScratchFolder scratch;
    scratch.write("model/embed.py", "x");
    const std::string before = print_with_model(scratch / "model");
    scratch.write("model/__pycache__/embed.pyc", "y");
    scratch.write("model/.git/index", "z");
    fs::create_directory_symlink("..", scratch / "model/loop");
    fs::create_symlink("nowhere", scratch / "model/dangling");
    fs::rename(scratch / "model", scratch / "elsewhere");
    // The link to the folder above shows the model once more, by another name.
    fs::remove(scratch / "elsewhere/loop");
    CHECK(print_with_model(scratch / "elsewhere") == before);
    fs::create_directory_symlink(".", scratch / "elsewhere/loop");
    CHECK(print_with_model(scratch / "elsewhere") == before);
}

TEST_CASE("the reading of a large model tells its progress in bytes, and stops when asked")
{
    const test::ScratchFolder scratch;
    scratch.write("model/a", std::string(3U << 20U, 'a'));
    scratch.write("model/b", std::string(2U << 20U, 'b'));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
    std::stop_source source;
    CallContext context;
    context.progress = [&](std::uint64_t done, std::uint64_t total) {
        told.emplace_back(done, total);
    };
    (void)print_with_model(scratch / "model", context);
    REQUIRE(!told.empty());
    const std::uint64_t total = told.back().second;
    CHECK(total > (5U << 20U)); // the library too
    CHECK(told.back().first == total);
    for (std::size_t i = 1; i < told.size(); ++i)
        CHECK(told[i - 1].first <= told[i].first);

    context.stop = source.get_token();
    context.progress = [&](std::uint64_t, std::uint64_t) { source.request_stop(); };
    CHECK_THROWS_AS((void)print_with_model(scratch / "model", context), base::Cancelled);
}

TEST_CASE("libraries that an encoder brings along count as it does itself")
{
    const test::ScratchFolder scratch;
    copy_into(scratch / "lib", "stating.so");
    copy_into(scratch / "lib", "libneighbour.so");
    copy_into(scratch / "lib", "runtime.so"); // lies there, but is not linked with
    CHECK(encoder::linked_libraries(scratch / "lib/stating.so") ==
          std::vector<fs::path>{fs::canonical(scratch / "lib/libneighbour.so")});
    CHECK(encoder::linked_libraries(scratch / "lib/runtime.so").empty());

    const auto print = [&] {
        const auto plugin = encoder::Plugin::load(scratch / "lib/stating.so");
        return encoder::identify(*plugin, plugin->encoder(""), {}, "label").fingerprint;
    };
    const std::string before = print();
    scratch.write("lib/runtime.so", "changed");
    CHECK(print() == before);
    const std::string bytes = base::read_file(scratch / "lib/libneighbour.so");
    fs::remove(scratch / "lib/libneighbour.so"); // another file: the loaded one is not touched
    scratch.write("lib/libneighbour.so", bytes + "changed");
    CHECK(print() != before);
}
