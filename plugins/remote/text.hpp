// text.hpp -- for encoders that ask other programs: numbers with a range, and what the other said, read as
// JSON and shown in messages.
#pragma once

#include "base/refuse.hpp"

#include <senteval/encoder.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace senteval::remote {

/// JSON that ends too early.
class CutOff : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads JSON that nobody vouches for. Throws std::runtime_error that says in a few words why it is none,
/// without quoting it: "is not JSON (at byte 17)", "goes more than 64 levels deep"; CutOff: "is cut off after
/// 16 bytes".
nlohmann::json read_json(std::string_view text);

/// Text in quotes for messages and log lines, cut to `most` bytes: control characters, quotes and bytes that are not
/// UTF-8 are escaped, and the bytes that are cut off are counted.
std::string shown(std::string_view text, std::size_t most = 200);

/// The same without quotes around it, and without escaping quotes.
std::string printable(std::string_view text, std::size_t most);

/// The sentences given to another program, for messages: '1 sentence ("a man")', '32 sentences (the first "a man",
/// the longest "a long ...)'.
std::string sentences(std::span<const std::string_view> all);

/// A number parameter, or `fallback`. Throws, naming the range, where it lies outside.
template <sdk::ParamType T>
T within(const sdk::Params& params, const char* key, T fallback, T least, T most)
{
    const T value = params.get<T>(key, fallback);
    if (value >= least && value <= most)
        return value;
    base::refuse("parameter '{}' is {:g}; it must be {:g} to {:g}", key, static_cast<double>(value),
                 static_cast<double>(least), static_cast<double>(most));
}

} // namespace senteval::remote
