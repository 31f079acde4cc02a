#include "learn/rounding.hpp"

#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval::learn;

TEST_CASE("Python rounds the exact value, NumPy the scaled one")
{
    CHECK(round_python(2.675) == 2.67);
    CHECK(round_numpy(2.675) == 2.68);
    CHECK(round_python(0.125) == 0.12);
    CHECK(round_numpy(0.125) == 0.12);
    CHECK(round_python(1.005) == 1.0);
    CHECK(round_numpy(1.005) == 1.0);
    CHECK(round_python(100 * (1381 / 1725.0)) == 80.06);
}

TEST_CASE("the recorded roundings are reproduced")
{
    const auto reference = senteval::test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["rounding"]) {
        CHECK(round_python(entry["x"].get<double>()) == entry["python"].get<double>());
        CHECK(round_numpy(entry["x"].get<double>()) == entry["numpy"].get<double>());
    }
}

TEST_CASE("the mean adds in pairs from eight values on")
{
    // numpy.mean([0.1 * i for i in range(10)] + ...): one after the other the sums differ.
    const std::vector<double> ten{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1};
    const double pairs = ((0.1 + 0.2) + (0.3 + 0.4)) + ((0.5 + 0.6) + (0.7 + 0.8)) + 0.9 + 1.1;
    CHECK(mean_numpy(ten) == pairs / 10);
    CHECK(mean_numpy(std::vector<double>{1, 2, 6}) == 3);
    const std::vector<double> many(1000, 0.25);
    CHECK(mean_numpy(many) == 0.25);
}
