#include "base/error.hpp"
#include "encoder/parameters.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;
using core::Value;

namespace {

senteval_param_spec spec(const char* key, senteval_type type, std::uint32_t flags)
{
    senteval_param_spec result{};
    result.struct_size = sizeof result;
    result.flags = flags;
    result.key = key;
    result.help = "What it does.";
    result.default_value.type = type;
    return result;
}

const std::array<senteval_param_spec, 6> specs = {
    spec("model", SENTEVAL_TYPE_PATH, SENTEVAL_PARAM_REQUIRED),
    spec("size", SENTEVAL_TYPE_INTEGER, 0),
    spec("rate", SENTEVAL_TYPE_REAL, 0),
    spec("words", SENTEVAL_TYPE_STRING, SENTEVAL_PARAM_LIST),
    spec("fast", SENTEVAL_TYPE_BOOLEAN, 0),
    spec("threads", SENTEVAL_TYPE_INTEGER, SENTEVAL_PARAM_NO_EFFECT)};

const senteval_encoder& table()
{
    static std::array<const senteval_param_spec*, specs.size()> params{};
    std::transform(specs.begin(), specs.end(), params.begin(), [](const auto& s) { return &s; });
    static senteval_encoder encoder{};
    encoder.id = "test.thing";
    encoder.params = params.data();
    encoder.param_count = params.size();
    return encoder;
}

Value in_file(const std::string& key, Json json)
{
    return Value::of_json(std::move(json), key, "run.toml:9:1", "/base");
}

std::vector<encoder::Parameter> check(std::vector<Value> settings)
{
    settings.push_back(in_file("model", "m.bin"));
    return encoder::check_settings(table(), settings);
}

Json value_of(const std::vector<encoder::Parameter>& parameters, std::string_view key)
{
    Json all = Json::array();
    for (const auto& parameter : parameters)
        if (parameter.key == key)
            all.push_back(parameter.value);
    return all;
}

} // namespace

TEST_CASE("what is set to its default is as if it had not been set")
{
    CHECK(value_of(check({in_file("size", 0), in_file("rate", 0), in_file("fast", false)}),
                   "size") == Json::array());
    const auto parameters = check({in_file("size", 3), in_file("size", 0), in_file("rate", 1),
                                   in_file("words", Json{""}), in_file("fast", true)});
    CHECK(value_of(parameters, "size") == Json::array()); // the later one counts
    CHECK(value_of(parameters, "rate") == Json{1.0});
    CHECK(value_of(parameters, "words") == Json{""}); // a list has no default
    CHECK(value_of(parameters, "fast") == Json{true});
    CHECK(value_of(parameters, "model").size() == 1);
}

TEST_CASE("settings take the types that the encoder declares")
{
    const auto parameters =
        check({encoder::parse_setting("size=3"), encoder::parse_setting("rate=1"),
               encoder::parse_setting("fast=yes"), in_file("words", {"a", "b"})});
    CHECK(value_of(parameters, "size") == Json{3});
    CHECK(value_of(parameters, "rate").at(0).is_number_float());
    CHECK(value_of(parameters, "fast") == Json::array({true}));
    CHECK(value_of(parameters, "words") == Json{"a", "b"});
    CHECK(value_of(parameters, "model") == Json::array({"/base/m.bin"}));
}

TEST_CASE("the last setting of a key counts, but of a list all do")
{
    const auto parameters =
        check({encoder::parse_setting("size=3"), encoder::parse_setting("size=4"),
               encoder::parse_setting("words=a,b"), encoder::parse_setting("words=c")});
    CHECK(value_of(parameters, "size") == Json::array({4}));
    CHECK(value_of(parameters, "words") == Json{"a,b", "c"});
}

TEST_CASE("only a parameter without effect on the vectors is marked so")
{
    for (const auto& parameter : check({in_file("threads", 2), in_file("size", 2)}))
        CHECK(parameter.changes_vectors == (parameter.key != "threads"));
}

TEST_CASE("settings that do not fit are refused with encoder, key and place")
{
    CHECK_ERROR(base::UsageError,
                "run.toml:9:1: encoder 'thing' has no parameter 'sise'. Did you mean 'size'",
                check({in_file("sise", 3)}));
    CHECK_ERROR(base::UsageError, "'size' must be an integer, not \"big\"",
                check({encoder::parse_setting("size=big")}));
    CHECK_ERROR(base::UsageError, "run.toml:9:1: 'size' must be one value, not [1,2",
                check({in_file("size", {1, 2})}));
    CHECK_ERROR(base::UsageError, "'thing' needs the parameter 'model'",
                encoder::check_settings(table(), {}));
    CHECK_THROWS_AS(check({encoder::parse_setting("model=")}), base::UsageError);
    CHECK_ERROR(base::UsageError, "'size'", encoder::parse_setting("size"));
    CHECK_THROWS_AS(encoder::parse_setting("=3"), base::UsageError);
}

TEST_CASE("an encoder without parameters has the host's")
{
    senteval_encoder none{};
    none.id = "test.none";
    CHECK(encoder::check_settings(none, {}).empty());
    CHECK_ERROR(base::UsageError, "run.toml:9:1: encoder 'none' has no parameter 'size'",
                encoder::check_settings(none, {in_file("size", 3)}));
}

TEST_CASE("types have names")
{
    CHECK(std::string(encoder::type_name(SENTEVAL_TYPE_BOOLEAN)) == "boolean");
    CHECK(std::string(encoder::type_name(SENTEVAL_TYPE_INTEGER)) == "integer");
    CHECK(std::string(encoder::type_name(SENTEVAL_TYPE_REAL)) == "real");
    CHECK(std::string(encoder::type_name(SENTEVAL_TYPE_STRING)) == "string");
    CHECK(std::string(encoder::type_name(SENTEVAL_TYPE_PATH)) == "path");
    CHECK(std::string(encoder::type_name(99)) == "unknown");
}

TEST_CASE("values of the interface become JSON of their type")
{
    CHECK(encoder::to_json({SENTEVAL_TYPE_BOOLEAN, 0, {.boolean = 1}}) == Json(true));
    CHECK(encoder::to_json({SENTEVAL_TYPE_INTEGER, 0, {.integer = -3}}) == Json(-3));
    CHECK(encoder::to_json({SENTEVAL_TYPE_REAL, 0, {.real = 0.5}}) == Json(0.5));
    CHECK(encoder::to_json({SENTEVAL_TYPE_PATH, 0, {.string = {"ab", 1}}}) == Json("a"));
    CHECK(encoder::to_json({SENTEVAL_TYPE_STRING, 0, {.string = {nullptr, 0}}}) == Json(""));
}
