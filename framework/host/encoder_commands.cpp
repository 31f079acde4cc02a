#include "base/error.hpp"
#include "base/home.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "check/check.hpp"
#include "encoder/find.hpp"
#include "encoder/model_folder.hpp"
#include "encoder/parameters.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "isolation/loader.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

using base::Json;

constexpr std::size_t description_column = 15; // behind "cross-encoder"

std::vector<std::string> capability_names(std::uint32_t capabilities)
{
    std::vector<std::string> names;
    if ((capabilities & SENTEVAL_CAP_CONCURRENT_BATCHER) != 0)
        names.emplace_back("concurrent batcher");
    if ((capabilities & SENTEVAL_CAP_BATCH_INVARIANT) != 0)
        names.emplace_back("batch-invariant");
    if ((capabilities & SENTEVAL_CAP_DETERMINISTIC) != 0)
        names.emplace_back("deterministic");
    return names;
}

Json default_value(const senteval_param_spec& spec)
{
    return (spec.flags & SENTEVAL_PARAM_REQUIRED) != 0 ? Json()
                                                       : encoder::to_json(spec.default_value);
}

Json describe(const senteval_encoder& encoder)
{
    Json parameters = Json::array();
    for (std::size_t p = 0; p < encoder.param_count; ++p) {
        const senteval_param_spec& spec = *encoder.params[p];
        parameters.push_back({{"key", spec.key},
                              {"type", encoder::type_name(spec.default_value.type)},
                              {"required", (spec.flags & SENTEVAL_PARAM_REQUIRED) != 0},
                              {"list", (spec.flags & SENTEVAL_PARAM_LIST) != 0},
                              {"default", default_value(spec)},
                              {"help", spec.help == nullptr ? "" : spec.help}});
    }
    const auto text = [](const char* maybe) { return maybe == nullptr ? std::string() : maybe; };
    return {{"name", encoder::short_name(encoder)},
            {"id", encoder.id},
            {"title", encoder.name},
            {"version", encoder.version},
            {"description", text(encoder.description)},
            {"license", text(encoder.license)},
            {"capabilities", capability_names(encoder.capabilities)},
            {"parameters", parameters}};
}

std::string parameter_line(const Json& parameter)
{
    const std::string kind =
        parameter.at("required").get<bool>()
            ? ", required"
            : fmt::format(", default {}", base::to_text(parameter.at("default")));
    constexpr std::size_t indent = 8;
    return fmt::format("    {} ({}{}{})\n{:{}}{}\n", parameter.at("key").get<std::string>(),
                       parameter.at("type").get<std::string>(),
                       parameter.at("list").get<bool>() ? " list" : "", kind, "", indent,
                       wrapped_for_reading(parameter.at("help").get<std::string>(), indent));
}

void print_in_full(const Json& encoder)
{
    const auto text = [&](const char* key) { return encoder.at(key).get<std::string>(); };
    const auto or_none = [](const std::string& value) {
        return value.empty() ? "not stated" : value;
    };
    const auto capabilities = encoder.at("capabilities").get<std::vector<std::string>>();
    emit("{}  {} {}\n", text("name"), text("title"), text("version"));
    emit("  {}\n", wrapped_for_reading(text("description"), 2));
    emit("  {}\n",
         wrapped_for_reading(fmt::format("id: {}; licence: {}; capabilities: {}", text("id"),
                                         or_none(text("license")),
                                         or_none(fmt::format("{}", fmt::join(capabilities, ", ")))),
                             2));
    emit("  parameters:{}\n", encoder.at("parameters").empty() ? " none" : "");
    for (const Json& parameter : encoder.at("parameters"))
        emit("{}", parameter_line(parameter));
    emit("  {}\n",
         wrapped_for_reading("and of every encoder: prefix, query_prefix and document_prefix (text "
                             "put before texts, queries, documents)",
                             2));
}

void list(const std::string& plugin, bool json)
{
    std::vector<std::shared_ptr<const encoder::Plugin>> plugins;
    if (plugin.empty()) {
        auto bundled = encoder::load_bundled_plugins(isolation::careful_loader({}));
        plugins = std::move(bundled.usable);
        for (const std::string& problem : bundled.problems)
            note("warning: {}\n", problem);
    } else
        plugins.push_back(encoder::find_plugin(plugin, std::filesystem::current_path(),
                                               isolation::careful_loader({})));

    Json all = Json::array();
    for (const auto& one : plugins)
        for (const senteval_encoder* encoder : one->encoders()) {
            Json entry = describe(*encoder);
            entry["library"] = one->path().string();
            all.push_back(std::move(entry));
        }
    if (json) {
        emit_json(all);
        return;
    }
    for (const Json& encoder : all) {
        if (plugin.empty())
            emit("{:<{}}{}\n", encoder.at("name").get<std::string>(), description_column,
                 wrapped_for_reading(encoder.at("description").get<std::string>(),
                                     description_column));
        else
            print_in_full(encoder);
    }
    if (plugin.empty() && !all.empty())
        emit("\nParameters of one: senteval encoders NAME\n");
}

