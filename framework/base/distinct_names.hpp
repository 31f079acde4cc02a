// distinct_names.hpp -- what to call things that were given the same name: by what differs.
#pragma once

#include "base/json.hpp"

#include <span>
#include <string>
#include <vector>

namespace senteval::base {

/// A parameter or setting as a user writes it: a text as it is, a list with commas ("none,z"), all else
/// as JSON.
std::string shown(const Json& value);

struct Named {
    std::string label;
    Json parameters = Json::object();                              ///< scalars and lists, as given
    std::vector<std::string> further = std::vector<std::string>(); ///< such as version and date
};

/// The labels; where several are equal, each followed by the parameters in which they differ: "glove
/// pooling=max", "glove pooling=mean". Of paths the name of the file, with as many folders before it
/// as it takes. What differs in no parameter is followed by as many of `further` as it takes, or numbered: "glove (2)".
std::vector<std::string> distinct_names(std::span<const Named> things);

} // namespace senteval::base
