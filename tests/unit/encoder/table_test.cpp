// Tables of plugins that break a promise, each in one place.
#include "encoder/plugin.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

using namespace senteval;

namespace {

class Sound {
public:
    static constexpr sdk::Descriptor descriptor{.id = "bad.one", .name = "One", .version = "1"};
    static constexpr senteval_param_spec params[] = {sdk::param("first", 1, "A number."),
                                                     sdk::param("second", 1, "Another.")};
    explicit Sound(const sdk::Setup&) {}
    [[nodiscard]] std::size_t dimension() const { return 1; }
    void encode(sdk::Call&, sdk::Batch, sdk::Matrix) const {}
};

/// A table of two encoders without a fault, whose parts may be changed.
struct Table {
    Table()
    {
        for (senteval_encoder& encoder : encoders)
            encoder.params = params;
        encoders[1].id = "bad.two";
    }
    senteval_param_spec specs[2] = {Sound::params[0], Sound::params[1]};
    const senteval_param_spec* params[2] = {&specs[0], &specs[1]};
    senteval_encoder encoders[2] = {sdk::detail::Binding<Sound>::table,
                                    sdk::detail::Binding<Sound>::table};
    const senteval_encoder* list[2] = {&encoders[0], &encoders[1]};
    senteval_plugin plugin{sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, list, 2};
};

struct Case {
    std::function<void(Table&)> spoil;
    std::string_view rule;
    std::string where;
    std::string what;
    bool is_fatal = true;
};

} // namespace

TEST_CASE("a table that breaks a promise is told with the rule, the place and what stands there")
{
    CHECK(encoder::table_faults(Table().plugin).empty());
    static const std::string long_id(300, 'x');
    const std::vector<Case> cases = {
        {[](Table& t) { t.plugin.struct_size = 8; }, "1.4", "table", "is 8"},
        {[](Table& t) { t.encoders[0].struct_size = 40; }, "1.4", "encoders[0]", "is 40"},
        {[](Table& t) { t.specs[0].struct_size = 8; }, "1.4", "encoders[0].params[0]", "is 8"},
        {[](Table& t) { t.plugin.encoder_count = 0; }, "1.5", "table", "no encoders"},
        {[](Table& t) { t.plugin.encoders = nullptr; }, "1.5", "table", "no encoders"},
        {[](Table& t) { t.list[1] = nullptr; }, "1.5", "encoders[1]", "NULL"},
        {[](Table& t) { t.encoders[0].create = nullptr; }, "1.5", "encoders[0].create", "NULL"},
        {[](Table& t) { t.encoders[0].destroy = nullptr; }, "1.5", "encoders[0].destroy", "NULL"},
        {[](Table& t) { t.encoders[0].dimension = nullptr; }, "1.5", "encoders[0].dimension",
         "NULL"},
        {[](Table& t) { t.encoders[1].batcher = nullptr; }, "1.5", "encoders[1].batcher", "NULL"},
        {[](Table& t) { t.encoders[0].id = nullptr; }, "7.1", "encoders[0].id", "NULL"},
        {[](Table& t) { t.encoders[0].id = ""; }, "7.1", "encoders[0].id", "\"\""},
        {[](Table& t) { t.encoders[0].id = ".."; }, "7.1", "encoders[0].id", "\"..\""},
        {[](Table& t) { t.encoders[0].id = "../bad"; }, "7.1", "encoders[0].id", "\"../bad\""},
        {[](Table& t) { t.encoders[0].id = long_id.c_str(); }, "7.1", "encoders[0].id", "xxx"},
        {[](Table& t) { t.encoders[1].id = "bad.one"; }, "7.1", "encoders[1].id", "bad.one"},
        {[](Table& t) { t.encoders[0].name = ""; }, "7.2", "encoders[0].name", "0 bytes"},
        {[](Table& t) { t.encoders[0].name = long_id.c_str(); }, "7.2", "encoders[0].name", "300",
         false},
        {[](Table& t) { t.encoders[0].version = nullptr; }, "7.2", "encoders[0].version", "NULL"},
        {[](Table& t) { t.encoders[0].params = nullptr; }, "8.1", "encoders[0].params", "NULL"},
        {[](Table& t) { t.params[1] = nullptr; }, "8.1", "encoders[0].params[1]", "NULL"},
        {[](Table& t) { t.specs[0].key = nullptr; }, "8.1", "encoders[0].params[0].key", "NULL"},
        {[](Table& t) { t.specs[1].key = "first"; }, "8.2", "encoders[0].params[1].key", "'first'"},
        {[](Table& t) { t.specs[0].key = "First-One"; }, "8.2", "encoders[0].params[0].key",
         "First-One", false},
        {[](Table& t) { t.specs[0].flags = 1U << 9U; }, "8.1", "encoders[0].params[0].flags",
         "0x200", false},
        {[](Table& t) { t.specs[0].default_value.type = 77; }, "8.1",
         "encoders[0].params[0].default_value", "77"},
        {[](Table& t) {
             t.specs[0].default_value = {SENTEVAL_TYPE_BOOLEAN, 0, {.boolean = 7}};
         },
         "8.1", "encoders[0].params[0].default_value", "7", false},
        {[](Table& t) {
             t.specs[0].default_value = {SENTEVAL_TYPE_REAL, 0, {.real = INFINITY}};
         },
         "8.1", "encoders[0].params[0].default_value", "inf", false},
        {[](Table& t) {
             t.specs[0].default_value = {SENTEVAL_TYPE_STRING, 0, {.string = {nullptr, 3}}};
         },
         "8.1", "encoders[0].params[0].default_value", "NULL"},
    };
    for (const Case& one : cases) {
        Table table;
        one.spoil(table);
        const auto faults = encoder::table_faults(table.plugin);
        CAPTURE(one.where);
        CAPTURE(one.what);
        REQUIRE(!faults.empty());
        CHECK(faults.front().rule == one.rule);
        CHECK(faults.front().where.ends_with(one.where));
        CHECK(test::contains(faults.front().what, one.what));
        CHECK(faults.front().is_fatal == one.is_fatal);
    }
}
