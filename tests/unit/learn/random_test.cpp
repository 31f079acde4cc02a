#include "learn/random.hpp"

#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::Mt19937;
using learn::NumpyRandom;
using learn::TorchRandom;

namespace {

using Numbers = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("MT19937 gives the published first outputs")
{
    // numpy.random.RandomState(1111).randint(2**32, dtype=uint32)
    Mt19937 random(1111);
    for (const std::uint32_t expected : {410380700U, 1846919479U, 3972860645U, 1097182545U})
        CHECK(random.next() == expected);
    // The C++ standard: the 10000th output of mt19937 with its default seed is 4123659995.
    Mt19937 standard(5489);
    for (int i = 1; i < 10000; ++i)
        standard.next();
    CHECK(standard.next() == 4123659995U);
}

TEST_CASE("permutations and choices are NumPy's")
{
    // numpy.random.seed(1111); permutation(5); choice(list(range(100, 140)), 12); permutation(5)
    NumpyRandom random(1111);
    CHECK(random.permutation(5) == Numbers{0, 2, 1, 3, 4});
    Numbers chosen;
    for (int i = 0; i < 12; ++i)
        chosen.push_back(100 + random.interval(39));
    CHECK(chosen == Numbers{112, 134, 124, 122, 120, 111, 114, 108, 138, 112, 122, 108});
    CHECK(random.permutation(5) == Numbers{0, 3, 4, 2, 1});
}

TEST_CASE("permutations of nothing and of one draw nothing")
{
    NumpyRandom random(1111);
    CHECK(random.permutation(0).empty());
    CHECK(random.permutation(1) == Numbers{0});
    CHECK(random.interval(0) == 0);
    CHECK(random.permutation(5) == Numbers{0, 2, 1, 3, 4});
}

TEST_CASE("shuffling one array and drawing one interval at a time agree")
{
    NumpyRandom whole(7);
    NumpyRandom single(7);
    Numbers expected(1000);
    std::iota(expected.begin(), expected.end(), 0U);
    for (std::uint32_t i = 999; i > 0; --i)
        std::swap(expected[i], expected[single.interval(i)]);
    CHECK(whole.permutation(1000) == expected);
}

TEST_CASE("a linear layer begins as in torch")
{
    // torch.manual_seed(1111); torch.nn.Linear(3, 2)
    std::vector<float> layer(8);
    TorchRandom(1111).linear(3, 2, layer.data(), 4);
    CHECK(layer == std::vector<float>{-0.045499995F, -0.4792244F, 0.34750423F, -0.020672707F,
                                      -0.118731104F, 0.5251538F, 0.11337393F, 0.5133673F});
}

TEST_CASE("the recorded initial layers are reproduced")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["torch_linear_init"]) {
        TorchRandom random(entry["seed"].get<std::uint32_t>());
        for (const auto& layer : entry["layers"]) {
            const auto inputs = layer["in"].get<std::size_t>();
            const auto outputs = layer["out"].get<std::size_t>();
            const std::size_t stride = inputs + 3;
            std::vector<float> weights(outputs * stride);
            random.linear(inputs, outputs, weights.data(), stride);
            const auto weight = test::exact(layer["weight"]);
            const auto bias = test::exact(layer["bias"]);
            for (std::size_t k = 0; k < outputs; ++k) {
                for (std::size_t f = 0; f < inputs; ++f)
                    REQUIRE(static_cast<double>(weights[k * stride + f]) == weight[k * inputs + f]);
                REQUIRE(static_cast<double>(weights[k * stride + inputs]) == bias[k]);
            }
        }
    }
}

TEST_CASE("initial weights fill the interval around zero")
{
    TorchRandom random(3);
    std::vector<float> weights(101UL * 50);
    random.linear(100, 50, weights.data(), 101);
    const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
    CHECK(*low > -0.1F);
    CHECK(*low < -0.099F);
    CHECK(*high < 0.1F);
    CHECK(*high > 0.099F);
}

TEST_CASE("the recorded streams are reproduced")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["mt19937"]) {
        Mt19937 random(entry["seed"].get<std::uint32_t>());
        Numbers out(2000);
        std::generate(out.begin(), out.end(), [&] { return random.next(); });
        CHECK(Numbers(out.begin(), out.begin() + 8) == entry["first"].get<Numbers>());
        CHECK(Numbers{out[623], out[624], out[625], out[1999]} ==
              entry["at_623_624_625_1999"].get<Numbers>());
    }
    for (const auto& entry : (*reference)["numpy_permutation"]["small"]) {
        NumpyRandom random(entry["seed"].get<std::uint32_t>());
        for (const char* turn : {"first", "second"})
            CHECK(random.permutation(entry["n"].get<std::size_t>()) == entry[turn].get<Numbers>());
    }
    for (const auto& entry : (*reference)["numpy_permutation"]["large"]) {
        NumpyRandom random(entry["seed"].get<std::uint32_t>());
        for (const char* turn : {"first", "second"}) {
            const Numbers order = random.permutation(entry["n"].get<std::size_t>());
            CHECK(Numbers(order.begin(), order.begin() + 10) == entry[turn]["head"].get<Numbers>());
            CHECK(Numbers(order.end() - 10, order.end()) == entry[turn]["tail"].get<Numbers>());
        }
    }
    for (const auto& entry : (*reference)["numpy_permutation"]["sequence_of_sizes"]) {
        NumpyRandom random(entry["seed"].get<std::uint32_t>());
        for (std::size_t i = 0; i < entry["n"].size(); ++i)
            CHECK(random.permutation(entry["n"][i].get<std::size_t>()) ==
                  entry["permutations"][i].get<Numbers>());
    }
}

TEST_CASE("dropout keeps the recorded elements")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["torch_dropout_cpu"]) {
        TorchRandom random(entry["seed"].get<std::uint32_t>());
        const auto layers = entry["linear_layers_made_before"].get<std::vector<std::size_t>>();
        for (std::size_t i = 1; i < layers.size(); ++i) {
            std::vector<float> weights(layers[i] * (layers[i - 1] + 1));
            random.linear(layers[i - 1], layers[i], weights.data(), layers[i - 1] + 1);
        }
        for (const std::string turn : {"first", "second"}) {
            std::vector<std::uint8_t> kept(entry["shape"][0].get<std::size_t>() *
                                           entry["shape"][1].get<std::size_t>());
            random.keep(entry["p"].get<double>(), kept);
            if (entry.contains(turn + "_keep"))
                CHECK(kept == entry[turn + "_keep"].get<std::vector<std::uint8_t>>());
            else
                CHECK(std::accumulate(kept.begin(), kept.end(), 0) ==
                      entry[turn + "_kept"].get<int>());
        }
    }
}
