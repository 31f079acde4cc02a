#include "base/error.hpp"
#include "encoder/claims.hpp"
#include "encoder/session.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

#include <senteval/encoder.h>

using namespace senteval;
using encoder::CallContext;
using encoder::Session;
using encoder::SessionOptions;

namespace {

/// The vector of a sentence is (1, its bytes), and what the test adds to that.
class Claiming : public test::PlainEncoder {
public:
    Claiming() : PlainEncoder(2, "Claiming") { can.concurrent = true; }
    float by_position = 0;     ///< is added to the first element, times the place in the batch
    float by_batch_size = 0;   ///< is added times the size of the batch
    bool turns_round = false;  ///< rows of a batch are in the opposite order
    float first_time = 0;      ///< is added to what is encoded before the first batch of one
    float first_batch = 0;     ///< is added to what is encoded in the first call of all
    float to_a_row = 0;        ///< is added to the fourth row of a whole batch, the first time
    std::size_t right_for = 0; ///< sentences: before, by_batch_size is not added
    std::size_t calls = 0;
    std::size_t encoded = 0;

    void encode(std::span<const text::Sentence> batch,
                float* out,
                const CallContext& /*context*/) override
    {
        const std::lock_guard lock(mutex_);
        ++calls;
        encoded += batch.size();
        if (batch.size() == 1)
            first_time = 0;
        const bool is_spoilt = spoilt_.insert(std::string(batch.front().text)).second;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            *out = is_spoilt && i == 3 ? to_a_row : 0;
            if (calls == 1)
                *out += first_batch;
            *out++ += 1 + by_position * float(i) + first_time +
                      (encoded > right_for ? by_batch_size * float(batch.size()) : 0);
            *out++ = turns_round
                         ? std::stof(std::string(batch[batch.size() - 1 - i].text.substr(16)))
                         : static_cast<float>(batch[i].text.size());
        }
    }

private:
    std::mutex mutex_;
    std::set<std::string> spoilt_; ///< first sentences of batches
};

/// A task of `count` sentences, each another.
test::Texts task_of(std::size_t count)
{
    return test::Texts::numbered(count, "sentence number ", 3);
}

/// What a session says to this encoder, after a task of 100 sentences.
std::string failure_of(Claiming& encoder, unsigned threads = 1)
{
    const test::Texts task = task_of(100);
    SessionOptions options;
    options.batch_size = 16;
    options.threads = threads;
    Session session(encoder, options);
    session.prepare("MR", task.sentences);
    return test::error_of<base::Error>([&] { return session.embed(task.sentences); });
}

} // namespace

TEST_CASE("an encoder whose vectors are what it claims passes, and few sentences are encoded twice")
{
    Claiming encoder;
    CHECK(failure_of(encoder).empty());
    CHECK(encoder.encoded > 100);
    CHECK(encoder.encoded <= 104);
    Claiming rounding;
    rounding.by_batch_size = 1e-6F;
    CHECK(failure_of(rounding).empty());
}

TEST_CASE("a false claim of batch invariance fails the task, with claim, sentence and both values")
{
    Claiming positional;
    positional.by_position = 0.25F;
    const std::string why = failure_of(positional);
    CHECK(test::contains(
        why, {"encoder 'Claiming' failed on task MR while encoding some sentences again",
              "BATCH_INVARIANT", "of the vector of \"sentence number ",
              "and is 1 encoded again alone", "rule 12.1"}));
    Claiming sized;
    sized.by_batch_size = 0.5F;
    CHECK(test::contains(failure_of(sized), "rule 12.1"));
    sized.can.batch_invariant = false; // then it is as it says
    CHECK(failure_of(sized).empty());
}

TEST_CASE("rows in another order are told as such, not as a claim")
{
    Claiming turning;
    turning.turns_round = true;
    const std::string why = failure_of(turning);
    CHECK(
        test::contains(why, "the rows are not in the order of the sentences: \"sentence number "));
    CHECK_FALSE(test::contains(why, "BATCH_INVARIANT"));
}

