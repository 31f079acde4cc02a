// mteb.hpp -- sets of texts as MTEB (2.26) and BEIR lay them down: files of rows with named fields (rows.hpp).
//
// Texts are verbatim. Files are named below the data folder, or below `base` where that is given. Classes are sorted, as
// numbers where all labels are, else as text.
#pragma once

#include "tasks/readers/readers.hpp"

#include <filesystem>
#include <string>

namespace senteval::tasks {

struct BootstrapRules;

/// The names of the fields that a source reads.
struct Fields {
    std::string first = "text";
    std::string second = "sentence2";
    std::string target = "label";
};

/// Reads a text and a label: parts "train" and "test", or "test" alone where `train` is empty.
Source labelled_source(const std::string& train, const std::string& test, const Fields& fields);

/// Reads the same where the label is a list: Part::label_sets.
Source label_set_source(const std::string& train, const std::string& test, const Fields& fields);

/// Reads a text and a label: part "test".
Source cluster_source(const std::string& file, const Fields& fields);

/// Reads the same where a label may be a list from the coarsest level to the finest (Part::label_sets), of the rows that
/// mteb_rows() draws.
Source
drawn_cluster_source(const std::string& file, const Fields& fields, const BootstrapRules& rules);

/// Reads lists of texts and of labels: a part for each row.
Source cluster_sets_source(const std::string& file, const Fields& fields);

/// These read two texts, and a label 0 or 1, a score, or nothing: part "test".
Source pair_label_source(const std::string& file, const Fields& fields);
Source pair_score_source(const std::string& file, const Fields& fields);
Source translation_source(const std::string& file, const Fields& fields);

/// Files of a search's rows.
struct SearchFiles {
    std::string corpus;     ///< _id (or id), title (may be missing), text
    std::string queries;    ///< _id (or id), text; those without judgements are left out
    std::string judgements; ///< query-id, corpus-id, score; the last of equal pairs counts
    std::string candidates; ///< query-id, corpus-ids (a list); empty: the whole corpus
};

/// A document is its title and its text, joined by a space and stripped. Ids are texts, kept as written.
Source search_source(const SearchFiles& files);

/// Reads rows of query, positive and negative (lists): each query's documents are its candidates. Rows without a positive or
/// a negative are left out.
Source candidate_lists_source(const std::string& file);

/// Reads the fields text, human_summaries, machine_summaries, relevance (lists).
Source summary_source(const std::string& file);

} // namespace senteval::tasks
