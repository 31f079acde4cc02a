#include "paragram/paragram_encoder.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using paragram::ParagramEncoder;
using test::PluginHarness;

namespace {

using Row = std::vector<float>;

struct Fixture {
    test::ScratchFolder scratch;
    std::string vectors = scratch
                              .write("v.txt",
                                     "the 1 2\ncat 4 6\nhashtag 3 3\n# 8 8\nécole 2 0\n"
                                     "UUUNKKK -2 4\n")
                              .string();
};

} // namespace

TEST_CASE("tokens are lower-cased and hash signs dropped")
{
    CHECK(paragram::normalised("The") == "the");
    CHECK(paragram::normalised("ÉCOLE") == "école");
    CHECK(paragram::normalised("#HashTag") == "hashtag");
    CHECK(paragram::normalised("#a#b") == "ab");
    CHECK(paragram::normalised("c#") == "c#");
    CHECK(paragram::normalised("#") == "#");
    CHECK(paragram::normalised("##").empty());
}

TEST_CASE("a sentence is the mean over all its tokens, unknown ones with a vector of theirs")
{
    const Fixture fixture;
    auto encoder = PluginHarness::of<ParagramEncoder>({{"vectors", fixture.vectors}});
    CHECK(encoder.dimension() == 2);
    const std::vector<std::string> sentences{"The CAT", "the zebra", "#HashTag #",
                                             "",        "##",        "École"};
    for (const bool prepared : {false, true}) {
        if (prepared)
            encoder.prepare(sentences);
        const auto rows = encoder.encode(sentences);
        CHECK(rows == test::Rows{{2.5, 4}, {-0.5, 3}, {5.5, 5.5}, {0, 0}, {-2, 4}, {2, 0}});
    }
    const auto counts = encoder.count_known({"the zebra", "##"});
    CHECK(counts[0] == std::pair<std::uint32_t, std::uint32_t>(2, 1));
    CHECK(counts[1] == std::pair<std::uint32_t, std::uint32_t>(1, 0));
}

TEST_CASE("the mean is projected")
{
    const Fixture fixture;
    const std::string projection =
        fixture.scratch.write("p.txt", "1 0 0.5\n0 1 0\n1 1 -1\n").string();
    auto encoder = PluginHarness::of<ParagramEncoder>(
        {{"vectors", fixture.vectors}, {"projection", projection}});
    CHECK(encoder.dimension() == 3);
    CHECK(encoder.encode("the cat") == Row{3, 4, 5.5});
    CHECK(encoder.encode("") == Row{0.5, 0, -1});
}

TEST_CASE("vectors without the unknown word, or with a bad one, are refused")
{
    const test::ScratchFolder scratch;
    for (const char* bytes : {"the 1 2\n", "the 1 2\nUUUNKKK 1 x\n"}) {
        const auto open = [&] {
            return PluginHarness::of<ParagramEncoder>(
                {{"vectors", scratch.write("v.txt", bytes).string()},
                 {"format", std::string("glove")}});
        };
        CHECK(test::status_of(open) == SENTEVAL_INVALID_ARGUMENT);
        CHECK_ERROR(test::PluginFailure, "'UUUNKKK'", open());
    }
}
