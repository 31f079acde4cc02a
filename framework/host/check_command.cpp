#include "check/check.hpp"
#include "check/trial_process.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "encoder/find.hpp"
#include "host/commands.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/terminal.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

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
};

/// "library:encoder", or one of them. A library of the user's is not loaded here: it may be what is wrong.
Place place_of(const std::string& name)
{
    const auto colon = name.rfind(':');
    const bool is_split = colon != std::string::npos && name.find('/', colon) == std::string::npos;
    const std::string library = name.substr(0, is_split ? colon : std::string::npos);
    if (library.find('/') != std::string::npos || library.ends_with(".so"))
        return {library, is_split ? name.substr(colon + 1) : ""};
    for (const fs::path& path : encoder::bundled_plugins())
        if (!is_split && path.stem() == library &&
            encoder::find_plugin(library, ".")->encoders().size() > 1)
            return {path, ""};
    const auto found = encoder::find_encoder(name, ".");
    return {found.plugin->path(), found.encoder->id};
}

int check_plugin(const CheckArguments& arguments, const std::stop_token& stop)
{
    const Place place = place_of(arguments.encoder);
    check::CheckOptions options;
    options.settings = arguments.settings;
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

void add_check_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto arguments = std::make_shared<CheckArguments>();
    CLI::App* command =
        app.add_subcommand("check", "Does a library keep the promises of encoder.h?");
    command
        ->add_option("encoder", arguments->encoder,
                     "A library (./libmine.so, ./libmine.so:second) or a bundled encoder")
        ->type_name("ENCODER");
    command
        ->add_option("--set", arguments->settings,
                     "A parameter of the encoder, as key=value; may be given several times")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    command
        ->add_option(
            "--sentences", arguments->sentences,
            "A file of sentences to try it with, one a line, where it has vectors of given "
            "sentences only; without it, that of its parameter 'sentences', if there is one")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    command->add_option("--format", arguments->format, "text (default) or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("NAME");
    command
        ->add_option(
            "--limit-seconds", arguments->limit_seconds,
            "Time that the check of an encoder may take (default: 60): then calls are cancelled, "
            "and what was not tried is told as skipped")
        ->check(CLI::Range(0.1, 1e6))
        ->check(a_number());
    command->add_option("--trial", arguments->trial)->group(""); // how the program calls itself
    command->callback([arguments, &stop, &exit_code] {
        if (!arguments->trial.empty())
            check::run_trials(arguments->trial);
        if (arguments->encoder.empty())
            throw core::UsageError(
                "check wants a library, such as ./libmine.so, or a bundled encoder");
        exit_code = check_plugin(*arguments, stop);
    });
}

} // namespace senteval::host
