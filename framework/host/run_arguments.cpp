#include "host/run_arguments.hpp"

#include "base/error.hpp"
#include "encoder/find.hpp"
#include "encoder/parameters.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/mteb_data.hpp"
#include "isolation/loader.hpp"
#include "run/run_file.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

std::string dashed(std::string key)
{
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

void require_complete(const run::Config& config)
{
    std::vector<std::string> missing;
    if (config.encoders.empty())
        missing.emplace_back("  --encoder NAME   an encoder: 'senteval encoders' lists them");
    if (config.tasks.empty())
        missing.emplace_back("  --tasks LIST     tasks or groups: 'senteval tasks' lists them");
    if (config.data.empty() && config.custom_tasks.empty())
        missing.emplace_back(
            "  --data DIR       the folder that has downstream/ and probing/ in it:\n"
            "                   'senteval data fetch TASK --data DIR' downloads what a task needs");
    if (missing.empty())
        return;
    throw base::UsageError(
        "a run needs\n{}\nor a run file that names them: see 'senteval run --help'",
        fmt::join(missing, "\n"));
}

/// Encoders and their settings, in the order they were written: --set belongs to the --encoder
/// before it.
void add_encoder_options(CLI::App& command, RunArguments& arguments)
{
    const auto add = [&](const std::string& option, const std::string& help) {
        command
            .add_option_function<std::vector<std::string>>(
                option,
                [&arguments, option](const std::vector<std::string>& names) {
                    for (const std::string& name : names)
                        arguments.encoders.push_back(
                            {name, fs::current_path(), "", {}, option, option == "--rerank"});
                },
                help)
            ->type_name("ENCODER")
            ->allow_extra_args(false)
            ->trigger_on_parse()
            ->group("Encoders");
    };
    add("--encoder", "An encoder: a bundled one, the path of a library, a model's folder or its "
                     "name in the hub's cache; repeat it to compare");
    add("--rerank", "A reranker of what each encoder and fusion finds: a cross-encoder's folder, "
                    "http, python, a library; takes --set and --label as well");
    command
        .add_option("--fuse", arguments.fusions,
                    "A fusion of encoders of the run, by their labels: 'A+B:rrf', also minmax, z, "
                    "combsum, combmnz, each with @DEPTH and weights: 'A+B:rrf,.2,.8'; ',*' chooses "
                    "them on the other half of the queries")
        ->type_name("RECIPE")
        ->allow_extra_args(false)
        ->group("Encoders");
    command
        .add_option_function<std::vector<std::string>>(
            "--set",
            [&arguments](const std::vector<std::string>& texts) {
                auto& settings = arguments.encoders.empty() ? arguments.common_settings
                                                            : arguments.encoders.back().settings;
                for (const std::string& text : texts)
                    settings.push_back(encoder::parse_setting(text));
            },
            "A parameter of the encoder before it (of all, when before the first)")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->trigger_on_parse()
        ->group("Encoders");
    command
        .add_option_function<std::vector<std::string>>(
            "--label",
            [&arguments](const std::vector<std::string>& labels) {
                if (arguments.encoders.empty())
                    throw base::UsageError(
                        "--label belongs to the --encoder before it, and there is none");
                std::string& label = arguments.encoders.back().label;
                if (!label.empty())
                    throw base::UsageError("--label '{}' and --label '{}' stand after one "
                                           "--encoder: each belongs behind its own",
                                           label, labels.back());
                label = labels.back();
            },
            "Label of the encoder before it in tables")
        ->type_name("TEXT")
        ->allow_extra_args(false)
        ->trigger_on_parse()
        ->group("Encoders");
}

/// The text of a list option that was given as several words, as in `--tasks CR TREC`. A run file
/// among them was meant as the run file; what any other option is given is its own.
std::string joined(const std::vector<std::string>& words, RunArguments& arguments)
{
    std::vector<std::string> elements;
    for (const std::string& word : words) {
        if (!word.ends_with(".toml"))
            elements.push_back(word);
        else if (arguments.run_file.empty())
            arguments.run_file = word;
        else
            throw base::UsageError("there are two run files, '{}' and '{}': give one",
                                   arguments.run_file, word);
    }
    std::string list; // "STS12, STS13" comes as two words, of which the first has its comma
    for (const std::string& element : elements)
        list += (list.empty() || list.ends_with(',') ? "" : ",") + element;
    return list;
}

/// --isolate, --no-isolate: the last one counts.
void add_switch(CLI::App& command, const run::Option& option, RunArguments& arguments)
{
    const std::string name = dashed(option.key);
    command
        .add_flag_function(
            fmt::format("--{},!--no-{}", name, name),
            [&arguments, &option](std::int64_t count) {
                arguments.options.push_back({&option, count > 0 ? "true" : "false"});
            },
            option.help)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group(option.section == "run" ? "Run" : "Classifier");
}

void add_table_options(CLI::App& command, RunArguments& arguments)
{
    for (const run::Option& option : run::options()) {
        if (option.placeholder.empty()) {
            add_switch(command, option, arguments);
            continue;
        }
        std::string names = "--" + dashed(option.key);
        if (!option.letter.empty())
            names += ",-" + option.letter;
        if (!option.alias.empty())
            names += ",--" + dashed(option.alias);
        CLI::Option* added = command.add_option_function<std::vector<std::string>>(
            names,
            [&arguments, &option](const std::vector<std::string>& words) {
                arguments.options.push_back({&option, option.is_list() || !option.implied.empty()
                                                          ? joined(words, arguments)
                                                          : words.back()});
            },
            option.help);
        added->type_name(option.placeholder)->group(option.section == "run" ? "Run" : "Classifier");
        if (!option.choices.empty())
            added->check(known_choices(option.choices));
        if (!option.implied.empty())
            added->expected(0, 1)->default_str(option.implied);
        else if (!option.is_list())
            added->expected(1)->allow_extra_args(false)->multi_option_policy(
                CLI::MultiOptionPolicy::TakeLast);
    }
}

} // namespace

