// parameters.hpp -- numbers with a range, for the encoders that ask others.
#pragma once

#include <senteval/encoder.hpp>

#include <fmt/format.h>

namespace senteval::remote {

/// A number parameter, or `fallback`. Throws, naming the range, where it lies outside.
template <sdk::ParamType T>
T within(const sdk::Params& params, const char* key, T fallback, T least, T most)
{
    const T value = params.get<T>(key, fallback);
    if (value >= least && value <= most)
        return value;
    throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                     fmt::format("parameter '{}' is {:g}; it must be {:g} to {:g}", key,
                                 static_cast<double>(value), static_cast<double>(least),
                                 static_cast<double>(most)));
}

} // namespace senteval::remote
