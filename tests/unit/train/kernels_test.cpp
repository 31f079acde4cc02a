#include "learn/aligned.hpp"
#include "train/comparison.hpp"
#include "train/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace senteval;

namespace {

float made_value(std::size_t i)
{
    const auto x = static_cast<double>(i);
    return static_cast<float>(std::sin(x * 1.7) + 0.3 * std::cos(x * x));
}

/// Everything that a set of kernels computes of made rows of this width.
std::vector<float> results(const train::Kernels<float>& kernels, std::size_t width)
{
    constexpr std::size_t count = 45;
    const std::size_t stride = width + 3;
    learn::AlignedVector<float> rows((count + kernels.strip) * stride);
    for (std::size_t i = 0; i < count * stride; ++i)
        rows[i] = made_value(i);
    const std::vector<std::uint32_t> numbers{3, 0, 41, 3, 17};
    const std::vector<float> factors{0.5F, -2, 0.25F, 1, 3};
    const train::Rows<float> some{rows.data(), stride, numbers.data(), numbers.size(), width};
    std::vector<float> all(3 * width);
    kernels.combine(some, nullptr, 0.2F, all.data());
    kernels.combine(some, factors.data(), 1.5F, all.data() + width);
    kernels.scale(rows.data(), width, -0.75F, all.data() + 2 * width);
    all.push_back(kernels.square(rows.data() + stride, width));

    constexpr std::size_t columns = 64;
    std::vector<float> panels(columns * width);
    kernels.pack(rows.data(), stride, 20, width, 0, panels.data());
    kernels.pack(rows.data() + 20 * stride, stride, count - 20, width, 20, panels.data());
    std::vector<float> products(count * columns);
    learn::AlignedVector<float> largest(columns, -1e30F);
    learn::AlignedVector<std::int32_t> nearest(columns, 0);
    for (std::size_t first = 0; first < count; first += kernels.strip) {
        const train::CosineRows<float> strip{
            products.data() + first * columns,      columns, first,
            std::min(kernels.strip, count - first), 0,       columns};
        kernels.cosines(rows.data() + first * stride, stride, width, panels.data(), strip);
        kernels.nearest(strip, largest.data(), nearest.data());
    }
    all.insert(all.end(), products.begin(), products.end());
    all.insert(all.end(), largest.begin(), largest.begin() + count);
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(static_cast<float>(nearest[i]));
    return all;
}

/// Vectors of length 1 for so many pairs.
std::vector<std::vector<double>> made_units(std::size_t pairs, std::size_t width)
{
    std::vector<std::vector<double>> units(2 * pairs, std::vector<double>(width));
    for (std::size_t i = 0; i < units.size(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < width; ++j) {
            units[i][j] = static_cast<double>(made_value(i * width + j));
            square += units[i][j] * units[i][j];
        }
        for (double& value : units[i])
            value /= std::sqrt(square);
    }
    return units;
}

double product_of(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

} // namespace

TEST_CASE("the trainer's kernels have the same bits for every instruction set and any width")
{
    REQUIRE(std::string(train::available_kernels().back()->name) == "portable");
    for (const std::size_t width : {1U, 3U, 15U, 16U, 37U, 100U, 300U}) {
        CAPTURE(width);
        const std::vector<float> expected = results(*train::available_kernels().back(), width);
        for (const train::Kernels<float>* const kernels : train::available_kernels()) {
            CAPTURE(kernels->name);
            CHECK(results(*kernels, width) == expected);
        }
    }
}

TEST_CASE("a comparison finds the nearest sentence that is no partner, on any number of members")
{
    for (const std::size_t pairs : {2U, 7U, 33U})
        for (const unsigned members : {1U, 2U, 3U}) {
            CAPTURE(pairs);
            CAPTURE(members);
            constexpr std::size_t width = 9;
            const auto units = made_units(pairs, width);
            train::Comparison<double> comparison(width, members);
            comparison.reserve(pairs);
            for (std::size_t i = 0; i < 2 * pairs; ++i)
                std::ranges::copy(units[i], comparison.unit(i));
            comparison.add(0, 2 * pairs);
            for (unsigned member = 0; member < members; ++member)
                comparison.compare(member, members, pairs);
            for (std::size_t i = 0; i < 2 * pairs; ++i) {
                std::size_t nearest = 2 * pairs;
                for (std::size_t j = 0; j < 2 * pairs; ++j)
                    if (j % pairs != i % pairs &&
                        (nearest == 2 * pairs ||
                         product_of(units[i], units[j]) > product_of(units[i], units[nearest])))
                        nearest = j;
                const auto found = comparison.nearest(static_cast<std::uint32_t>(i));
                CHECK(found == nearest);
                CHECK(comparison.cosine(static_cast<std::uint32_t>(i), found) ==
                      doctest::Approx(product_of(units[i], units[nearest])));
                CHECK(comparison.partner_cosine(i % pairs) ==
                      doctest::Approx(product_of(units[i], units[(i + pairs) % (2 * pairs)])));
            }
        }
}
