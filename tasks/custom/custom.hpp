// custom.hpp -- tasks that users describe instead of compiling: files of columns, and what to do with them.
#pragma once

#include "base/json.hpp"
#include "core/table.hpp"
#include "task/task.hpp"
#include "text/records.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {

enum class CustomProtocol {
    classification,      ///< a sentence and a label
    pair_classification, ///< two sentences and a label
    relatedness,         ///< two sentences and a score, learned
    similarity           ///< two sentences and a score, compared without learning
};

/// What becomes of the text of the files, in which tokens should be separated by white space for word encoders.
enum class Tokeniser {
    as_is, ///< nothing, with a data warning where text looks untokenised
    none,  ///< nothing, and that is meant so
    ptb,   ///< split by Penn Treebank rules
    moses  ///< split by the rules of Moses' tokeniser for English
};

/// Whether texts are kept as they were written.
constexpr bool is_verbatim(Tokeniser tokeniser)
{
    return tokeniser == Tokeniser::as_is || tokeniser == Tokeniser::none;
}

inline constexpr std::array<std::pair<std::string_view, CustomProtocol>, 4> protocol_names{{
    {"classification", CustomProtocol::classification},
    {"pair-classification", CustomProtocol::pair_classification},
    {"relatedness", CustomProtocol::relatedness},
    {"similarity", CustomProtocol::similarity},
}};
inline constexpr std::array<std::pair<std::string_view, text::RecordForm>, 3> format_names{
    {{"tsv", text::RecordForm::tsv},
     {"csv", text::RecordForm::csv},
     {"jsonl", text::RecordForm::json_lines}}};
inline constexpr std::array<std::pair<std::string_view, text::Encoding>, 2> encoding_names{
    {{"utf-8", text::Encoding::utf8}, {"latin-1", text::Encoding::latin1}}};
inline constexpr std::array<std::pair<std::string_view, Tokeniser>, 3> tokeniser_names{
    {{"none", Tokeniser::none}, {"ptb", Tokeniser::ptb}, {"moses", Tokeniser::moses}}};

/// One item per line, columns separated by TABs; a column is given by its number, from 1, or by its
/// name in the header line.
///
/// The files decide how a classifier is validated: train alone, nested cross-validation; train and
/// test, cross-validation and test; all three, three parts. Relatedness needs all three; similarity
/// needs test, and reports dev beside it where there is one.
struct CustomTask {
    std::string name;
    CustomProtocol protocol = CustomProtocol::classification;
    std::filesystem::path base; ///< folder that relative names of files start from
    std::string train;          ///< empty: there is none
    std::string dev;
    std::string test;
    std::optional<text::RecordForm> format; ///< none: by the name of the file
    bool header =
        false; ///< whether the first line names the columns; so it does where a column is a name
    text::Encoding encoding = text::Encoding::utf8;
    std::string first = "1"; ///< column of the sentence, or of the first of a pair
    std::string second;      ///< column of the second sentence; pairs only; empty: 2
    std::string target;      ///< column of the label or score; empty: the one after the sentences
    std::string split; ///< column that says which part a row belongs to; empty: a file is a part
    std::vector<std::string> labels; ///< in the order of their class; empty: the training labels,
                                     ///< sorted as strings
    std::string positive;            ///< the label whose F1 is the metric "f1"; empty: none
    std::optional<double> lowest_score;  ///< of the scale of relatedness scores; none: 0
    std::optional<double> highest_score; ///< none: 5
    std::vector<std::string> accept;     ///< data warnings that are meant so
    Tokeniser tokenise = Tokeniser::as_is;
    bool lowercase = false; ///< after the tokeniser, by Unicode's simple mapping
    std::string metric;     ///< that tables show; empty: "acc", or "pearson" for scores
    std::string where;      ///< "compare.toml:12:1"
};

/// Throws base::UsageError where a task may not be called that.
void check_name(const std::string& name, const std::string& where);

/// Throws base::UsageError where one of the names is none of a data warning.
void check_accepted(std::span<const std::string> names,
                    const std::string& task,
                    const std::string& where);

/// A task of a run file, of whatever protocol. Throws base::UsageError with the place.
std::unique_ptr<task::Task> make_described_task(const core::Table& table);

/// What a [[task]] of a run file says. Throws base::UsageError with the place, and the nearest key
/// for an unknown one.
CustomTask read_description(const core::Table& table);

/// The keys of a [[task]], each with a sentence on what it says.
std::vector<std::pair<std::string, std::string>> keys_of_task();

/// In the group "custom". Throws base::UsageError naming the task and the key where the description
/// is incomplete or contradicts itself. The files are looked at when the task is loaded.
std::unique_ptr<task::Task> make_custom_task(const CustomTask& description);

/// What results keep of a task, and the task again: its files are read as they were.
base::Json to_json(const CustomTask& task);
std::unique_ptr<task::Task> task_from_json(const base::Json& description);

/// The tasks of SentEval, and those that the [[task]]s of a run file describe. Throws base::UsageError
/// with the place in the run file, also where a name is taken.
task::Tasks all_tasks(std::span<const core::Table> described);

} // namespace senteval::tasks
