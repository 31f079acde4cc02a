#include "embedding/variant.hpp"
#include "support/support.hpp"

using namespace senteval;
using embedding::Precision;
using embedding::Quantiser;
using embedding::Variant;

namespace {

std::vector<float> quantised(Precision precision,
                             const std::vector<std::vector<float>>& seen,
                             std::vector<float> vector)
{
    Quantiser quantiser(precision);
    for (const auto& one : seen)
        quantiser.see(one);
    quantiser.fit();
    quantiser.apply(vector);
    return vector;
}

} // namespace

TEST_CASE("variants are read and printed")
{
    for (const char* label : {"256", "128:int8", "binary", "float16", "layer", "layer:64",
                              "layer:binary", "layer:768:float16"}) {
        CAPTURE(label);
        const auto variant = Variant::parse(label);
        REQUIRE(variant);
        CHECK(variant->label() == label);
    }
    CHECK(Variant::parse("128:int8") == Variant{false, 128, Precision::int8});
    CHECK(Variant{}.label().empty());
    for (const char* text : {"", ":", "0", "-1", "1.5", "12a", "int8:128", "128:64", "int8:binary",
                             "128:", "float32", "128:layer", "int4", "1000000001"}) {
        CAPTURE(text);
        CHECK_FALSE(Variant::parse(text));
    }
}

TEST_CASE("a variant is smaller than vectors of more dimensions, or bits")
{
    CHECK(Variant{false, 128}.is_smaller(129));
    CHECK_FALSE(Variant{false, 128}.is_smaller(128));
    CHECK(Variant{false, 128, Precision::int8}.is_smaller(128));
    CHECK_FALSE(Variant{false, 128, Precision::int8}.is_smaller(127));
    CHECK(Variant{false, 0, Precision::binary}.is_smaller(5));
}

TEST_CASE("int8 has 256 steps between the least and the greatest value of each dimension")
{
    // 0 to 255: a step is 1, q = x - 128, whose fraction is cut off toward 0
    const std::vector<std::vector<float>> seen = {{0, 7}, {255, 7}};
    CHECK(quantised(Precision::int8, seen, {0, 7}) == std::vector<float>{0, 7});
    CHECK(quantised(Precision::int8, seen, {255, 7}) == std::vector<float>{255, 7});
    CHECK(quantised(Precision::int8, seen, {1.75F, 7})[0] == 2); // q = -126.25
    CHECK(quantised(Precision::int8, seen, {200.75F, 7})[0] == 200);
    CHECK(quantised(Precision::int8, seen, {-40, 9}) == std::vector<float>{0, 7}); // out of range
    CHECK(quantised(Precision::int8, seen, {1e9F, 7})[0] == 255);
}

TEST_CASE("binary is the sign, and cosine is 1 - 2 * Hamming / d")
{
    CHECK(quantised(Precision::binary, {}, {0.5F, -2, 0, 1e-30F}) ==
          std::vector<float>{1, -1, -1, 1});
}

TEST_CASE("float16 rounds to the nearest, and stays finite")
{
    const auto half = [](float x) { return quantised(Precision::float16, {}, {x})[0]; };
    CHECK(half(1) == 1);
    CHECK(half(2049) == 2048); // between 2048 and 2050: to even
    CHECK(half(2051) == 2052);
    CHECK(half(-0.1F) == -0.0999755859375F);
    CHECK(half(65519) == 65504);
    CHECK(half(1e30F) == 65504);
    CHECK(half(-1e30F) == -65504);
    CHECK(half(0x1p-24F) == 0x1p-24F);
    CHECK(half(0x1.8p-24F) == 0x1p-23F);
    CHECK(half(0x1p-25F) == 0);
    CHECK(half(0x1.002p-14F) == 0x1p-14F);
    CHECK(std::signbit(half(-0.0F)));
}

TEST_CASE("a normalisation comes before the precision, whose ranges are of what it gives")
{
    const arma::fmat seen = {{0, 3}, {10, 4}};
    const embedding::Normaliser both({embedding::Normalisation::l2, Precision::int8}, seen);
    std::vector<float> out(2);
    both.apply(std::vector<float>{3, 4}, out.data());
    CHECK(out[0] == doctest::Approx(0.6)); // ranges 0 to .6 and .8 to 1
    CHECK(out[1] == doctest::Approx(0.8));
    both.apply(std::vector<float>{7, 0}, out.data());
    CHECK(out[0] == doctest::Approx(0.6));
    CHECK(out[1] == doctest::Approx(0.8));
    CHECK(embedding::is_fitted(embedding::Treatment({}, Precision::int8)));
    CHECK_FALSE(embedding::is_fitted(embedding::Treatment({}, Precision::binary)));
}

TEST_CASE("layer normalisation is of all values, of which the first are taken")
{
    std::vector<float> out(2);
    Variant{true, 2}.copy(std::vector<float>{1, 2, 3, 6}, out); // mean 3, variance 3.5
    CHECK(out[0] == doctest::Approx(-2 / std::sqrt(3.5 + 1e-5)));
    CHECK(out[1] == doctest::Approx(-1 / std::sqrt(3.5 + 1e-5)));
    Variant{false, 2}.copy(std::vector<float>{1, 2, 3, 6}, out);
    CHECK(out == std::vector<float>{1, 2});
}
