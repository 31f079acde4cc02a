#include "isolation/texts.hpp"

#include "core/error.hpp"
#include "isolation/shared_buffer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace senteval;
using isolation::SharedBuffer;

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
    isolation::read_texts(buffer, isolation::write_text("one", buffer), 1, read);
    REQUIRE(read.size() == 1);
    CHECK(read.front().text == "one");
}

TEST_CASE("a list of texts that does not fit its memory is refused")
{
    SharedBuffer buffer(1);
    const std::size_t used = isolation::write_text("word", buffer);
    std::vector<text::Sentence> read;
    CHECK_THROWS_AS(isolation::read_texts(buffer, used - 1, 1, read), core::Error);
    CHECK_THROWS_AS(isolation::read_texts(buffer, used, 1000, read), core::Error);
    CHECK_THROWS_AS(isolation::read_texts(buffer, buffer.size() + 1, 1, read), core::Error);
    *reinterpret_cast<std::uint64_t*>(buffer.data()) = ~std::uint64_t{0};
    CHECK_THROWS_AS(isolation::read_texts(buffer, used, 1, read), core::Error);
}
