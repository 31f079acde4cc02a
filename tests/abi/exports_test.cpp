// Every plugin of the build exports its entry point and nothing else.
#include "support/support.hpp"

namespace {

namespace fs = std::filesystem;
namespace test = senteval::test;

void check_exports(const fs::path& folder, std::size_t at_least)
{
    std::size_t seen = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".so" || name == "not_a_library.so" ||
            name == "no_entry.so" || name == "libneighbour.so") // none of them a plugin
            continue;
        CAPTURE(name);
        const test::Run nm = test::shell(0, "nm -D --defined-only " + test::quoted(entry.path()) +
                                                " | cut -d' ' -f3");
        CHECK(nm.out == "senteval_plugin_entry\n");
        ++seen;
    }
    CHECK(seen >= at_least);
}

} // namespace

TEST_CASE("a plugin exports exactly one symbol")
{
    check_exports(test::binary_dir() / "plugins", 4);
    check_exports(test::binary_dir() / "tests/bad_plugins", 20);
}
