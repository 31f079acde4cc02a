#include "isolation/table_text.hpp"

#include "core/error.hpp"
#include "encoder/identity.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace senteval;

TEST_CASE(
    "a described library has the names, parameters and capabilities of the one that was loaded")
{
    for (const char* name : {"stating.so", "faults.so"}) {
        CAPTURE(name);
        const auto loaded = encoder::Plugin::load(test::binary_dir() / "tests/bad_plugins" / name);
        const auto described =
            isolation::described_plugin(loaded->path(), isolation::table_text(*loaded));
        REQUIRE(described->encoders().size() == loaded->encoders().size());
        CHECK(described->path() == loaded->path());
        for (std::size_t i = 0; i < loaded->encoders().size(); ++i) {
            const senteval_encoder& a = *loaded->encoders()[i];
            const senteval_encoder& b = *described->encoders()[i];
            CHECK(std::strcmp(a.id, b.id) == 0);
            CHECK(std::strcmp(a.version, b.version) == 0);
            CHECK(a.capabilities == b.capabilities);
            CHECK((a.prepare == nullptr) == (b.prepare == nullptr));
            CHECK(encoder::states_identity(a) == encoder::states_identity(b));
            REQUIRE(a.param_count == b.param_count);
            for (std::size_t p = 0; p < a.param_count; ++p) {
                CHECK(std::strcmp(a.params[p]->key, b.params[p]->key) == 0);
                CHECK(a.params[p]->flags == b.params[p]->flags);
                CHECK(encoder::to_json(a.params[p]->default_value) ==
                      encoder::to_json(b.params[p]->default_value));
            }
        }
    }
}

TEST_CASE("what describes no library is refused")
{
    for (const char* text : {"", "x", "\x81\xa0"})
        CHECK_THROWS_AS((void)isolation::described_plugin("lib.so", text), core::Error);
}
