#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "encoder/plugin_encoder.hpp"
#include "support/support.hpp"

using namespace senteval;
using encoder::CallContext;
using encoder::Parameter;
using encoder::PluginEncoder;

namespace {

std::shared_ptr<const encoder::Plugin> load_bad(const std::string& name)
{
    return encoder::Plugin::load(test::binary_dir() / "tests/bad_plugins" / (name + ".so"));
}

/// The encoder of tests/abi/bad/runtime.c that does `what`.
std::unique_ptr<PluginEncoder> make(const std::string& what, encoder::Logger logger = {})
{
    const auto plugin = load_bad("runtime");
    encoder::Identity identity;
    identity.label = "Runtime";
    return std::make_unique<PluginEncoder>(
        plugin, plugin->encoder(""),
        std::vector<Parameter>{{"what", SENTEVAL_TYPE_STRING, what, true},
                               {"always", SENTEVAL_TYPE_BOOLEAN, true, true}},
        identity, std::move(logger), CallContext{});
}

const std::vector<text::Sentence> two_sentences = {{"a b", 2}, {"", 0}};

std::string failure_of(PluginEncoder& encoder)
{
    std::array<float, 6> out{};
    return test::error_of<base::Error>([&] {
        encoder.prepare("MR", two_sentences, {});
        (void)encoder.dimension();
        encoder.encode(two_sentences, out.data(), {});
    });
}

/// The encoder of tests/abi/bad/stating.cpp that states `json`.
std::unique_ptr<PluginEncoder> make_stating(const std::string& json, bool prepares = true)
{
    const auto plugin = load_bad("stating");
    const std::vector<Parameter> parameters = {{"states", SENTEVAL_TYPE_STRING, json, false},
                                               {"prepares", SENTEVAL_TYPE_BOOLEAN, prepares, true}};
    const auto& table = plugin->encoder("");
    return std::make_unique<PluginEncoder>(plugin, table, parameters,
                                           encoder::identify(*plugin, table, parameters, "S"),
                                           encoder::Logger{}, CallContext{});
}

const senteval_encoder* glove()
{
    static const auto plugin = encoder::Plugin::load(test::binary_dir() / "plugins/glove.so");
    return &plugin->encoder("glove");
}

encoder::Identity identify(const std::vector<Parameter>& parameters)
{
    static const auto plugin = encoder::Plugin::load(test::binary_dir() / "plugins/glove.so");
    return encoder::identify(*plugin, *glove(), parameters, "label");
}

} // namespace

TEST_CASE("a well-behaved plugin writes one sentence per column")
{
    const auto encoder = make("nothing");
    encoder->prepare("MR", two_sentences, {});
    CHECK(encoder->dimension() == 3);
    CHECK(encoder->has_prepare());
    CHECK(!encoder->capabilities().concurrent);
    std::array<float, 6> out{};
    encoder->encode(two_sentences, out.data(), {});
    CHECK(out == std::array<float, 6>{3, 1, ' ', 0, 1, 0});
    CHECK(!encoder->count_known(two_sentences, {}, {}));
}

TEST_CASE("what a plugin says when it fails is passed on")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"error", "the model is out of order"},
        {"silent_error", "it gave no reason"},
        {"unknown_status", "a status from the future"},
        {"cancelled", "cancelled, though nobody asked"},
        {"dimension_error", "the dimension is unknown"},
        {"prepare_error", "this task cannot be prepared"},
    };
    for (const auto& failing : expected) {
        const auto& [what, words] = failing;
        CAPTURE(failing.first);
        CHECK(failure_of(*make(what)) == words);
    }
}

TEST_CASE("a plugin that cannot start is named")
{
    CHECK_ERROR(base::UsageError, "'Runtime' cannot start: the model file 'none.bin'",
                make("create_error"));
    CHECK_ERROR(base::Error, "'Runtime' cannot start: it gave no reason",
                make("create_silent_error"));
    CHECK_ERROR(base::Error, "made no instance", make("create_null"));
}

TEST_CASE("a plugin sees the request to stop, and its answer is no failure")
{
    const auto encoder = make("hang");
    encoder->prepare("MR", two_sentences, {});
    (void)encoder->dimension();
    std::stop_source source;
    source.request_stop();
    CallContext context;
    context.stop = source.get_token();
    std::array<float, 6> out{};
    CHECK_THROWS_AS(encoder->encode(two_sentences, out.data(), context), base::Cancelled);
}

TEST_CASE("no exception leaves a plugin of the SDK, whatever it throws")
{
    const auto plugin = load_bad("throwing");
    for (const char* what : {"error", "ok_error", "standard", "memory", "anything"})
        for (const char* where : {"create", "prepare", "dimension", "encode", "count_known"}) {
            CAPTURE(what);
            CAPTURE(where);
            const auto use = [&] {
                PluginEncoder encoder(plugin, plugin->encoder(""),
                                      {{"where", SENTEVAL_TYPE_STRING, where, true},
                                       {"what", SENTEVAL_TYPE_STRING, what, true}},
                                      {}, {}, {});
                encoder.prepare("MR", two_sentences, {});
                (void)encoder.dimension();
                std::array<float, 2> out{};
                encoder.encode(two_sentences, out.data(), {});
                std::array<std::uint32_t, 2> tokens{};
                std::array<std::uint32_t, 2> known{};
                encoder.count_known(two_sentences, tokens, known);
            };
            CHECK_THROWS_AS(use(), base::Error);
        }
}