run::Config configure(const RunArguments& arguments)
{
    run::Config config;
    config.output = fs::absolute("results");
    const auto apply = [&](const RunArguments::Given& given) {
        const std::string name = "--" + dashed(given.option->key);
        const auto value = core::Value::of_text(given.text, name, "command line");
        given.option->apply(config, value);
        if (given.option->key != "profile") // a bundle, of all tasks
            config.given.push_back({given.option, value});
    };
    const auto is_profile = [](const RunArguments::Given& given) {
        return given.option->key == "profile";
    };
    for (const auto& given : arguments.options)
        if (is_profile(given))
            apply(given);
    if (!arguments.run_file.empty())
        run::read_run_file(arguments.run_file, config);
    for (const auto& given : arguments.options)
        if (!is_profile(given))
            apply(given);

    // The later of two settings counts: run file, --set for all, --set for this one.
    const auto& common = arguments.common_settings;
    for (run::EncoderRequest& encoder : config.encoders)
        encoder.settings.insert(encoder.settings.end(), common.begin(), common.end());
    for (run::EncoderRequest encoder : arguments.encoders) {
        encoder.settings.insert(encoder.settings.begin(), common.begin(), common.end());
        (encoder.reranks ? config.rerankers : config.encoders).push_back(std::move(encoder));
    }
    config.fusions.insert(config.fusions.end(), arguments.fusions.begin(), arguments.fusions.end());
    if (!config.mteb.empty())
        for (core::Table& table :
             tasks::describe_mteb_folder(config.mteb, &config.skipped_sets, config.mteb_as))
            config.custom_tasks.push_back(std::move(table));
    if (config.tasks.empty() && !config.custom_tasks.empty())
        config.tasks = {"custom"};
    config.data = data_folder("", config.data);
    std::set<std::string> named; // by several names, as of a benchmark and of its task
    for (const std::string& name : take_mteb_names(config.tasks))
        for (core::Table& table :
             tasks::describe_mteb_tasks(config.data, name, config.skipped_sets))
            if (named.insert(table.text("name")).second) {
                config.tasks.push_back(table.text("name"));
                config.custom_tasks.push_back(std::move(table));
            }
    require_complete(config);
    return config;
}

void add_run_arguments(CLI::App& command, RunArguments& arguments)
{
    add_option(command, "run_file", arguments.run_file,
               "A run in TOML; options of the command line override it", "FILE");
    add_encoder_options(command, arguments);
    add_table_options(command, arguments);
    add_option(command, "--json", arguments.json,
               "Write the whole run as one JSON document (- for standard output)", "FILE")
        ->group("Output");
    add_option(command, "--format", arguments.format,
               "Format of the table: table, markdown, latex or csv; or json, the document of "
               "--json, instead",
               "NAME")
        ->check(CLI::IsMember({"table", "markdown", "latex", "csv", "json"}))
        ->group("Output");
    command
        .add_flag("--allow-unverified", arguments.allow_unverified,
                  "Compute on broken data too; the results say so")
        ->group("Run");
    command
        .add_flag("--dry-run", arguments.dry_run,
                  "List the cells, what is stored and what is missing, and compute nothing")
        ->group("Run");
    command
        .add_flag_function(
            "--resume", [](std::int64_t) {}, "No effect: a run always computes what is missing")
        ->group("Run");
    command.add_flag("-v,--verbose", arguments.verbose, "Show all that encoders log")
        ->group("Output");
    command
        .add_flag("-q,--quiet", arguments.quiet,
                  "Show failures only: no progress, no warnings (results keep them)")
        ->group("Output");
}

} // namespace senteval::host
