#include "glove/glove_encoder.hpp"

#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <dlfcn.h>

using namespace senteval;
using glove::GloveEncoder;
using test::PluginHarness;

namespace {

using Row = std::vector<float>;

struct Fixture {
    test::ScratchFolder scratch;
    std::string vectors =
        scratch.write("v.txt", "the 1 2\ncat 4 -6\nsat 1 1\n. 0.5 0.25\nParis 7 8\n").string();

    [[nodiscard]] PluginHarness make(std::vector<test::Parameter> more = {},
                                     unsigned threads = 1) const
    {
        more.insert(more.begin(), {"vectors", vectors});
        return PluginHarness::of<GloveEncoder>(more, threads);
    }

    /// The message of a creation that must fail with `status`.
    [[nodiscard]] std::string refusal(const std::vector<test::Parameter>& more,
                                      senteval_status status = SENTEVAL_INVALID_ARGUMENT) const
    {
        CHECK(test::status_of([&] { return make(more); }) == status);
        return test::error_of<test::PluginFailure>([&] { return make(more); });
    }
};

} // namespace

TEST_CASE("a sentence is the mean of its known words")
{
    const Fixture fixture;
    auto encoder = fixture.make();
    CHECK(encoder.dimension() == 2);
    encoder.prepare({"the cat sat", "dog cat"});
    CHECK(encoder.encode("the cat sat") == Row{2, -1});
    CHECK(encoder.encode("the the cat") == Row{2, static_cast<float>(-2.0 / 3.0)});
    CHECK(encoder.encode("dog cat") == Row{4, -6});
    CHECK(encoder.encode("dog PARIS") == Row{0, 0});
}

TEST_CASE("an empty sentence is a full stop")
{
    const Fixture fixture;
    auto encoder = fixture.make();
    CHECK(encoder.encode("") == Row{0.5, 0.25});
    encoder.prepare({"", "the"});
    CHECK(encoder.encode("") == Row{0.5, 0.25});
    CHECK(encoder.encode(" ") == Row{0.5, 0.25});
}

TEST_CASE("poolings, unknown words and case are chosen by parameters")
{
    using namespace std::string_literals;
    const Fixture fixture;
    const std::string sentence = "the cat dog PARIS";
    const auto row = [&](std::vector<test::Parameter> parameters) {
        auto encoder = fixture.make(std::move(parameters));
        encoder.prepare({sentence});
        return encoder.encode(sentence);
    };
    CHECK(row({{"pooling", "sum"s}}) == Row{5, -4});
    CHECK(row({{"pooling", "max"s}}) == Row{4, 2});
    CHECK(row({{"pooling", "min"s}}) == Row{1, -6});
    CHECK(row({{"unknown", "zero"s}}) == Row{1.25, -1});
    CHECK(row({{"case", "fallback"s}}) == Row{4, static_cast<float>(4.0 / 3.0)});
    const Row means = row({{"pooling", "pmeans"s}});
    CHECK(Row(means.begin(), means.begin() + 6) == Row{2.5, -2, 4, 2, 1, -6});
    CHECK(means[6] == doctest::Approx(std::cbrt(32.5)));
    CHECK(means[7] == doctest::Approx(-std::cbrt(104.0)));
}

TEST_CASE("the SIF average by parameters")
{
    const Fixture fixture;
    // Weights: the 1/(1+0.75), cat 1/(1+0.25), sat 1.
    const std::string counts = fixture.scratch.write("c.txt", "the 3\ncat 1\n").string();
    auto plain = fixture.make({{"sif", counts}, {"sif_a", 1.0}, {"sif_component", false}});
    plain.prepare({"the cat"});
    const Row weighted = plain.encode("the cat sat");
    CHECK(weighted[0] == doctest::Approx((1 / 1.75 + 4 / 1.25 + 1) / 3));
    CHECK(weighted[1] == doctest::Approx((2 / 1.75 - 6 / 1.25 + 1) / 3));

    // One sentence: its own direction is the common one, and nothing is left.
    auto removing = fixture.make({{"sif", counts}, {"sif_a", 1.0}});
    removing.prepare({"the cat sat"});
    for (const float value : removing.encode("the cat sat"))
        CHECK(value == doctest::Approx(0.0).epsilon(1e-6));
    // The next task has a component of its own.
    removing.prepare({"the"});
    CHECK(removing.encode("cat")[0] != doctest::Approx(0.0));
    for (const float value : removing.encode("the"))
        CHECK(value == doctest::Approx(0.0).epsilon(1e-6));
}

