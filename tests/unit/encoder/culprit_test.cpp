#include "encoder/culprit.hpp"

#include "base/error.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace std::chrono_literals;

namespace {

using Part = std::span<const text::Sentence>;

bool holds(Part part, std::string_view word)
{
    return std::ranges::any_of(part, [&](const auto& one) { return one.text == word; });
}

/// What is said of the sentences "0" to "99" by an encoder that fails where it is told to.
struct Search {
    std::function<bool(Part)> fails_on;
    std::chrono::milliseconds budget = 10s;
    int calls = 0;

    std::string text(int sentences = 100)
    {
        const auto list = test::Texts::numbered(static_cast<std::size_t>(sentences), "");
        return encoder::culprit_text(
            list.sentences,
            [&](Part part, const encoder::CallContext&) {
                ++calls;
                if (fails_on(part))
                    throw base::Error("no");
            },
            {}, budget);
    }
};

} // namespace

TEST_CASE("one sentence that fails alone is named, by bisection")
{
    for (const std::string word : {"0", "41", "99"}) {
        CAPTURE(word);
        Search search{[&](Part part) { return holds(part, word); }};
        CHECK(search.text().find('"' + word + '"') != std::string::npos);
        CHECK(search.calls < 20);
    }
}

TEST_CASE("nobody is named where every sentence fails, or none alone")
{
    Search always{[](Part) { return true; }};
    CHECK_FALSE(test::contains(always.text(), "\""));
    Search together{[](Part part) { return part.size() > 50; }};
    CHECK_FALSE(test::contains(together.text(), "\""));
}

TEST_CASE("one sentence needs no search")
{
    Search search{[](Part) { return true; }};
    CHECK(search.text(1).empty());
    CHECK(search.calls == 0);
}

TEST_CASE("the search ends with its budget")
{
    Search slow{[](Part part) {
                    std::this_thread::sleep_for(40ms);
                    return holds(part, "41");
                },
                50ms};
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(test::contains(slow.text(), "\""));
    CHECK(std::chrono::steady_clock::now() - begin < 5s);
}
