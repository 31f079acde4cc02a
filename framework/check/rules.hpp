// rules.hpp -- the rules of encoder.h, as that file states them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace senteval::check {

struct Rule {
    std::string number; ///< "4.2"
    std::string text;   ///< one paragraph
};

/// All of them, in their order.
std::span<const Rule> all_rules();

/// The text of a rule; empty where there is none of that number.
std::string_view text_of(std::string_view rule);

} // namespace senteval::check