TEST_CASE("rows depend on their sentence only, and not on threads")
{
    const Fixture fixture;
    const std::vector<std::string> sentences{"the cat", "", "sat sat Paris", "nothing known", "."};
    auto one = fixture.make({}, 1);
    auto four = fixture.make({}, 4);
    one.prepare(sentences);
    four.prepare(sentences);
    const auto rows = one.encode(sentences);
    CHECK(rows == four.encode(sentences));
    for (std::size_t i = 0; i < sentences.size(); ++i)
        CHECK(one.encode(sentences[i]) == rows[i]);
    CHECK(one.encode(std::vector<std::string>{}).empty());
}

TEST_CASE("known tokens are counted")
{
    const Fixture fixture;
    auto encoder = fixture.make();
    encoder.prepare({"the cat dog", ""});
    const auto counts = encoder.count_known({"the cat dog", ""});
    CHECK(counts[0] == std::pair<std::uint32_t, std::uint32_t>(3, 2));
    CHECK(counts[1] == std::pair<std::uint32_t, std::uint32_t>(0, 0));
}

TEST_CASE("parameters that do not fit are refused")
{
    using namespace std::string_literals;
    Fixture fixture;
    CHECK(test::contains(fixture.refusal({{"pooling", "median"s}}),
                         "'pooling' is 'median'; it must be one of: mean, max, min, sum, pmeans"));
    CHECK(test::contains(fixture.refusal({{"unknown", "random"s}}), "'random'"));
    CHECK(test::contains(fixture.refusal({{"case", "lower"s}}), "'lower'"));
    const std::string counts = fixture.scratch.write("c.txt", "the 3\n").string();
    CHECK(test::contains(fixture.refusal({{"sif", counts}, {"pooling", "max"s}}),
                         {"'sif'", "pooling = mean"}));
    CHECK(test::contains(fixture.refusal({{"sif", counts}, {"sif_a", 0.0}}), "'sif_a' is 0"));
    CHECK(test::contains(fixture.refusal({{"sif", "/none/counts"s}}, SENTEVAL_NOT_FOUND),
                         "/none/counts"));
    fixture.vectors = "/none/v.txt";
    CHECK(test::contains(fixture.refusal({}, SENTEVAL_NOT_FOUND), "'/none/v.txt'"));
}

TEST_CASE("the plugin offers the encoder and nothing else")
{
    const std::string path = (test::binary_dir() / "plugins/glove.so").string();
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE_MESSAGE(library != nullptr, dlerror());
    const auto entry =
        reinterpret_cast<senteval_plugin_entry_fn>(dlsym(library, SENTEVAL_PLUGIN_ENTRY_NAME));
    REQUIRE((entry != nullptr));
    CHECK((entry((SENTEVAL_ABI_MAJOR + 1) << 16) == nullptr));
    const senteval_plugin* const plugin = entry(SENTEVAL_ABI_VERSION);
    REQUIRE(plugin != nullptr);
    REQUIRE(plugin->encoder_count == 1);
    CHECK(std::string(plugin->encoders[0]->id) == "senteval.glove");

    const Fixture fixture;
    PluginHarness encoder(*plugin->encoders[0], {{"vectors", fixture.vectors}});
    encoder.prepare({"the cat"});
    CHECK(encoder.encode("the cat") == Row{2.5, -2});
}
