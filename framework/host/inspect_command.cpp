#include "base/error.hpp"
#include "base/home.hpp"
#include "base/unicode.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/output.hpp"
#include "tasks/custom/columns.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/inspect.hpp"
#include "text/text_file.hpp"

#include <senteval/printable.hpp>

#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct InspectOptions {
    tasks::CustomTask task;
    std::string file;
    std::string text;
    std::string text2;
    std::string label;
    std::string score;
    std::string as; ///< of a folder
};

/// The columns that are there, for who has not said which are meant.
void show_columns(const InspectOptions& options)
{
    const auto columns = tasks::columns_of(options.task, options.file);
    std::size_t width = 0;
    for (const auto& [name, values] : columns)
        width = std::max(width, name.size());
    for (const auto& [name, values] : columns)
        emit("{:<{}}  {}\n", name, width, values);
    emit("\nSay which column is the text and which the label: senteval inspect {} --text NAME "
         "--label NAME\n"
         "(pairs: --text NAME --text2 NAME, and --label or --score)\n",
         shell_word(options.file));
}

/// Its stem, which no other task has: "tickets.2024.csv" is "tickets.2024".
std::string name_of_file(const std::filesystem::path& file)
{
    std::filesystem::path stem = file.stem();
    if (const std::string inner = stem.extension().string();
        inner == ".csv" || inner == ".tsv" || inner == ".json" || inner == ".jsonl")
        stem = stem.stem(); // "tickets.csv.gz"
    const std::string name = tasks::name_from(stem.string());
    return tasks::is_taken(name) ? name + "-own" : name;
}

tasks::CustomTask described(const InspectOptions& options)
{
    tasks::CustomTask task = options.task;
    if (options.label.empty() == options.score.empty())
        throw base::UsageError("give --label or --score, whichever the texts have");
    if (!options.score.empty() && options.text2.empty())
        throw base::UsageError("--score is of a pair: name its second text with --text2");
    if (task.name.empty())
        task.name = name_of_file(options.file);
    task.tokenise = tasks::Tokeniser::none; // text as people write it
    task.first = options.text;
    task.target = options.label.empty() ? options.score : options.label;
    task.train = options.file;
    if (!task.split.empty())
        for (const std::string& part : tasks::parts_in(task))
            if (part != "train")
                (part == "dev" ? task.dev : task.test) = options.file;
    const bool is_learned = !task.dev.empty() || !task.test.empty();
    using enum tasks::CustomProtocol;
    task.protocol = !options.score.empty()  ? (is_learned ? relatedness : similarity)
                    : options.text2.empty() ? classification
                                            : pair_classification;
    if (task.protocol == similarity) {
        task.train.clear();
        task.test = options.file;
    }
    task.second = options.text2;
    return task;
}

std::string classes_text(const tasks::PartInspection& part)
{
    constexpr std::size_t most = 12;
    std::vector<std::string> shown;
    for (const auto& [label, count] : part.classes)
        if (shown.size() < most)
            shown.push_back(
                fmt::format("{} {:.1f} %", sdk::printable_line(label, 100),
                            100.0 * static_cast<double>(count) / static_cast<double>(part.items)));
    return fmt::format("{} labels: {}{}", part.classes.size(), fmt::join(shown, ", "),
                       part.classes.size() > most ? ", ..." : "");
}

void show_part(const tasks::PartInspection& part)
{
    emit("{}: {} items; words per text: median {}, at most {}\n", part.name, part.items,
         part.median_words, part.most_words);
    if (part.scores)
        emit("  scores from {} to {}\n", part.scores->first, part.scores->second);
    else
        emit("  {}\n", classes_text(part));
    emit("  empty: {}, repeated: {}, in train too: {}\n", part.empty, part.repeated, part.in_train);
    for (const std::string& row : part.first_rows)
        emit("    {}\n", sdk::printable_line(base::first_characters(row, 100), 100));
}

/// The [[task]] that compares the vectors of pairs and trains nothing; empty where there is none, as labels are not 0 and 1,
/// or columns have no names.
std::string untrained(tasks::CustomTask task)
try {
    using enum tasks::CustomProtocol;
    const bool is_scored = task.protocol == relatedness;
    if (!is_scored && (task.protocol != pair_classification || !task.split.empty()))
        return {};
    task.name += "-untrained";
    task.protocol = is_scored ? similarity : pair_threshold;
    task.test = task.test.empty() ? task.train : task.test;
    task.train.clear();
    task.written = {{"name", task.name},   {"protocol", "pair-threshold"}, {"test", task.test},
                    {"first", task.first}, {"second", task.second},        {"target", task.target}};
    return "\n# or, without a classifier:\n" + tasks::inspect(task).description;
} catch (const base::Error&) {
    return {};
}