TEST_CASE("what goes wrong in the first batch only is found")
{
    Claiming unwarmed;
    unwarmed.first_batch = 3;
    CHECK(test::contains(failure_of(unwarmed), "\"sentence number 0\""));
}

TEST_CASE("a batch that gives something else by itself is a false claim of concurrency")
{
    Claiming racy;
    racy.first_time = 3;
    const std::string why = failure_of(racy, 2);
    CHECK(test::contains(why, {"CONCURRENT_BATCHER", "rule 12.2"}));

    Claiming rare;
    rare.to_a_row = 3;
    CHECK(test::contains(failure_of(rare, 2), "rule 12.2"));

    Claiming ordered;
    ordered.can.batch_invariant = false;
    CHECK(failure_of(ordered, 2).empty());
    CHECK(ordered.calls == 7 + 1); // one of seven batches again
}

TEST_CASE("what is asked for in small lists is encoded, and tried, as one, and all along")
{
    Claiming encoder;
    const test::Texts task = task_of(4096);
    SessionOptions options;
    options.batch_size = 128;
    Session session(encoder, options);
    session.prepare("MR", task.sentences);
    for (std::size_t i = 0; i < task.sentences.size(); i += 64)
        (void)session.embed({task.sentences.data() + i, 64});
    CHECK(encoder.calls == 4096 / 128 + 4 + 1);
    CHECK(encoder.encoded == 4096 + 4 + 8); // eight of them: four alone, all as a batch
    Claiming late;
    late.by_batch_size = 0.5F;
    late.right_for = 2048;
    options.batch_size = 16;
    Session other(late, options);
    other.prepare("MR", task.sentences);
    CHECK_THROWS_AS((void)other.embed({task.sentences.data(), 64}), base::Error);
}

TEST_CASE("how much is tried depends on the number of sentences and their length alone")
{
    for (const auto& tried : std::vector<std::pair<std::size_t, std::size_t>>{
             {7, 0}, {8, 2}, {16, 3}, {1000, 5}, {10000, 24}}) {
        const auto& [count, most] = tried;
        CAPTURE(tried.first);
        Claiming encoder;
        const test::Texts task = task_of(count);
        std::vector<std::array<float, 2>> vectors(count);
        std::vector<encoder::Slot> slots;
        for (std::size_t i = 0; i < count; ++i) {
            vectors[i] = {1, static_cast<float>(task.texts[i].size())};
            slots.push_back({task.sentences[i], vectors[i].data()});
        }
        const encoder::Encoded encoded{slots, 2, 128, false};
        encoder::check_claims(encoder, encoded, {});
        CHECK(encoder.encoded <= most);
        CHECK((encoder.encoded > 0) == (most > 0));
    }
}

TEST_CASE("vectors differ where one element does by more than a thousandth of the largest")
{
    using Floats = std::vector<float>;
    const auto at = [](const Floats& a, const Floats& b) -> std::optional<std::size_t> {
        const auto most = encoder::difference(a, b);
        return most.size > encoder::rounding ? std::optional(most.at) : std::nullopt;
    };
    CHECK(!at({}, {}));
    CHECK(!at({0, 0}, {0, 0}));
    CHECK(!at({1, 0}, {1, 0.0009F}));
    CHECK(at({1, 0}, {1, 0.0011F}) == 1);
    CHECK(at({0, 1e-20F}, {0, 2e-20F}) == 1);
    CHECK(at({1, 2}, {1, std::numeric_limits<float>::infinity()}) == 1);
    constexpr float not_found = SENTEVAL_NOT_FOUND_BY_QUERY;
    CHECK(!at({not_found, 3}, {not_found, 3}));
    CHECK(!at({not_found, not_found}, {not_found, not_found}));
    CHECK(at({not_found, 3}, {not_found, 4}) == 1);
    CHECK(at({not_found, 3}, {0, 3}) == 0);
}
