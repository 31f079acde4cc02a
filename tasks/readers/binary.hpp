// binary.hpp -- CR, MR, SUBJ and MPQA: one sentence per line, one file per class.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// The lines (latin-1, in the wide sense of text::LineEnds::unicode) of a class's file.
struct ClassFile {
    std::string name; ///< of the class
    std::string file;
};

/// One tested part "all": the items of class 1, then those of class 0. Empty lines are empty
/// sentences.
Source binary_source(const ClassFile& class_1, const ClassFile& class_0);

} // namespace senteval::tasks