void show(const InspectOptions& options)
{
    const tasks::CustomTask task = described(options);
    const tasks::Inspection found = tasks::inspect(task);
    for (const tasks::PartInspection& part : found.parts)
        show_part(part);
    for (const std::string& warning : found.data_warnings)
        emit("warning: {}\n", warning);
    const std::string file = shell_word(task.name + ".toml");
    emit("\n{}{}\n# save it as {}, then: senteval run {} --encoder NAME\n", found.description,
         untrained(task), file, file);
}

/// The sets of a folder, as --mteb takes them.
void show_folder(const std::string& folder, const std::string& as)
{
    std::vector<std::string> skipped;
    for (const core::Table& table : tasks::describe_mteb_folder(folder, &skipped, as)) {
        const auto task = tasks::make_custom_task(tasks::read_description(table));
        task::DataFolder data(table.base());
        emit("{} ({}): {}\n", task->info().name, table.text("protocol"), task->load(data)->sizes());
        for (const auto* warnings : {&data.data_warnings(), &data.accepted_warnings()})
            for (const std::string& warning : *warnings)
                emit("  warning: {}\n", warning);
    }
    for (const std::string& why : skipped)
        emit("left out: {}\n", why);
    emit("\nsenteval run --mteb {}{} --encoder NAME\n", shell_word(folder),
         as.empty() ? "" : " --as " + as);
}

/// An option that is a key of [[task]] with a few values.
template <typename T, typename Names>
void add_key(CLI::App& command, const char* option, const char* help, T& value, const Names& names)
{
    std::vector<std::string> known;
    for (const auto& [name, meaning] : names)
        known.emplace_back(name);
    const auto set = [&](const std::string& given) {
        value = std::ranges::find(names, given, &Names::value_type::first)->second;
    };
    command.add_option_function<std::string>(option, set, help)->check(CLI::IsMember(known));
}

} // namespace

void add_inspect_command(CLI::App& app, int& exit_code)
{
    auto* command = app.add_subcommand("inspect", "Describe your own data, and print its [[task]]");
    auto options = std::make_shared<InspectOptions>();
    command
        ->add_option(
            "file", options->file,
            "TSV, CSV, JSON lines, perhaps compressed with gzip, or Parquet; or a folder of "
            "sets, as --mteb takes it")
        ->required();
    command->add_option("--as", options->as, "of a folder: MTEB's name of the task in it");
    command->add_option("--text", options->text, "column of the text, by name or number");
    command->add_option("--text2", options->text2, "column of the second text of a pair");
    command->add_option("--label", options->label, "column of the label");
    command->add_option("--score", options->score, "column of the score of a pair");
    command->add_option("--name", options->task.name, "name of the task (default: the file's)");
    command->add_option(
        "--split", options->task.split,
        "column that says which part a row belongs to: train, dev (or validation) or test");
    command->add_option("--dev", options->task.dev, "file of the items that choose settings");
    command->add_option("--test", options->task.test,
                        "file of the test items (default: FILE is cross-validated)");
    add_key(*command, "--format", "tsv, excel-tab, csv or jsonl (default: by the name)",
            options->task.format, tasks::format_names);
    add_key(*command, "--encoding", "utf-8 (default), cp1252 or latin-1", options->task.encoding,
            tasks::encoding_names);
    add_key(*command, "--separator", "of CSV (default: what its first line has most)",
            options->task.separator, tasks::separator_names);
    add_key(*command, "--decimal", "decimal mark of scores: . (default) or ,",
            options->task.decimal, tasks::decimal_names);
    command->callback([options, &exit_code] {
        try {
            if (std::filesystem::is_directory(options->file))
                show_folder(options->file, options->as);
            else if (options->text.empty())
                show_columns(*options);
            else
                show(*options);
        } catch (const OutputError&) {
            throw;
        } catch (const base::Error& e) { // the file is what the command line names
            throw base::UsageError("{}", e.what());
        }
        exit_code = 0;
    });
}

} // namespace senteval::host
