#include "run/prompts.hpp"

#include "base/files.hpp"
#include "encoder/prefixes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::run {
namespace {

using base::Json;

std::string text_in(const Json& json, const std::string& key)
{
    const Json value = json.value(key, Json());
    return value.is_string() ? value.get<std::string>() : std::string();
}

/// config_sentence_transformers.json of the folder of a model; empty where there is none.
Json folder_config(const Json& parameters)
{
    for (const auto& [key, value] : parameters.items()) {
        const std::filesystem::path file =
            std::filesystem::path(value.is_string() ? value.get<std::string>() : "") /
            "config_sentence_transformers.json";
        std::error_code none;
        if (std::filesystem::is_regular_file(file, none))
            return base::parse_json(base::MappedFile(file).bytes());
    }
    return Json::object();
}

/// The folder's prompt of a task and a role, in MTEB's order; nothing where there is none.
std::optional<std::string>
own_prompt(const Json& prompts, const results::TaskRecord& task, text::Role role)
{
    std::vector<std::string> names;
    for (const char* fact : {"task", "type"})
        if (const Json name = task.of_mteb(fact); name.is_string()) {
            if (role != text::Role::none)
                names.push_back(fmt::format("{}-{}", name.get<std::string>(), name_of(role)));
            names.push_back(name.get<std::string>());
        }
    if (role != text::Role::none)
        names.emplace_back(name_of(role));
    for (const std::string& name : names)
        if (prompts.contains(name))
            return text_in(prompts, name);
    return std::nullopt;
}

std::string filled(std::string pattern, const std::string& instruction)
{
    constexpr std::string_view place = "{instruction}";
    for (std::size_t at = 0; (at = pattern.find(place, at)) != pattern.npos;
         at += instruction.size())
        pattern.replace(at, place.size(), instruction);
    return pattern;
}

} // namespace

std::string_view name_of(text::Role role)
{
    return role == text::Role::query ? "query" : role == text::Role::document ? "document" : "text";
}

encoder::Prompts prompts_for(const encoder::Identity& encoder, const results::TaskRecord& task)
{
    const Json instruction = task.of_mteb("prompt");
    if (!instruction.is_string())
        return {};
    const Json config = folder_config(encoder.parameters);
    std::string pattern = text_in(encoder.parameters, std::string(encoder::instruction_key));
    if (pattern.empty())
        pattern = text_in(config, "instruction_template");
    if (pattern.empty())
        return {};
    const bool has_own = text_in(encoder.parameters, "prompt_name") != "none";
    const Json own = has_own ? config.value("prompts", Json::object()) : Json::object();
    encoder::Prompts prompts;
    for (const auto& [key, role] : encoder::prefix_keys) {
        if (encoder.parameters.contains(key))
            continue;
        if (auto text = own_prompt(own, task, role))
            prompts[role] = *text;
        else if (role != text::Role::document)
            prompts[role] = filled(pattern, instruction);
    }
    return prompts;
}

} // namespace senteval::run
