#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/unicode.hpp"
#include "compare/comparison.hpp"
#include "compare/gate.hpp"
#include "encoder/parameters.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "host/passing_folder.hpp"
#include "host/results_folder.hpp"
#include "host/run_job.hpp"
#include "host/same_door.hpp"
#include "host/same_report.hpp"
#include "report/formats.hpp"
#include "run/options.hpp"
#include "same/texts.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

struct SameArguments {
    std::array<std::string, 2> encoders;
    std::array<std::vector<core::Value>, 2> settings;
    std::string texts;
    std::string column = "text";
    std::size_t count = 500;
    std::string tasks; ///< a folder of --mteb, or names
    std::string data;
    double margin = 1;
    std::string json;
};

run::EncoderRequest request_of(const SameArguments& arguments, std::size_t which)
{
    return {arguments.encoders.at(which), fs::current_path(), "", arguments.settings.at(which),
            "senteval same"};
}

/// An encoder is asked for each text alone, twice, and then for several at a time, unless it is known what that gives.
same::Side asked(Door& door, const std::vector<std::string>& texts)
{
    constexpr std::size_t together = 8;
    constexpr std::size_t most = 200;
    const same::Numbers all = same::all_of(texts);
    if (is_terminal(Stream::err))
        note("{}: asked for {} texts, one by one\n", door.label(), texts.size());
    same::Side side{.label = door.label(), .first = door.ask(texts, all, 1)};
    if (!door.is_certain())
        side.again = door.ask(texts, all, 1);
    same::judge_side(side, texts);
    if (door.is_certain() || side.steady.empty())
        return side;
    const same::Numbers some(side.steady.begin(),
                             side.steady.begin() +
                                 static_cast<std::ptrdiff_t>(std::min(most, side.steady.size())));
    const auto pass = [&](std::string how, std::size_t batch, const Door::Settings& settings) {
        side.passes.push_back(same::judge_pass(
            std::move(how), side.first, door.ask(texts, some, batch, settings), some, side.limits));
    };
    pass(fmt::format("for {} texts at a time", together), together, {});
    if (door.has("batch") && door.has("parallel"))
        pass(fmt::format("{} requests at a time", together), 2 * together,
             {{"batch", "1"}, {"parallel", std::to_string(together)}});
    return side;
}

/// The encoder of which more can be changed; of two alike the first.
std::size_t changed_one(const std::array<Door, 2>& doors)
{
    const auto count = [](const Door& door) {
        return same::changes_for([&](auto key) { return door.has(key); }, {}, true).size();
    };
    return count(doors[1]) > count(doors[0]) ? 1 : 0;
}

SameFindings findings(const SameArguments& arguments,
                      const std::vector<std::string>& texts,
                      const std::stop_token& stop)
{
    const unsigned threads = base::available_threads();
    std::array<Door, 2> doors{Door(request_of(arguments, 0), threads, stop),
                              Door(request_of(arguments, 1), threads, stop)};
    SameFindings found{texts, {}, false, {asked(doors[0], texts), asked(doors[1], texts)}};
    if (found.sides[0].label == found.sides[1].label)
        for (std::size_t i = 0; i < 2; ++i)
            found.sides.at(i).label += i == 0 ? " (first)" : " (second)";
    found.changed = changed_one(doors);
    Door& door = doors.at(found.changed);
    found.lengths = door.tokens_of(texts);
    found.in_tokens = !found.lengths.empty();
    if (!found.in_tokens)
        std::ranges::transform(texts, std::back_inserter(found.lengths), base::count_characters);
    const auto changes = [&](bool lengths_count) {
        if (is_terminal(Stream::err))
            note("{}: asked again, one thing changed at a time\n", door.label());
        return same::changes_for([&](auto key) { return door.has(key); }, door.prompts(),
                                 lengths_count);
    };
    const same::Ask ask = [&](const same::Change& change,
                              const same::Numbers& which) -> std::optional<same::Answers> {
        std::vector<std::string> list = texts;
        for (const std::size_t text : which)
            if (change.text)
                list[text] = change.text(texts[text]);
        try {
            return door.ask(list, which, 1, change.settings);
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::Error&) { // it cannot be changed so
            return std::nullopt;
        }
    };
    found.verdict = same::judge(found.sides, texts, found.lengths, found.changed, changes, ask);
    return found;
}

