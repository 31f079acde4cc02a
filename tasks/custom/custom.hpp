// custom.hpp -- tasks that users describe in a run file instead of compiling them: the [[task]].
#pragma once

#include "base/json.hpp"
#include "core/table.hpp"
#include "learn/relatedness.hpp"
#include "task/task.hpp"
#include "tasks/protocols/mteb.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/readers.hpp"
#include "text/records.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {

/// The first four are SentEval's, and read files of columns; the others are MTEB's, and read rows of named fields.
enum class CustomProtocol {
    classification,      ///< a sentence and a label
    pair_classification, ///< two sentences and a label
    relatedness,         ///< two sentences and a score, learned
    similarity,          ///< two sentences and a score, compared without learning
    search,
    reranking,
    clustering,
    pair_threshold,
    few_shot,
    multilabel,
    bitext,
    summarization
};

/// Says what becomes of the text of the files, in which tokens should be separated by white space for word encoders.
enum class Tokeniser {
    as_is, ///< nothing, with a data warning where text looks untokenised
    none,  ///< nothing, and that is meant so
    ptb,   ///< split by Penn Treebank rules
    moses  ///< split by the rules of Moses' tokeniser for English
};

/// Says which rows are clustered.
enum class Sampling { all, mteb, sets };

inline constexpr std::array<std::pair<std::string_view, CustomProtocol>, 12> protocol_names{{
    {"classification", CustomProtocol::classification},
    {"pair-classification", CustomProtocol::pair_classification},
    {"relatedness", CustomProtocol::relatedness},
    {"similarity", CustomProtocol::similarity},
    {"search", CustomProtocol::search},
    {"reranking", CustomProtocol::reranking},
    {"clustering", CustomProtocol::clustering},
    {"pair-threshold", CustomProtocol::pair_threshold},
    {"few-shot", CustomProtocol::few_shot},
    {"multilabel", CustomProtocol::multilabel},
    {"bitext", CustomProtocol::bitext},
    {"summarization", CustomProtocol::summarization},
}};
inline constexpr std::array<std::pair<std::string_view, text::RecordForm>, 4> format_names{
    {{"tsv", text::RecordForm::tsv},
     {"excel-tab", text::RecordForm::excel_tab},
     {"csv", text::RecordForm::csv},
     {"jsonl", text::RecordForm::json_lines}}};
/// latin-1 is what browsers take it for: Windows-1252.
inline constexpr std::array<std::pair<std::string_view, text::Encoding>, 3> encoding_names{
    {{"utf-8", text::Encoding::utf8},
     {"latin-1", text::Encoding::windows},
     {"cp1252", text::Encoding::windows}}};
inline constexpr std::array<std::pair<std::string_view, char>, 4> separator_names{
    {{",", ','}, {";", ';'}, {"\t", '\t'}, {"|", '|'}}};
inline constexpr std::array<std::pair<std::string_view, char>, 2> decimal_names{
    {{".", '.'}, {",", ','}}};
inline constexpr std::array<std::pair<std::string_view, Tokeniser>, 3> tokeniser_names{
    {{"none", Tokeniser::none}, {"ptb", Tokeniser::ptb}, {"moses", Tokeniser::moses}}};
inline constexpr std::array<std::pair<std::string_view, Sampling>, 3> sampling_names{
    {{"all", Sampling::all}, {"mteb", Sampling::mteb}, {"sets", Sampling::sets}}};

