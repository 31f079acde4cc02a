#include "random/parameters.hpp"

#include "base/refuse.hpp"

#include <charconv>
#include <string>

namespace senteval::random {
namespace {

/// 0.99, not 0.990000.
std::string text_of(double value)
{
    char text[32];
    const auto [end, error] =
        std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
    return {text, end};
}

[[noreturn]] void refuse(const char* key, const std::string& wanted, const std::string& given)
{
    base::refuse("parameter '{}' must be {}, not {}", key, wanted, given);
}

} // namespace

std::size_t
size_from(const sdk::Params& params, const char* key, int fallback, std::int64_t highest)
{
    const std::int64_t value = params.get(key, fallback);
    if (value < 1 || value > highest)
        refuse(key, "1 to " + std::to_string(highest), std::to_string(value));
    return static_cast<std::size_t>(value);
}

double real_from(
    const sdk::Params& params, const char* key, double fallback, double lowest, double highest)
{
    const double value = params.get(key, fallback);
    if (!(value >= lowest && value <= highest))
        refuse(key, text_of(lowest) + " to " + text_of(highest), text_of(value));
    return value;
}

std::uint64_t seed_from(const sdk::Params& params)
{
    const std::int64_t seed = params.get("seed", 1);
    if (seed < 0)
        refuse("seed", "0 or above", std::to_string(seed));
    return static_cast<std::uint64_t>(seed);
}

Pooling pooling_from(const sdk::Params& params)
{
    return params.choice<Pooling>("pooling", {{"mean", Pooling::mean},
                                              {"max", Pooling::max},
                                              {"min", Pooling::min},
                                              {"sum", Pooling::sum}});
}

Activation activation_from(const sdk::Params& params, const char* key)
{
    return params.choice<Activation>(key, {{"none", Activation::none},
                                           {"relu", Activation::relu},
                                           {"tanh", Activation::tanh},
                                           {"sigmoid", Activation::sigmoid}});
}

Initialisation initialisation_from(const sdk::Params& params)
{
    return params.choice<Initialisation>("initialisation",
                                         {{"standard", Initialisation::standard},
                                          {"orthogonal", Initialisation::orthogonal},
                                          {"sparse", Initialisation::sparse},
                                          {"normal", Initialisation::normal},
                                          {"uniform", Initialisation::uniform},
                                          {"kaiming", Initialisation::kaiming},
                                          {"xavier", Initialisation::xavier}});
}

Shape shape_from(const sdk::Params& params)
{
    Shape shape;
    shape.bidirectional = params.get("bidirectional", true);
    const std::size_t dimension = size_from(params, "dimension", 4096, largest_dimension);
    if (shape.bidirectional && dimension % 2 != 0)
        refuse("dimension", "even, half for each direction", std::to_string(dimension));
    shape.units = shape.bidirectional ? dimension / 2 : dimension;
    return shape;
}

} // namespace senteval::random