TEST_CASE("the identity follows the content of files, not where they lie nor the order of keys")
{
    const test::ScratchFolder scratch;
    const auto path = [&](const char* key, const char* name, const char* bytes) {
        return Parameter{key, SENTEVAL_TYPE_PATH, scratch.write(name, bytes).string(), true};
    };
    const Parameter zero{"unknown", SENTEVAL_TYPE_STRING, "zero", true};
    const auto first = identify({path("vectors", "one.txt", "same"), zero});
    CHECK(first.label == "label");
    CHECK(first.id == "senteval.glove");
    CHECK(first.files.at("vectors") == base::fingerprint("same"));
    CHECK(first.parameters.at("vectors") == (scratch / "one.txt").string());
    CHECK(first.fingerprint.size() == 32);

    CHECK(identify({zero, path("vectors", "two.txt", "same")}).fingerprint == first.fingerprint);
    CHECK(identify({zero, path("vectors", "one.txt", "other")}).fingerprint != first.fingerprint);
    CHECK(identify({path("vectors", "one.txt", "same")}).fingerprint != first.fingerprint);
    CHECK(identify({path("other", "one.txt", "same"), zero}).fingerprint != first.fingerprint);
}

TEST_CASE("a parameter without effect leaves the identity alone, but is written down")
{
    const auto plain = identify({});
    const auto other = identify({{"threads", SENTEVAL_TYPE_INTEGER, 2, false}});
    CHECK(other.fingerprint == plain.fingerprint);
    CHECK(other.parameters.at("threads") == 2);
    CHECK(identify({{"threads", SENTEVAL_TYPE_INTEGER, 2, true}}).fingerprint != plain.fingerprint);
}

TEST_CASE("every file of a list counts for the identity")
{
    const test::ScratchFolder scratch;
    const auto list = [&](const char* first, const char* second) {
        return identify({{"model", SENTEVAL_TYPE_PATH, scratch.write("1", first).string(), true},
                         {"model", SENTEVAL_TYPE_PATH, scratch.write("2", second).string(), true}});
    };
    const auto both = list("x", "y");
    CHECK(both.files.at("model") == base::Json{base::fingerprint("x"), base::fingerprint("y")});
    CHECK(list("z", "y").fingerprint != both.fingerprint);
    CHECK(list("x", "z").fingerprint != both.fingerprint);
}

TEST_CASE("a path that is not UTF-8 has an identity too")
{
    CHECK_NOTHROW(identify({{"vectors", SENTEVAL_TYPE_PATH, "/none/\xff", true}}));
}

TEST_CASE("what an instance states is shown, and tells it from others of equal parameters")
{
    CHECK(encoder::states_identity(load_bad("stating")->encoder("")));
    CHECK(!encoder::states_identity(load_bad("runtime")->encoder("")));
    CHECK(!encoder::states_identity(*glove()));
    const auto one = make_stating(R"({"model": "a", "url": "u"})");
    CHECK(one->identity().stated.at("model") == "a");
    const auto print_of = [](const char* json) {
        return make_stating(json)->identity().fingerprint;
    };
    CHECK(print_of(R"({ "url": "u", "model": "a" })") == one->identity().fingerprint);
    CHECK(print_of(R"({"model": "b", "url": "u"})") != one->identity().fingerprint);
    CHECK(print_of("\"a\"") != print_of("\"b\""));
}

TEST_CASE("a statement that is no JSON, too deep or too long is refused with the encoder's name")
{
    CHECK_ERROR(base::Error, "encoder 'S' cannot start", make_stating("{"));
    CHECK_ERROR(base::Error, "levels deep",
                make_stating(std::string(100'000, '[') + std::string(100'000, ']')));
    CHECK_ERROR(base::Error, "1048576", make_stating('"' + std::string(1U << 20U, 'x') + '"'));
}

TEST_CASE("an instance may keep only some of its table's capabilities, gains none, and may not "
          "need prepare()")
{
    const auto plugin = load_bad("stating");
    const auto capabilities = [&](bool invariant) {
        return PluginEncoder(plugin, plugin->encoder(""),
                             {{"invariant", SENTEVAL_TYPE_BOOLEAN, invariant, true}}, {}, {}, {})
            .capabilities();
    };
    CHECK(capabilities(true).batch_invariant);
    CHECK(!capabilities(true).concurrent);
    CHECK(!capabilities(false).batch_invariant);
    CHECK(make_stating("{}", true)->has_prepare());
    CHECK(!make_stating("{}", false)->has_prepare());
}

TEST_CASE("a failure message of megabytes is cut")
{
    const auto plugin = load_bad("faults");
    PluginEncoder encoder(plugin, plugin->encoder(""),
                          {{"fault", SENTEVAL_TYPE_STRING, "message", true}}, {}, {}, {});
    std::array<float, 16> out{};
    (void)encoder.dimension();
    const std::string why =
        test::error_of<base::Error>([&] { encoder.encode(two_sentences, out.data(), {}); });
    CHECK(why.size() < 5000);
    CHECK(why.starts_with("xxxx"));
    CHECK(test::contains(why, "10485760 bytes"));
}

TEST_CASE("counts of known tokens that cannot be are refused")
{
    const auto encoder = make_stating("{}");
    std::array<std::uint32_t, 2> tokens{};
    std::array<std::uint32_t, 2> known{};
    CHECK(encoder->count_known(two_sentences, tokens, known));
    CHECK(known[1] == 3);
    const std::vector<text::Sentence> bad = {{"a", 1}, {"impossible", 1}};
    CHECK_ERROR(base::Error, "4 of 3 tokens", encoder->count_known(bad, tokens, known));
}