/// A [[task]]; keys.cpp has the keys. Empty texts and lists were not given.
/// | The files decide how a classifier is validated: train alone, nested cross-validation; train and test,
/// cross-validation and test; all three, three parts.
struct CustomTask {
    std::string name;
    std::string of,
        part; ///< the task whose value is the mean of its parts, and the name of this part
    std::optional<std::size_t> parts; ///< that it has
    CustomProtocol protocol = CustomProtocol::classification;
    std::string where;          ///< "compare.toml:12:1"
    base::Json written;         ///< the keys as the run file has them
    std::filesystem::path base; ///< folder that relative names of files start from
    std::string train, dev, test;
    std::string corpus, queries, judgements, candidates; ///< files, too
    std::optional<text::RecordForm> format;              ///< none: by the name of the file
    bool header = false; ///< so it is also where a column is given by its name
    text::Encoding encoding = text::Encoding::utf8;
    std::optional<char> separator;     ///< of CSV; none: by the file's first line
    std::optional<char> decimal;       ///< mark of scores; none: a point
    std::string first, second, target; ///< columns or fields
    std::string split;                 ///< column; empty: a file is a part
    std::vector<std::string> labels;   ///< empty: the training labels, sorted as strings
    std::string positive;              ///< label whose F1 is the metric "f1"
    std::optional<double> lowest_score, highest_score;
    Tokeniser tokenise = Tokeniser::as_is;
    bool lowercase = false; ///< after the tokeniser, by Unicode's simple mapping
    FewShotRules few_shot;
    SearchRules search;
    BootstrapRules bootstraps;
    Sampling sampling = Sampling::all;
    std::string metric;              ///< that tables show; empty: the protocol's first
    std::vector<std::string> accept; ///< data warnings that are meant so
    std::optional<double> tolerated_copies;
    base::Json mteb; ///< what it is of MTEB's; keys.cpp says what

    /// Whether the target is a label, and not a score.
    [[nodiscard]] bool classifies() const
    {
        return protocol == CustomProtocol::classification ||
               protocol == CustomProtocol::pair_classification;
    }

    /// Whether texts are kept as they were written.
    [[nodiscard]] bool is_verbatim() const
    {
        return tokenise == Tokeniser::as_is || tokenise == Tokeniser::none;
    }

    /// The label whose F1 is computed; empty: none is.
    [[nodiscard]] std::string f1_label() const
    {
        return metric == "f1" && positive.empty() ? "1" : positive;
    }

    /// The scores that are possible: unless it is said all whose squares do not overflow.
    [[nodiscard]] learn::ScoreRange scale() const
    {
        return {lowest_score.value_or(-1e100), highest_score.value_or(1e100)};
    }
};

/// A key of [[task]], as lists of keys show it.
struct TaskKey {
    std::string_view name;
    std::string protocols;  ///< names of those that have it; "all", "all but search"
    std::string_view usual; ///< what holds where the key is not given; empty: nothing
    std::string_view what;  ///< a sentence
};

/// All keys, in the order in which lists show them. A name stands twice where it means another thing to other protocols.
std::vector<TaskKey> keys_of_task();

/// Throws base::UsageError with the place, and the nearest key for an unknown one.
CustomTask read_description(const core::Table& table);

/// A task's name made of any text, such as the name of a file: '-' stands for what a name may not contain.
std::string name_from(std::string_view text);

/// Whether a task of the catalogue, or a group of them, has the name.
bool is_taken(const std::string& name);

/// The keys that are missing though the protocol needs them.
std::vector<std::string_view> missing_keys(const CustomTask& task);

/// The task with the columns or fields of its protocol where it names none, and a header where a column is a name.
CustomTask with_usual_columns(CustomTask task);

/// The description that results keep, from which task_from_json() makes the task again.
base::Json to_json(const CustomTask& task);
std::unique_ptr<task::Task> task_from_json(const base::Json& description);

/// The keys of a [[task]] as a run file has them.
std::string to_toml(const base::Json& keys);

/// Makes a task of the group "custom". Throws base::UsageError naming the task and the key where the description
/// is incomplete or contradicts itself. The files are looked at when the task is loaded.
std::unique_ptr<task::Task> make_custom_task(const CustomTask& task);

/// Returns what such a task reads; throws as make_custom_task() does.
Source source_of(const CustomTask& task);

/// A description of each set that lies in a folder as MTEB and BEIR lay them down: in the folder itself, or in folders of
/// it. What MTEB's task has of other keys is taken by the name of the folder, or `as`. `skipped`, where wanted, says which of
/// them have a test file of which nothing can be told, "FILE: ...". Throws base::UsageError where there is no set.
std::vector<core::Table> describe_mteb_folder(const std::filesystem::path& folder,
                                              std::vector<std::string>* skipped = nullptr,
                                              const std::string& as = {});

/// The tasks of the catalogue, and those that the [[task]]s of a run file describe. Throws base::UsageError
/// with the place in the run file, also where a name is taken. `similarity`: see catalog().
task::Tasks all_tasks(std::span<const core::Table> described,
                      const SimilarityFunction& similarity = {});

} // namespace senteval::tasks
