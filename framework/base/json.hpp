// json.hpp -- the one JSON type of the program: members keep the order they were written in.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace senteval::base {

using Json = nlohmann::ordered_json;

/// Parses text that this program may not have written. Throws Error that says what is wrong and where, also where
/// lists and objects are nested deeper than any real document: such text would overflow the stack of whoever walks,
/// copies or frees it.
Json parse_json(std::string_view text);

/// Text of a document, always valid UTF-8: other bytes become U+FFFD. On one line, or indented by `indent`.
inline std::string to_text(const Json& json, int indent = -1)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace senteval::base
