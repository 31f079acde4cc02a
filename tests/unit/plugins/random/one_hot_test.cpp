#include "random/one_hot.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace {

namespace test = senteval::test;
using senteval::random::OneHot;
using Count = std::pair<std::uint32_t, std::uint32_t>;

double cosine(const std::vector<float>& a, const std::vector<float>& b)
{
    const auto dot = [](const std::vector<float>& u, const std::vector<float>& v) {
        return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
    };
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

const std::vector<std::string> sentences = {"the cat saw the dog", "the dog ran", "", "The  end ."};

} // namespace

TEST_CASE("a one-hot vector has a 1 for each word of the sentence")
{
    auto encoder = test::PluginHarness::of<OneHot>({});
    encoder.prepare(sentences);
    REQUIRE(encoder.dimension() == 8); // the cat saw dog ran The end .
    const test::Rows rows = encoder.encode(sentences);
    CHECK(rows[0] == std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0}); // `the` counts once
    CHECK(rows[1] == std::vector<float>{1, 0, 0, 1, 1, 0, 0, 0});
    CHECK(rows[2] == std::vector<float>(8, 0));
    CHECK(rows[3] == std::vector<float>{0, 0, 0, 0, 0, 1, 1, 1});
    CHECK(cosine(rows[0], rows[1]) == doctest::Approx(2 / std::sqrt(4.0 * 3.0)));

    CHECK(encoder.encode("the bird") == std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(encoder.count_known({"the bird", ""}) == std::vector{Count(2, 1), Count(0, 0)});

    encoder.prepare({"one two"});
    CHECK(encoder.dimension() == 2);
    encoder.prepare({""});
    CHECK(encoder.encode("") == std::vector<float>{0});
}

TEST_CASE("one-hot vectors can be hashed into fewer numbers")
{
    auto encoder = test::PluginHarness::of<OneHot>({{"dimension", 1024}});
    CHECK(encoder.dimension() == 1024); // without a prepare
    encoder.prepare(sentences);
    CHECK(encoder.dimension() == 1024);
    const test::Rows rows = encoder.encode(sentences);
    CHECK(cosine(rows[0], rows[1]) == doctest::Approx(2 / std::sqrt(4.0 * 3.0)));
    CHECK(encoder.count_known({"the bird"}) == std::vector{Count(2, 2)});

    const auto tiny = test::PluginHarness::of<OneHot>({{"dimension", 1}});
    CHECK(tiny.encode("a b c") == std::vector<float>{1});
}

TEST_CASE("one-hot vectors that would be too long are refused with what to do")
{
    auto encoder = test::PluginHarness::of<OneHot>({{"limit", 3}});
    CHECK(test::status_of([&] { encoder.prepare(sentences); }) == SENTEVAL_UNSUPPORTED);
    CHECK_ERROR(test::PluginFailure, "more than 3 different tokens: raise 'limit'",
                encoder.prepare(sentences));
    CHECK_THROWS_AS((void)encoder.dimension(), test::PluginFailure);
    encoder.prepare({"a b c"});
    CHECK(encoder.dimension() == 3);

    CHECK_THROWS_AS((void)test::PluginHarness::of<OneHot>({}).dimension(), test::PluginFailure);
    CHECK_THROWS_AS(test::PluginHarness::of<OneHot>({{"dimension", -1}}), test::PluginFailure);
    CHECK_THROWS_AS(test::PluginHarness::of<OneHot>({{"limit", 0}}), test::PluginFailure);
}
