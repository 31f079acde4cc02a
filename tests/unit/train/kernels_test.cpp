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
    constexpr std::size_t columns = 64;
    const std::size_t stride = core::padded(width);
    learn::AlignedVector<float> rows((columns + kernels.strip) * stride);
    for (std::size_t row = 0; row + 1 < count; ++row) // the last one is of zeros
        for (std::size_t i = 0; i < width; ++i)
            rows[row * stride + i] = made_value(row * width + i);
    const std::vector<std::uint32_t> numbers{3, 0, 41, 3, 17};
    const std::vector<std::uint32_t> begin{0, 2, 2, 5};
    const std::vector<float> factors{0.5F, -2, 0.25F, 1, 3};
    const std::vector<float> scales{0.2F, 1, 1.5F};
    std::vector<float> all(6 * width);
    train::RowSums<float> sums{.table = rows.data(),
                               .stride = stride,
                               .width = width,
                               .numbers = numbers.data(),
                               .begin = begin.data(),
                               .scales = scales.data(),
                               .last = 3,
                               .out = all.data(),
                               .out_stride = width,
                               .fetched = numbers.size()};
    kernels.sum_rows(sums);
    sums.factors = factors.data();
    sums.scales = nullptr;
    sums.first = 1;
    sums.out = all.data() + 3 * width;
    kernels.sum_rows(sums);
    kernels.scale(rows.data(), width, -0.75F, all.data() + 5 * width);

    std::vector<float> panels(columns * width);
    std::vector<float> inverse_lengths(columns);
    kernels.make_units({rows.data(), stride, panels.data(), inverse_lengths.data()}, count, width);
    for (std::size_t row = 0; row < count; ++row) {
        all.push_back(inverse_lengths[row]);
        all.insert(all.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * stride),
                   rows.begin() + static_cast<std::ptrdiff_t>(row * stride + width));
    }
    std::vector<float> products(count * columns);
    learn::AlignedVector<float> largest(columns, -1e30F);
    learn::AlignedVector<std::int32_t> nearest(columns, 0);
    for (std::size_t first = 0; first < count; first += kernels.strip) {
        const train::CosineRows<float> strip{
            products.data() + first * columns,      columns,           first,
            std::min(kernels.strip, count - first), train::half_panel, columns - train::half_panel};
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

TEST_CASE("rows become vectors of length 1, but one of zeros")
{
    constexpr std::size_t width = 37;
    constexpr std::size_t stride = core::padded(width);
    for (const train::Kernels<float>* const kernels : train::available_kernels()) {
        CAPTURE(kernels->name);
        learn::AlignedVector<float> rows(32 * stride);
        for (std::size_t i = 0; i < 20 * stride; ++i)
            rows[i] = i / stride != 4 && i % stride < width ? made_value(i) : 0;
        const std::vector<float> before(rows.begin(), rows.end());
        std::vector<float> panels(32 * width);
        std::vector<float> inverse_lengths(32);
        kernels->make_units({rows.data(), stride, panels.data(), inverse_lengths.data()}, 20,
                            width);
        for (std::size_t row = 0; row < 20; ++row) {
            CAPTURE(row);
            double square = 0;
            for (std::size_t i = 0; i < width; ++i)
                square += std::pow(static_cast<double>(before[row * stride + i]), 2);
            const double length = row == 4 ? 1 : std::sqrt(square);
            CHECK(inverse_lengths[row] == doctest::Approx(row == 4 ? 0 : 1 / length));
            for (std::size_t i = 0; i < width; ++i) {
                CHECK(rows[row * stride + i] == doctest::Approx(before[row * stride + i] / length));
                CHECK(panels[i * train::panel_columns + row] == rows[row * stride + i]);
            }
        }
    }
}

TEST_CASE("a comparison finds the nearest sentence that is no partner, on any number of members")
{
    for (const std::size_t pairs : {2U, 7U, 33U})
        for (const unsigned members : {1U, 2U, 3U})
            for (const bool keeps_all : {false, true}) {
                CAPTURE(pairs);
                CAPTURE(members);
                CAPTURE(keeps_all);
                constexpr std::size_t width = 19;
                const auto units = made_units(pairs, width);
                const auto parts = train::parts_of(width, members);
                train::Comparison<double> comparison(width, parts, members, keeps_all);
                comparison.reserve(pairs);
                for (std::size_t part = 0; part < parts.size(); ++part)
                    for (std::size_t i = 0; i < 2 * pairs; ++i)
                        for (std::size_t j = parts[part].first;
                             j < std::min(parts[part].last, width); ++j)
                            comparison.vectors(
                                part)[i * parts[part].count() + j - parts[part].first] =
                                3 * units[i][j];
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
                    CHECK(found.sentence == nearest);
                    CHECK(found.cosine == doctest::Approx(product_of(units[i], units[nearest])));
                    if (keeps_all)
                        CHECK(comparison.cosine(static_cast<std::uint32_t>(i), found.sentence) ==
                              found.cosine);
                    CHECK(comparison.partner_cosine(i % pairs) ==
                          doctest::Approx(product_of(units[i], units[(i + pairs) % (2 * pairs)])));
                    CHECK(comparison.inverse_length(members - 1, i) == doctest::Approx(1.0 / 3));
                }
            }
}

TEST_CASE("parts of columns are whole lines, none of them empty, and hold every column once")
{
    for (const std::size_t width : {1U, 16U, 50U, 100U, 300U})
        for (const std::size_t count : {1U, 2U, 3U, 64U}) {
            CAPTURE(width);
            CAPTURE(count);
            const auto parts = train::parts_of(width, count);
            CHECK(parts.size() == std::min(count, core::padded(width) / core::line_floats));
            std::size_t end = 0;
            for (const train::Columns& part : parts) {
                CHECK(part.first == end);
                CHECK(part.last > part.first);
                CHECK(part.first % core::line_floats == 0);
                end = part.last;
            }
            CHECK(end == core::padded(width));
        }
}
