// ptb_tokeniser.hpp -- the Penn Treebank's word splitting, as its published sed script defines it.
//
// The prepared MR, CR, SUBJ, MPQA and SNLI files of SentEval were made with these rules, in this
// order, byte by byte. They know no Unicode and undo no escapes; commas inside numbers are split.
#pragma once

#include <string>
#include <string_view>

namespace senteval::data {

/// One line without its newline. Tokens come back separated by one space; a space may trail.
std::string tokenise_ptb(std::string_view line);

} // namespace senteval::data
