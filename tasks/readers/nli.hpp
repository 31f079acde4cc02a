// nli.hpp -- SNLI and MultiNLI: premise, hypothesis and label in three files, line by line.
#pragma once

#include "tasks/readers/source.hpp"
#include "text/text_file.hpp"

#include <string>

namespace senteval::tasks {

/// The endings of the files s1.<ending>, s2.<ending> and labels.<ending> of each part.
struct NliParts {
    std::string train = "train";
    std::string dev = "dev";
    std::string test = "test";
};

/// Labels are entailment, neutral and contradiction, always in UTF-8. Lines end at newlines: the
/// original also ends them at U+0085, which occurs inside letters that were UTF-8 and shifts
/// sentences against labels; here, files of unequal length are an error. Sorted, as the original
/// does when it loads them, by the lengths of hypothesis and premise and the label's name.
Source nli_source(const std::string& folder, text::Encoding encoding, const NliParts& parts);

} // namespace senteval::tasks
