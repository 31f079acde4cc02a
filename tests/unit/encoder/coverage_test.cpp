#include "encoder/coverage.hpp"

#include "encoder/session.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

/// Knows no word of a sentence with "new" in it.
class Old : public test::PlainEncoder {
public:
    explicit Old(bool concurrent = true) : PlainEncoder(1) { can.concurrent = concurrent; }
    bool tells = true;
    std::size_t calls = 0;
    std::size_t at_once = 0; ///< the most calls that overlapped

    void encode(std::span<const text::Sentence>, float*, const encoder::CallContext&) override {}
    bool count_known(std::span<const text::Sentence> batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override
    {
        enter();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            tokens[i] = batch[i].tokens;
            known[i] = batch[i].text.find("new") == std::string_view::npos ? tokens[i] : 0;
        }
        const std::lock_guard lock(mutex_);
        --at_work_;
        return tells;
    }

private:
    void enter()
    {
        const std::lock_guard lock(mutex_);
        ++calls;
        at_once = std::max(at_once, ++at_work_);
    }

    std::mutex mutex_;
    std::size_t at_work_ = 0;
};

const std::vector<text::Sentence> old_and_new = {{"old old", 2}, {"new old", 2}, {"", 0}};

} // namespace

TEST_CASE("coverage counts tokens and distinct tokens, once for a task")
{
    Old encoder;
    encoder::Session session(encoder, {});
    session.prepare("MR", old_and_new);
    const auto coverage = session.coverage();
    REQUIRE(coverage.has_value());
    CHECK(coverage->tokens == 4);
    CHECK(coverage->tokens_known == 2);
    CHECK(coverage->types == 2);
    CHECK(coverage->types_known == 1);

    const std::size_t calls = encoder.calls;
    CHECK(session.coverage()->tokens == 4);
    CHECK(encoder.calls == calls);
    session.prepare("CR", {old_and_new.data(), 1});
    CHECK(session.coverage()->tokens == 2);
}

TEST_CASE("coverage is the same on several threads, which only meet where the encoder lets them")
{
    std::vector<std::string> words;
    for (int i = 0; i < 9000; ++i)
        words.push_back((i % 3 == 0 ? "new " : "old ") + std::to_string(i));
    const test::Texts texts(words);
    for (const bool is_concurrent : {true, false})
        for (const unsigned threads : {1U, 2U, 5U}) {
            CAPTURE(is_concurrent);
            CAPTURE(threads);
            Old encoder(is_concurrent);
            const auto coverage = encoder::coverage_of(encoder, texts.sentences, threads);
            REQUIRE(coverage.has_value());
            CHECK(coverage->tokens == 18000);
            CHECK(coverage->tokens_known == 12000);
            CHECK(coverage->types == 9002);
            CHECK(coverage->types_known == 9001);
            CHECK(encoder.at_once <= (is_concurrent ? threads : 1));
            const auto each = encoder::known_words(encoder, texts.sentences, threads);
            REQUIRE(each.has_value());
            CHECK(each->tokens == std::vector<std::uint32_t>(9000, 2));
            CHECK(each->known[0] == 0);
            CHECK(each->known[8999] == 2);
        }
}

TEST_CASE("there is no coverage where the encoder does not tell, or of no sentence")
{
    Old encoder;
    CHECK(encoder::coverage_of(encoder, {}, 2)->tokens == 0);
    encoder.tells = false;
    CHECK(!encoder::coverage_of(encoder, old_and_new, 2));
    CHECK(!encoder::known_words(encoder, old_and_new, 2));
    CHECK(encoder.calls == 2);
}