namespace fs = std::filesystem;

struct CheckArguments {
    std::string encoder;
    std::vector<std::string> settings;
    std::string format = "text";
    std::string sentences;
    double limit_seconds = 60;
    std::string trial;
};

struct Place {
    fs::path library;
    std::string encoder; ///< empty: all of them
    std::vector<std::string> settings = {};
};

/// "library:encoder", or one of them. A library of the user's is not loaded here: it may be what is wrong.
Place place_of(const std::string& name)
{
    const auto colon = name.rfind(':');
    const bool is_split = colon != std::string::npos && name.find('/', colon) == std::string::npos;
    const std::string library = name.substr(0, is_split ? colon : std::string::npos);
    if ((library.find('/') != std::string::npos && !encoder::model_folder(name, ".")) ||
        library.ends_with(".so")) {
        (void)encoder::library_at(library, ".");
        return {library, is_split ? name.substr(colon + 1) : ""};
    }
    for (const fs::path& path : encoder::bundled_plugins())
        if (!is_split && path.stem() == library &&
            encoder::find_plugin(library, ".")->encoders().size() > 1)
            return {path, ""};
    const auto found = encoder::find_encoder(name, ".");
    Place place{found.plugin->path(), found.encoder->id};
    if (found.folder)
        place.settings = {fmt::format("{}={}", found.folder->first, found.folder->second)};
    return place;
}

int check_plugin(const CheckArguments& arguments, const std::stop_token& stop)
{
    const Place place = place_of(arguments.encoder);
    check::CheckOptions options;
    options.settings = place.settings;
    options.settings.insert(options.settings.end(), arguments.settings.begin(),
                            arguments.settings.end());
    options.sentences = arguments.sentences;
    options.limit_seconds = arguments.limit_seconds;
    options.stop = stop;
    const auto findings = check::check_library(place.library, place.encoder, options);
    if (arguments.format == "json")
        emit_json(check::to_json(findings));
    else
        emit("{}", check::to_text(findings, width(Stream::out)));
    return findings.result() == check::Result::kept ? 0 : exit_failed;
}

} // namespace

void add_encoders_command(CLI::App& app, int& exit_code)
{
    struct Options {
        std::string plugin;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("encoders", "List the bundled encoders, or what a library offers");
    add_option(*command, "plugin", options->plugin,
               "A library (./libmine.so) or the name of a bundled encoder", "ENCODER");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exit_code] {
        list(options->plugin, options->json);
        exit_code = 0;
    });
}

void add_check_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto arguments = std::make_shared<CheckArguments>();
    CLI::App* command =
        app.add_subcommand("check", "Check a library against the rules of encoder.h");
    add_option(*command, "encoder", arguments->encoder,
               "A library (./libmine.so, ./libmine.so:second) or a bundled encoder", "ENCODER");
    add_option(*command, "--set", arguments->settings,
               "A parameter of the encoder, as key=value; may be given several times", "KEY=VALUE")
        ->allow_extra_args(false);
    add_option(*command, "--sentences", arguments->sentences,
               "File of sentences to try, one per line, for an encoder that has vectors of given "
               "sentences only (default: its parameter 'sentences')",
               "FILE")
        ->check(CLI::ExistingFile);
    add_option(*command, "--format", arguments->format, "text (default) or json", "NAME")
        ->check(CLI::IsMember({"text", "json"}));
    command
        ->add_option("--limit-seconds", arguments->limit_seconds,
                     "Most seconds for the check of an encoder (default: 60): then calls are "
                     "cancelled, and rules not tried are reported as skipped")
        ->check(CLI::Range(0.1, 1e6))
        ->check(a_number());
    command->add_option("--trial", arguments->trial)->group(""); // how the program calls itself
    command->callback([arguments, &stop, &exit_code] {
        if (!arguments->trial.empty())
            check::run_trials(arguments->trial);
        if (arguments->encoder.empty())
            throw base::UsageError(
                "check needs a library, such as ./libmine.so, or a bundled encoder");
        exit_code = check_plugin(*arguments, stop);
    });
}

} // namespace senteval::host
