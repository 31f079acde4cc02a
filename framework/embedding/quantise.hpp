// quantise.hpp -- values of vectors as few bits hold them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::embedding {

/// The stored form of a value. `int8`: 256 steps between the least and the greatest value of the dimension. `binary`:
/// whether it is above 0.
enum class Precision { float32, float16, int8, binary };

inline constexpr std::array<std::pair<std::string_view, Precision>, 4> precision_names{{
    {"float32", Precision::float32},
    {"float16", Precision::float16},
    {"int8", Precision::int8},
    {"binary", Precision::binary},
}};

constexpr std::string_view name(Precision precision)
{
    return precision_names[static_cast<std::size_t>(precision)].first;
}

/// Values stored in that precision and read again, as floats. float16 is rounded to the nearest, to even of two, and
/// beyond 65504 to that. int8 is sentence-transformers' quantize_embeddings(): with the least and the greatest value of
/// each dimension of the vectors that it was fitted on, step = (greatest - least) / 255 and q = (x - least) / step - 128
/// without its fraction; x is read as least + (q + 128) · step. Here q is kept within -128 and 127, where theirs
/// wraps around, and a dimension of one value is read as this. binary is read as 1 where x > 0, else -1: the cosine
/// of two such vectors is 1 - 2 · Hamming distance / dimension.
class Quantiser {
public:
    /// Changes nothing until it is fitted.
    explicit Quantiser(Precision precision = Precision::float32) : precision_(precision) {}

    [[nodiscard]] bool is_fitted() const noexcept { return precision_ == Precision::int8; }

    /// Adds a vector to the ranges. All have one dimension.
    void see(std::span<const float> vector);

    /// Call after the last see().
    void fit();

    /// Quantises in place.
    void apply(std::span<float> vector) const;

private:
    Precision precision_;
    std::vector<float> least_; ///< of each dimension
    std::vector<float> greatest_;
    std::vector<float> step_;
    std::vector<float> divisor_; ///< the step, or 1 where it is 0
};

} // namespace senteval::embedding
