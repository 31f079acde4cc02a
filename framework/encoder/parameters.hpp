// parameters.hpp -- what the user set for an encoder, checked against what the encoder declares.
#pragma once

#include "base/json.hpp"
#include "core/value.hpp"

#include <senteval/encoder.h>

#include <string>
#include <vector>

namespace senteval::encoder {

/// Parses "key=value" of the command line. Throws base::UsageError.
core::Value parse_setting(const std::string& text);

/// A checked parameter of the type the encoder declares; a list is the same key several times.
struct Parameter {
    std::string key;
    senteval_type type = 0;
    base::Json value; ///< boolean, integer, number or string; paths are absolute
    bool changes_vectors = true;
};

/// Checks settings against an encoder's declarations: unknown key (with the nearest one), wrong type,
/// missing required one. A later setting of a key replaces an earlier one, unless it is a list. What is set to
/// its default is left out, as if it had not been set. The keys of prefixes.hpp are taken for every encoder.
/// Throws base::UsageError naming encoder, key and place.
std::vector<Parameter> check_settings(const senteval_encoder& encoder,
                                      const std::vector<core::Value>& settings);

/// A default as JSON: boolean, integer, number or string.
base::Json to_json(const senteval_value& value);

/// A JSON value as the ABI has it; a text is a view of the JSON's. Throws Json::exception where the type is another.
senteval_value to_value(senteval_type type, const base::Json& json);

/// "integer", "path", ...
const char* type_name(senteval_type type);

} // namespace senteval::encoder
