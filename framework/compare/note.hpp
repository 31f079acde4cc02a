// note.hpp -- what a reader has to know before believing the order of a table.
#pragma once

#include <string>
#include <vector>

namespace senteval::compare {

enum class NoteKind {
    dimensions,
    data_warning,
    other_items,
    lost,
    small_training_set,
    trained_on_test,
    merged_rows,
    other
};

struct Note {
    NoteKind kind = NoteKind::other;
    std::vector<std::string> tasks = {};
    std::vector<std::string> rows = {};
    std::string text = {}; ///< a whole sentence, but of data warnings: what is wrong with the data
};

} // namespace senteval::compare