/// Both encoders on tasks, in a store that is removed again: prints what the second loses, and returns it as JSON.
base::Json
on_tasks(const SameArguments& arguments, const SameFindings& found, const std::stop_token& stop)
{
    const PassingFolder folder(fs::temp_directory_path() /
                               fmt::format("senteval-same-{}", getpid()));
    RunArguments run;
    run.quiet = true;
    for (std::size_t i = 0; i < 2; ++i) {
        run.encoders.push_back(request_of(arguments, i));
        run.encoders.back().label = found.sides.at(i).label;
    }
    const auto give = [&](std::string_view key, const std::string& value) {
        run.options.push_back({&*std::ranges::find(run::options(), key, &run::Option::key), value});
    };
    give(fs::is_directory(arguments.tasks) ? "mteb" : "tasks", arguments.tasks);
    give("output", folder.path.string());
    if (!arguments.data.empty())
        give("data", arguments.data);
    const RunJob job(run, stop);
    const results::Store store(folder.path);
    store.check_writable();
    RunProgress progress(run::cells_of(job.units()), {}, Verbosity::quiet);
    if (job.compute({run::in_order(job.units()), store, {}, progress, [&](std::string_view line) {
                         progress.line(line);
                     }}))
        throw base::Cancelled();
    progress.end();
    if (const auto failed = progress.failures(); !failed.empty())
        throw base::Error("{} on {}: {}", failed[0].encoder, failed[0].task, failed[0].why);
    ResultsOptions stored;
    stored.stores = {folder.path.string()};
    compare::Options options;
    options.baseline = found.sides[0].label;
    options.margin = arguments.margin;
    int unused = 0;
    const auto comparison = compare::compare(load_results(stored, unused), options);
    const auto gates = compare::gates_of(comparison);
    if (arguments.json != "-")
        emit("\n{}", report::gates_to_terminal(gates, comparison, table_style()));
    return report::gates_to_json(gates, comparison);
}

int compare_both(const SameArguments& arguments, const std::stop_token& stop)
{
    const OutputFile json("--json", arguments.json);
    json.check_writable();
    const auto texts = arguments.texts.empty()
                           ? same::nasty_texts()
                           : same::texts_of(arguments.texts, arguments.column, arguments.count);
    if (texts.empty())
        throw base::UsageError("{} has no texts", arguments.texts);
    const SameFindings found = findings(arguments, texts, stop);
    base::Json document = same_to_json(found);
    if (!json.is_standard_output())
        emit("{}", same_to_text(found, width(Stream::out)));
    if (!arguments.tasks.empty())
        document["tasks"] = on_tasks(arguments, found, stop);
    json.write(json_text(document));
    return found.verdict.answer == same::Answer::yes  ? 0
           : found.verdict.answer == same::Answer::no ? exit_no
                                                      : exit_open;
}

} // namespace

void add_same_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto arguments = std::make_shared<SameArguments>();
    CLI::App* command = app.add_subcommand(
        "same", "Have two encoders the same vectors, and if not, what is the difference? Exit code "
                "0: the same; 3: not; 4: could not tell");
    const auto encoder = [&](const char* name, std::size_t which, const char* help) {
        return add_option(*command, name, arguments->encoders.at(which), help, "ENCODER")
            ->required();
    };
    const auto* const first =
        encoder("first", 0, "An encoder, as run takes it: a model's folder, http, python, ...");
    const auto* const second = encoder("second", 1, "Another one");
    command
        ->add_option_function<std::vector<std::string>>(
            "--set",
            [arguments, first, second](const std::vector<std::string>& texts) {
                if (first->count() == 0)
                    throw base::UsageError("--set belongs to the encoder before it");
                for (const std::string& text : texts)
                    arguments->settings.at(second->count() > 0 ? 1 : 0)
                        .push_back(encoder::parse_setting(text));
            },
            "A parameter of the encoder before it")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->trigger_on_parse();
    add_option(*command, "--texts", arguments->texts,
               "Texts: a line of .txt, a column of .csv, .tsv or .jsonl (default: a list of those "
               "on which encoders are known to differ)",
               "FILE")
        ->check(CLI::ExistingFile);
    add_option(*command, "--text", arguments->column, "The column (default: text)", "NAME");
    add_option(*command, "--count", arguments->count, "First texts of the file (default: 500)", "N")
        ->check(CLI::Range(1, 10'000));
    add_option(*command, "--tasks", arguments->tasks,
               "Also evaluate both on tasks, or on a folder as --mteb of run takes it", "TASKS");
    add_data_option(*command, arguments->data);
    add_option(*command, "--margin", arguments->margin,
               "Points on a task that do not matter (default: 1)", "POINTS")
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number());
    add_option(*command, "--json", arguments->json, "Write JSON (- for standard output)", "FILE");
    command->callback(
        [arguments, stop, &exit_code] { exit_code = compare_both(*arguments, stop); });
}

} // namespace senteval::host
