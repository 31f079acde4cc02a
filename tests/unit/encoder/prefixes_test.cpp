#include "base/error.hpp"
#include "encoder/plugin_encoder.hpp"
#include "encoder/prefixes.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

using namespace senteval;
using encoder::Parameter;
using text::Role;

namespace {

/// What an encoder was asked; "batcher", or the role.
struct Asked {
    std::string how;
    bool tokenised = false;
    std::string first;
    bool operator==(const Asked&) const = default;
};

std::vector<Asked> asked;

class Plain {
public:
    static constexpr sdk::Descriptor descriptor{.id = "test.plain", .name = "P", .version = "1"};
    static constexpr senteval_param_spec params[] = {sdk::param("size", 1, "Nothing.")};
    explicit Plain(const sdk::Setup& setup)
    {
        CHECK(!setup.params.find<std::string>("query_prefix"));
    }
    [[nodiscard]] std::size_t dimension() const { return 1; }
    void prepare(sdk::Call& /*call*/, const sdk::Task& /*task*/, sdk::Batch samples)
    {
        asked.push_back({"prepare", samples.tokenised(), std::string(samples[0])});
    }
    void encode(sdk::Call& /*call*/, sdk::Batch batch, sdk::Matrix /*out*/) const
    {
        asked.push_back({"batcher", batch.tokenised(), std::string(batch[0])});
    }
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        asked.push_back({"count_known", batch.tokenised(), std::string(batch[0])});
        tokens[0] = known[0] = 1;
    }
};

class WithRoles : public Plain {
public:
    static constexpr sdk::Descriptor descriptor{.id = "test.roles", .name = "R", .version = "1"};
    using Plain::Plain;
    void encode_as(sdk::Call& /*call*/, sdk::Role role, sdk::Batch batch, sdk::Matrix /*out*/) const
    {
        static constexpr std::array names{"as is", "query", "document"};
        asked.push_back(
            {names.at(static_cast<std::size_t>(role)), batch.tokenised(), std::string(batch[0])});
    }
};

constexpr const auto& plain = sdk::detail::Binding<Plain>::table;
constexpr const auto& with_roles = sdk::detail::Binding<WithRoles>::table;

Parameter text_parameter(const std::string& key, const std::string& value)
{
    return {key, SENTEVAL_TYPE_STRING, value};
}

/// How an encoder with these parameters is asked for one text.
Asked asked_for(const senteval_encoder& table,
                const std::vector<Parameter>& parameters,
                const text::Sentence& sentence)
{
    encoder::PluginEncoder encoder({}, table, parameters, {}, {}, {});
    (void)encoder.dimension();
    float out = 0;
    asked.clear();
    encoder.encode({&sentence, 1}, &out, {});
    REQUIRE(asked.size() == 1);
    return asked.front();
}

text::Sentence tokens(std::string_view text, Role role = Role::none)
{
    return {.text = text, .role = role};
}

text::Sentence written(std::string_view text, Role role = Role::none)
{
    return {.text = text, .role = role, .verbatim = true};
}

} // namespace

TEST_CASE("an encoder that knows roles is told them, and any other is asked as ever")
{
    CHECK(asked_for(with_roles, {}, tokens("a b")) == Asked{"batcher", true, "a b"});
    CHECK(asked_for(with_roles, {}, written("a\nb")) == Asked{"batcher", false, "a\nb"});
    CHECK(asked_for(with_roles, {}, written(" a", Role::query)) == Asked{"query", false, " a"});
    CHECK(asked_for(with_roles, {}, tokens("a", Role::document)) == Asked{"document", true, "a"});
    CHECK(asked_for(plain, {}, written("a", Role::query)) == Asked{"batcher", false, "a"});
}

TEST_CASE(
    "a prefix stands before the texts that it is for, in place of what the encoder does for them")
{
    const std::vector<Parameter> query = {text_parameter("query_prefix", " query:  ")};
    CHECK(asked_for(plain, query, written("a\n", Role::query)) ==
          Asked{"batcher", false, " query:  a\n"});
    CHECK(asked_for(plain, query, tokens("a b", Role::query)) ==
          Asked{"batcher", true, "query: a b"});
    CHECK(asked_for(plain, query, tokens("", Role::query)) == Asked{"batcher", true, "query:"});
    CHECK(asked_for(plain, query, tokens("a", Role::document)) == Asked{"batcher", true, "a"});
    CHECK(asked_for(plain, query, tokens("a")) == Asked{"batcher", true, "a"});
    CHECK(asked_for(with_roles, query, written("a", Role::query)) ==
          Asked{"as is", false, " query:  a"});
    CHECK(asked_for(with_roles, query, written("a", Role::document)) ==
          Asked{"document", false, "a"});

    const std::vector<Parameter> all = {text_parameter("prefix", "x y"),
                                        text_parameter("document_prefix", "")};
    CHECK(asked_for(with_roles, all, tokens("a")) == Asked{"as is", true, "x y a"});
    CHECK(asked_for(plain, all, tokens("a")) == Asked{"batcher", true, "x y a"});
    CHECK(asked_for(with_roles, all, tokens("a", Role::document)) == Asked{"as is", true, "a"});
    CHECK(asked_for(with_roles, all, tokens("a", Role::query)) == Asked{"query", true, "a"});
}

TEST_CASE("prepare() sees texts behind their prefixes; known words are those of the texts alone")
{
    encoder::PluginEncoder encoder({}, plain, {text_parameter("query_prefix", "q")}, {}, {}, {});
    const text::Sentence sentence = tokens("a", Role::query);
    std::uint32_t count = 0;
    asked.clear();
    encoder.prepare("T", {&sentence, 1}, {});
    CHECK(encoder.count_known({&sentence, 1}, {&count, 1}, {&count, 1}));
    CHECK(asked == std::vector<Asked>{{"prepare", true, "q a"}, {"count_known", true, "a"}});
}

TEST_CASE("prefixes are settings of every encoder that has no parameter of the name")
{
    const auto check = [](const senteval_encoder& table, const std::string& setting) {
        return encoder::check_settings(
            table, {encoder::parse_setting("prefix=early"), encoder::parse_setting(setting)});
    };
    const auto found = check(plain, "prefix=");
    REQUIRE(found.size() == 1); // the later one counts, and an empty one is one
    CHECK(found.front().key == "prefix");
    CHECK(found.front().value == "");
    CHECK(found.front().changes_vectors);
    CHECK(check(plain, "document_prefix=passage: ").back().value == "passage: ");
    CHECK_THROWS_AS(check(plain, "query_prefix=\xff"), base::UsageError);
    CHECK_THROWS_AS(check(plain, "answer_prefix=x"), base::UsageError);

    senteval_encoder own = plain;
    const senteval_param_spec spec = sdk::param("prefix", 1, "A number.");
    const senteval_param_spec* const specs[] = {&spec};
    own.params = specs;
    own.param_count = 1;
    CHECK(!encoder::is_prefix_key(own, "prefix"));
    CHECK(encoder::is_prefix_key(own, "query_prefix"));
    CHECK_THROWS_AS(encoder::check_settings(own, {encoder::parse_setting("prefix=x")}),
                    base::UsageError);
}
