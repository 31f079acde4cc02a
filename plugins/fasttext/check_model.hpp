// check_model.hpp -- whether a model file may be shown to the fastText library.
//
// The library believes what it reads: sizes that are negative or larger than the file, a hash table of no
// buckets, row numbers outside of a matrix, character n-grams a million letters long. Such a file ends the
// process, or keeps it busy for ever. So every number that the library computes with is checked against
// the bytes that are there before the library sees them.
#pragma once

#include <string>
#include <string_view>

namespace senteval::fasttext {

/// The parts of a model file that matter here, as views of it.
struct CheckedModel {
    std::string head;        ///< magic, version and arguments
    std::string_view middle; ///< dictionary and input matrix
};

/// `head` names another loss than the file: the library then builds no tree and no table of ten million
/// samples, which nothing here needs. Throws std::invalid_argument that says what is wrong.
CheckedModel check_model(std::string_view file);

} // namespace senteval::fasttext
