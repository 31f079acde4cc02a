#include "core/error.hpp"
#include "core/json.hpp"
#include "encoder/find.hpp"
#include "encoder/parameters.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/terminal.hpp"
#include "isolation/loader.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

using core::Json;

constexpr std::size_t description_column = 13; // behind "precomputed"

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
            : fmt::format(", default {}", core::to_text(parameter.at("default")));
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
    command
        ->add_option("plugin", options->plugin,
                     "A library (./libmine.so) or the name of a bundled encoder")
        ->type_name("ENCODER");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exit_code] {
        list(options->plugin, options->json);
        exit_code = 0;
    });
}

} // namespace senteval::host
