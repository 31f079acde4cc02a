#include "same/search.hpp"

#include "base/fingerprint.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::same;

namespace {

/// Vectors that hang on every byte of a text.
Answers vectors_of(const std::vector<std::string>& texts)
{
    Answers answers{arma::fmat(8, texts.size()), std::vector<std::string>(texts.size())};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string hash = base::fingerprint(texts[i]);
        for (std::size_t row = 0; row < 8; ++row)
            answers.vectors(row, i) = static_cast<float>(hash[row]) - 70;
    }
    return answers;
}

const std::vector<std::string> texts{"Ab", "cD ", "ef", "gh ", "Ij", "kl", "M", "n", "o p", "Q\nr"};

/// What is found where the other encoder does that with texts.
Causes found(const std::function<std::string(std::string_view)>& other,
             const std::vector<std::string>& all = texts)
{
    std::vector<std::string> changed;
    for (const std::string& text : all)
        changed.push_back(other(text));
    const Answers own = vectors_of(all);
    const Answers wanted = vectors_of(changed);
    Question question{all, wanted, {}, {}, {}};
    for (std::size_t i = 0; i < all.size(); ++i)
        (Limits().hold(gap_of(own.vector(i), wanted.vector(i))) ? question.same
                                                                : question.differing)
            .push_back(i);
    const auto changes = changes_for([](auto) { return false; }, {"say: "}, true);
    return causes_of(question, changes, [&](const Change& change, const Numbers& which) {
        std::vector<std::string> list = all;
        for (const std::size_t text : which) {
            if (change.text)
                list[text] = change.text(list[text]);
            if (!change.settings.empty()) // a prefix
                list[text] = change.settings.front().second + list[text];
        }
        return std::optional(vectors_of(list));
    });
}

} // namespace

TEST_CASE("one change is named, and what is no change is not")
{
    const auto lower = text_changes().front().text;
    CHECK(found(lower).named == "case");
    CHECK(found([](auto text) { return "say: " + std::string(text); }).named == "prefix");
    CHECK(found([](auto text) { return std::string(text) + "."; }).fits.empty());
}

TEST_CASE("of two causes the one that explains most is named first")
{
    const auto lower = text_changes().front().text;
    const Causes both = found([&](auto text) { return "say: " + lower(text); },
                              {"a", "b", "c", "d", "e", "f", "g", "h", "I", "J", "K", "L"});
    CHECK(both.named == "prefix and case");
    REQUIRE(both.fits.size() == 1);
    CHECK(both.fits.front().what == "the prefix 'say: ' and texts in lower case");
}

TEST_CASE("what few texts tell is listed, and no kind named")
{
    const auto lower = text_changes().front().text;
    const Causes few = found(lower, {"Ab", "c", "d", "E", "f"});
    CHECK(few.held_out == 1);
    CHECK(few.named.empty());
    REQUIRE(few.fits.size() == 1);
    CHECK(few.fits.front().cause == "case");
    const Causes blanks = found(text_changes()[1].text, {"a ", "b ", "c ", "d ", "e ", "f"});
    CHECK(blanks.named == "white space"); // stripped, or one blank for white space
    CHECK(blanks.fits.size() == 2);
}

TEST_CASE("a change has to keep what is the same")
{
    std::vector<std::string> some{"Ab", "Cd", "Ef", "Gh", "Ij", "Kl"};
    const auto lower = text_changes().front().text;
    const auto first_half = [&](std::string_view text) {
        return text < "G" ? lower(text) : std::string(text);
    };
    CHECK(found(first_half, some).fits.empty());
    CHECK(found(lower, some).fits.size() == 1);
}
