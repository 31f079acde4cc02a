#include "embedding/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace senteval::embedding {
namespace {

constexpr std::string_view layer_word = "layer";
constexpr std::size_t most_dimensions = 1'000'000'000;

/// Adds a part of the text to the variant of the parts before it.
bool add_part(std::string_view part, Variant& variant)
{
    if (part == layer_word && variant.is_full()) {
        variant.layer_norm = true;
        return true;
    }
    if (variant.precision != Precision::float32)
        return false;
    for (const auto& [called, precision] : precision_names)
        if (part == called && precision != Precision::float32) {
            variant.precision = precision;
            return true;
        }
    const char* const end = part.data() + part.size();
    const bool has_dimension = variant.dimension > 0;
    const auto [stop, problem] = std::from_chars(part.data(), end, variant.dimension);
    return problem == std::errc() && stop == end && !has_dimension && variant.dimension > 0 &&
           variant.dimension <= most_dimensions;
}

} // namespace

std::optional<Variant> Variant::parse(std::string_view text)
{
    Variant variant;
    for (;;) {
        const std::size_t end = std::min(text.find(':'), text.size());
        if (!add_part(text.substr(0, end), variant))
            return std::nullopt;
        if (end == text.size())
            return variant;
        text.remove_prefix(end + 1);
    }
}

std::string Variant::label() const
{
    std::string text;
    const auto add = [&](std::string_view part) {
        text += text.empty() ? "" : ":";
        text += part;
    };
    if (layer_norm)
        add(layer_word);
    if (dimension > 0)
        add(fmt::format("{}", dimension));
    if (precision != Precision::float32)
        add(name(precision));
    return text;
}

void Variant::copy(std::span<const float> vector, std::span<float> out) const
{
    if (!layer_norm) {
        std::copy_n(vector.begin(), out.size(), out.begin());
        return;
    }
    constexpr double epsilon = 1e-5;
    const auto count = static_cast<double>(vector.size());
    const double mean = std::accumulate(vector.begin(), vector.end(), 0.0) / count;
    const double squares =
        std::accumulate(vector.begin(), vector.end(), 0.0, [&](double sum, float x) {
            return sum + (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
        });
    const double scale = 1 / std::sqrt(squares / count + epsilon);
    std::transform(
        vector.begin(), vector.begin() + static_cast<std::ptrdiff_t>(out.size()), out.begin(),
        [&](float x) { return static_cast<float>((static_cast<double>(x) - mean) * scale); });
}

} // namespace senteval::embedding
