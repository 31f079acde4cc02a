// custom.hpp -- a task that a user describes instead of compiling: files of columns, and what to do
// with them.
#pragma once

#include "text/text_file.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::task {

enum class CustomProtocol {
    classification,      ///< a sentence and a label
    pair_classification, ///< two sentences and a label
    relatedness,         ///< two sentences and a score, learned
    similarity           ///< two sentences and a score, compared without learning
};

/// Files are below the data folder, or have absolute paths. One item per line, columns separated by
/// TABs; a column is given by its number, from 1, or by its name in the header line.
///
/// The files decide how a classifier is validated: train alone, nested cross-validation; train and
/// test, cross-validation and test; all three, three parts. Relatedness needs all three; similarity
/// needs test, and reports dev beside it where there is one.
struct CustomTask {
    std::string name;
    CustomProtocol protocol = CustomProtocol::classification;
    std::string train; ///< empty: there is none
    std::string dev;
    std::string test;
    bool header = false; ///< whether the first line names the columns
    text::Encoding encoding = text::Encoding::utf8;
    std::string first = "1";  ///< column of the sentence, or of the first of a pair
    std::string second = "2"; ///< column of the second sentence; pairs only
    std::string target;       ///< column of the label or score; empty: the one after the sentences
    std::vector<std::string> labels; ///< in the order of their class; empty: the training labels,
                                     ///< sorted as strings
    double lowest_score = 0;         ///< of the scale of relatedness scores
    double highest_score = 5;
    std::string metric; ///< that tables show; empty: "acc", or "pearson" for scores
};

/// The protocol of that name: classification, pair-classification, relatedness or similarity;
/// nothing for another name.
std::optional<CustomProtocol> custom_protocol(std::string_view name);

} // namespace senteval::task
