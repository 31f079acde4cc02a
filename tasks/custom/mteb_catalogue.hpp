// mteb_catalogue.hpp -- what is known of MTEB's tasks (data/mteb), and those that `data fetch mteb:NAME` has written.
#pragma once

#include "base/json.hpp"
#include "core/table.hpp"
#include "results/result.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {

/// What stands before a name of MTEB's: "mteb:Banking77Classification".
inline constexpr std::string_view mteb_prefix = "mteb:";

struct MtebTask {
    std::string name;
    base::Json row;  ///< of the catalogue, which data/mteb/make_catalogue.py describes
    base::Json keys; ///< of a [[task]], with `protocol`; empty: no protocol does the same

    /// What the row has of that name, else "".
    [[nodiscard]] std::string text(const char* member) const { return row.value(member, ""); }
    [[nodiscard]] std::string train() const { return row.value("train", "train"); }
    [[nodiscard]] std::vector<std::string> splits() const;
    [[nodiscard]] std::vector<std::string> tasks() const; ///< whose mean it is
    [[nodiscard]] bool is_mean() const { return row.contains("tasks"); }
};

/// The name of a task of MTEB as one of a run, where some of the same name are other tasks.
std::string mteb_task_name(const std::string& name);

/// All of them, by name.
const std::vector<MtebTask>& mteb_tasks();

/// The task of that name, nullptr where there is none.
const MtebTask* find_mteb_task(std::string_view name);

/// A task, and what its row says of the benchmark that it was chosen by, else null.
using MtebChoice = std::pair<MtebTask, base::Json>;

/// Those that a name, a pattern or a benchmark means, without the prefix, among the catalogue's and others that were fetched
/// into a data folder; none where it is unknown. meant_mteb_tasks() throws base::UsageError there.
std::vector<MtebChoice> chosen_mteb_tasks(const std::string& name,
                                          const std::filesystem::path& data = {});
std::vector<MtebChoice> meant_mteb_tasks(const std::string& name,
                                         const std::filesystem::path& data);

/// What has data of its own: the task, those that it is the mean of, or nothing where no protocol does the same.
std::vector<MtebChoice> sets_of(const MtebChoice& choice);

/// The tasks that are means of others, each of which has one part, as results call them.
std::vector<results::MeanOfTasks> mteb_means();

/// The [[task]] of a part, {subset, split, keys, and main_score where that is another metric}, by what is said of the whole:
/// `task`, and, where they are there, `type`, `languages` (of all subsets, or by subset), `prompt` (of all texts, or of the
/// query), `main_score`, `revision` and `mteb`. `accept`: keys that say which data warnings are those of everybody who has
/// the set.
core::Table describe_mteb_part(const base::Json& about,
                               const base::Json& part,
                               const std::filesystem::path& folder,
                               const base::Json& accept);

/// What results call them (compare::Results::keep_tasks()): "STS12-mteb", "STS22/en/*".
std::vector<std::string> mteb_task_names(const std::string& name);

/// How many parts (subsets times splits, of a mean its tasks) are meant.
std::size_t parts_of(const MtebChoice& choice);

/// The Python script that writes tasks with MTEB's own package; its arguments are described in it.
std::string_view mteb_bridge();

/// What mteb.json says of each part in the folder of a task that was fetched and is covered, of a benchmark only of those
/// that it takes; none where there is no such file.
std::vector<base::Json> fetched_parts(const std::filesystem::path& folder,
                                      const base::Json& benchmark = {});

/// The record of a part of a task of the catalogue, or of one that was fetched into a data folder, as a run has it; nothing
/// where MTEB has no such part, or no protocol does the same. Of a mean it is one number.
std::optional<results::TaskRecord> mteb_part(const std::filesystem::path& data,
                                             const std::string& name,
                                             const std::string& subset,
                                             const std::string& split);

/// The files of such a folder that are missing or have another checksum: {file, problem}.
std::vector<std::pair<std::string, std::string>>
changed_mteb_files(const std::filesystem::path& folder);

/// A description of each of these parts.
std::vector<core::Table> describe_fetched(const std::filesystem::path& folder,
                                          const base::Json& benchmark = {});

/// A description of each part that a name means (without the prefix) of what was fetched into a data folder. Throws
/// base::UsageError with what to type where nothing was; what some of many tasks lack is added to `left_out`.
std::vector<core::Table> describe_mteb_tasks(const std::filesystem::path& data,
                                             const std::string& name,
                                             std::vector<std::string>& left_out);

} // namespace senteval::tasks
