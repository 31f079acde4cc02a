// moses_tokeniser.hpp -- English word splitting by the rules of the Moses decoder's tokeniser.
//
// Written from a description of the rules (language en, no escaping), with an abbreviation list of
// its own. SentEval's SICK, MRPC and STS files were prepared by these rules.
#pragma once

#include <string>
#include <string_view>

namespace senteval::data {

/// The period of a line's last word. The release that made the SICK and STS files splits it off
/// without looking further; the one that made MRPC's files treats the word like any other, so that
/// a line may end in "U.S." as one token.
enum class LastWord { always_split, like_others };

/// One line of UTF-8 without its newline; a blank line comes back as it is. Tokens are separated by
/// one space, none leads; one trails where the line ended in .' only. Throws base::Error where the
/// line is not UTF-8.
std::string tokenise_moses(std::string_view line, LastWord last_word = LastWord::always_split);

} // namespace senteval::data
