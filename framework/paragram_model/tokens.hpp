// tokens.hpp -- how the models spell a token.
#pragma once

#include <string>
#include <string_view>

namespace senteval::paragram {

/// The word whose vector stands for those that have none.
inline constexpr std::string_view unknown_word = "UUUNKKK";

/// How a token is looked up: in lower case (Unicode's simple mapping), and one of more than one
/// byte that begins with '#' without any '#'.
std::string normalised(std::string_view token);

} // namespace senteval::paragram
