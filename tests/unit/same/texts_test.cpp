#include "same/texts.hpp"

#include "base/error.hpp"
#include "same/changes.hpp"
#include "support/support.hpp"

#include <algorithm>
#include <set>

using namespace senteval;
using Texts = std::vector<std::string>;

TEST_CASE("the bundled texts differ, and each change of texts changes some of them")
{
    const Texts texts = same::nasty_texts();
    CHECK(std::set(texts.begin(), texts.end()).size() == texts.size());
    CHECK(std::ranges::count(texts, "") == 1);
    for (const same::Change& change : same::text_changes()) {
        CAPTURE(change.what);
        CHECK(std::ranges::count_if(
                  texts, [&](const std::string& text) { return change.text(text) != text; }) >= 4);
    }
    for (const std::size_t words : {128U, 256U, 512U, 2048U})
        CHECK(std::ranges::any_of(texts, [&](const std::string& text) {
            return static_cast<std::size_t>(std::ranges::count(text, ' ')) > words;
        }));
}

TEST_CASE("texts are lines, or a column, each once, titles before them")
{
    const test::ScratchFolder scratch;
    const auto read = [&](const char* name, const char* content, const char* column = "text",
                          std::size_t count = 9) {
        return same::texts_of(scratch.write(name, content), column, count);
    };
    CHECK(read("a.txt", "one\n two \n\none\nthree") == Texts{"one", " two ", "", "three"});
    CHECK(read("a.txt", "one\ntwo\nthree", "text", 2) == Texts{"one", "two"});
    CHECK(read("a.jsonl", "{\"_id\":\"1\",\"text\":\"b\\nc\",\"title\":\"A\"}\n{\"title\":\"\","
                          "\"text\":\" d\"}\n") == Texts{"A b\nc", " d"});
    CHECK(read("a.csv", "id,body\n1,\"x, y\"\n2,z\n", "body") == Texts{"x, y", "z"});
    CHECK(read("a.tsv", "text\tlabel\nx y\t1\n") == Texts{"x y"});
    CHECK_THROWS_AS(read("a.tsv", "text\tlabel\nx y\t1\n", "body"), base::Error);
}
