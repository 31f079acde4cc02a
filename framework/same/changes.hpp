// changes.hpp -- what one encoder may do otherwise than another: the changes that are tried one by one.
#pragma once

#include "same/agreement.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::same {

/// One thing changed: settings of the encoder, or the texts that it is given.
struct Change {
    std::string cause; ///< its kind: "limit", "prefix", ...
    std::string what;  ///< "a limit of 512 tokens"
    std::vector<std::pair<std::string, std::string>> settings = {};
    std::function<std::string(std::string_view)> text = {}; ///< empty: texts stay
    std::string trait = {}; ///< of a text that it changes: "have upper-case letters"
};

/// All that there are of an encoder that has settings of these keys: a change of others cannot be tried. `prompts`: texts that
/// its folder puts before others. Pooling that changes lengths alone is one only where `lengths_count`.
std::vector<Change> changes_for(const std::function<bool(std::string_view key)>& has,
                                const std::vector<std::string>& prompts,
                                bool lengths_count);

/// Those of texts alone, without prefixes: each is a trait of the texts that it changes.
std::vector<Change> text_changes();

} // namespace senteval::same
