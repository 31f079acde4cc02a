#include "encoder/offender.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace senteval;

namespace {

using Batch = std::span<const text::Sentence>;

/// Fails where it is told to, and counts its calls.
class Failing : public encoder::Encoder {
public:
    std::function<bool(Batch)> fails_on;
    int calls = 0;

    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override { return {}; }
    [[nodiscard]] bool has_prepare() const override { return false; }
    void prepare(std::string_view, Batch, const encoder::CallContext&) override {}
    [[nodiscard]] std::size_t dimension() override { return 1; }
    void encode(Batch batch, float* out, const encoder::CallContext& context) override
    {
        ++calls;
        if (context.stop.stop_requested())
            throw core::Cancelled();
        if (fails_on(batch))
            throw core::Error("no");
        std::fill_n(out, batch.size(), 0.0F);
    }
    bool count_known(Batch, std::span<std::uint32_t>, std::span<std::uint32_t>) override
    {
        return false;
    }

private:
    encoder::Identity identity_;
};

bool holds(Batch batch, std::string_view word)
{
    return std::ranges::any_of(batch, [&](const auto& one) { return one.text == word; });
}

/// What is said of a batch of the sentences "0" to "99".
std::string failure(Failing& encoder, const encoder::CallContext& context = {})
{
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i)
        texts.push_back(std::to_string(i));
    std::vector<text::Sentence> batch;
    for (const std::string& text : texts)
        batch.push_back({text});
    std::vector<float> rows(batch.size());
    try {
        encoder::encode_or_tell(encoder, batch, rows.data(), context);
    } catch (const core::Error& e) {
        return e.what();
    }
    return "";
}

std::string failure(std::function<bool(Batch)> fails_on)
{
    Failing encoder;
    encoder.fails_on = std::move(fails_on);
    std::string why = failure(encoder);
    CHECK(encoder.calls <= 18);
    return why;
}

} // namespace

TEST_CASE("a sentence that an encoder fails on is found in its batch")
{
    for (const std::string word : {"0", "1", "49", "50", "77", "99"})
        CHECK(failure([&](Batch batch) { return holds(batch, word); }) ==
              "no; the sentence that does it: \"" + word + "\"");
    CHECK(failure([](Batch batch) { return holds(batch, "60") || holds(batch, "80"); }) ==
          "no; the sentence that does it: \"60\"");
    CHECK(failure([](Batch) { return false; }).empty());
}

TEST_CASE("no sentence is blamed for what any other does, too, or what does not happen again")
{
    CHECK(failure([](Batch) { return true; }) ==
          "no; from there on it fails whatever it is given, \"0\" alone as well");
    CHECK(failure([](Batch batch) { return batch.size() > 30; }) ==
          "no; it takes 50 sentences, beginning with \"0\"");
    CHECK(failure([](Batch batch) { return holds(batch, "3") && holds(batch, "70"); }) ==
          "no; it takes 100 sentences, beginning with \"0\"");
    bool is_first = true;
    CHECK(failure([&](Batch) { return std::exchange(is_first, false); }) ==
          "no; a second time the same 100 sentences did no harm");
    int calls = 1; // one that dies of every second batch, and is started anew
    CHECK(failure([&](Batch) { return ++calls % 2 == 0; }) ==
          "no; \"99\" alone failed once, and did no harm a second time");
}

TEST_CASE("what has been looked into is not looked into again, and a stop ends the search")
{
    Failing encoder;
    encoder.fails_on = [](Batch) -> bool { throw encoder::Investigated("it is the 7"); };
    CHECK(failure(encoder) == "it is the 7");
    CHECK(encoder.calls == 1);

    std::stop_source stop;
    encoder::CallContext context;
    context.stop = stop.get_token();
    Failing stopped;
    stopped.fails_on = [&](Batch) { return stop.request_stop(); };
    CHECK(failure(stopped, context) == "stopped on request");
    CHECK(stopped.calls == 2);
}
