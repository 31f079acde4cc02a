#include "isolation/messages.hpp"

#include "base/error.hpp"
#include "encoder/identity.hpp"
#include "isolation/shared_buffer.hpp"
#include "support/support.hpp"

using namespace senteval;
using isolation::SharedBuffer;

TEST_CASE("an order is read as it was written, whatever bytes its paths have")
{
    const std::string odd = "/models/\xff\xfe name";
    const isolation::Order order{odd + ".so",
                                 "org.example.one",
                                 "label",
                                 {{"model", SENTEVAL_TYPE_PATH, odd},
                                  {"size", SENTEVAL_TYPE_INTEGER, -3},
                                  {"rate", SENTEVAL_TYPE_REAL, 0.1},
                                  {"fast", SENTEVAL_TYPE_BOOLEAN, true}}};
    const auto read = isolation::order_of(isolation::bytes_of(order));
    CHECK(read.library == order.library);
    CHECK(read.encoder == order.encoder);
    CHECK(read.label == order.label);
    REQUIRE(read.parameters.size() == order.parameters.size());
    for (std::size_t i = 0; i < read.parameters.size(); ++i) {
        CHECK(read.parameters[i].key == order.parameters[i].key);
        CHECK(read.parameters[i].type == order.parameters[i].type);
        CHECK(read.parameters[i].value == order.parameters[i].value);
    }
}

TEST_CASE("what is no order is refused")
{
    for (const char* bytes : {"", "x", "\xa0"})
        CHECK_THROWS_AS((void)isolation::order_of(bytes), base::Error);
}

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
        CHECK_THROWS_AS((void)isolation::described_plugin("lib.so", text), base::Error);
}

TEST_CASE("texts come out of shared memory as they went in, empty ones and NUL bytes included")
{
    const std::vector<std::string> texts = {"", std::string("a\0b", 3), "h\xc3\xa9",
                                            std::string(100'000, 'x')};
    std::vector<text::Sentence> sentences;
    for (const std::string& text : texts)
        sentences.push_back({text});
    SharedBuffer buffer(1);
    const std::size_t used = isolation::write_texts(sentences, buffer);
    CHECK(buffer.size() >= used);
    std::vector<text::Sentence> read;
    isolation::read_texts(buffer, used, sentences.size(), read);
    REQUIRE(read.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
        CHECK(read[i].text == texts[i]);
    for (const text::Role role : {text::Role::none, text::Role::query, text::Role::document})
        for (const bool verbatim : {false, true}) {
            const text::Sentence one{.text = "a", .role = role, .verbatim = verbatim};
            isolation::read_texts(buffer, isolation::write_texts({&one, 1}, buffer), 1, read);
            CHECK(read == std::vector{one});
        }
    isolation::read_texts(buffer, isolation::write_text("one", buffer), 1, read);
    REQUIRE(read.size() == 1);
    CHECK(read.front().text == "one");
}

TEST_CASE("a list of texts that does not fit its memory is refused")
{
    SharedBuffer buffer(1);
    const std::size_t used = isolation::write_text("word", buffer);
    std::vector<text::Sentence> read;
    CHECK_THROWS_AS(isolation::read_texts(buffer, used - 1, 1, read), base::Error);
    CHECK_THROWS_AS(isolation::read_texts(buffer, used, 1000, read), base::Error);
    CHECK_THROWS_AS(isolation::read_texts(buffer, buffer.size() + 1, 1, read), base::Error);
    *reinterpret_cast<std::uint64_t*>(buffer.data()) = ~std::uint64_t{0};
    CHECK_THROWS_AS(isolation::read_texts(buffer, used, 1, read), base::Error);
}
