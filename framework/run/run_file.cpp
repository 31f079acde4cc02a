#include "run/run_file.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/names.hpp"
#include "run/options.hpp"
#include "run/task_keys.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace senteval::run {
namespace {

using core::Json;

/// Reads one file; knows its name for the messages.
class Reader {
public:
    Reader(const std::filesystem::path& path, Config& config)
        : name_(path.string()),
          base_(std::filesystem::absolute(path).parent_path()),
          config_(config)
    {
    }

    void read(const toml::table& root)
    {
        for (const auto& [key, node] : root)
            if (const std::string_view name = key.str();
                name != "run" && name != "classifier" && name != "encoder" && name != "task")
                unknown(key, {"run", "classifier", "encoder", "task"}, "section");
        apply_profile(root);
        apply_section(root, "run");
        apply_section(root, "classifier");
        for (const toml::node& entry : tables(root, "encoder"))
            config_.encoders.push_back(read_encoder(*entry.as_table()));
        for (const toml::node& entry : tables(root, "task"))
            config_.custom_tasks.push_back(read_task(*entry.as_table()));
    }

private:
    [[nodiscard]] std::string at(const toml::source_region& source) const
    {
        return fmt::format("{}:{}:{}", name_, source.begin.line, source.begin.column);
    }

    [[noreturn]] void unknown(const toml::key& key,
                              const std::vector<std::string>& valid,
                              std::string_view what) const
    {
        throw core::UsageError("{}: there is no {} '{}'.{} Valid are: {}", at(key.source()), what,
                               key.str(), core::did_you_mean(key.str(), valid),
                               fmt::join(valid, ", "));
    }

    [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view name) const
    {
        if (!node.is_table())
            throw core::UsageError("{}: '{}' must be a table", at(node.source()), name);
        return *node.as_table();
    }

    [[nodiscard]] Json json(const toml::node& node) const
    {
        if (const auto* text = node.as_string())
            return Json(text->get());
        if (const auto* number = node.as_integer())
            return Json(number->get());
        if (const auto* real = node.as_floating_point())
            return Json(real->get());
        if (const auto* flag = node.as_boolean())
            return Json(flag->get());
        if (const auto* array = node.as_array()) {
            Json list = Json::array();
            for (const toml::node& element : *array)
                list.push_back(json(element));
            return list;
        }
        throw core::UsageError("{}: a string, number, boolean or list of these is wanted here",
                               at(node.source()));
    }

    [[nodiscard]] core::Value value(const toml::key& key, const toml::node& node) const
    {
        return core::Value::of_json(json(node), std::string(key.str()), at(node.source()), base_);
    }

    void apply_profile(const toml::table& root)
    {
        const toml::node* run = root.get("run");
        if (run == nullptr || !config_.profile.empty())
            return;
        for (const auto& [key, node] : table(*run, "run"))
            if (key == "profile")
                find_option("run", "profile")->apply(config_, value(key, node));
    }

    void apply_section(const toml::table& root, const std::string& section)
    {
        const toml::node* node = root.get(section);
        if (node == nullptr)
            return;
        for (const auto& [key, entry] : table(*node, section)) {
            const Option* option = find_option(section, key.str());
            if (option == nullptr)
                unknown(key, keys_of(section), "option");
            if (option->key != "profile")
                option->apply(config_, value(key, entry));
        }
    }

    [[nodiscard]] static std::vector<std::string> keys_of(std::string_view section)
    {
        std::vector<std::string> keys;
        for (const Option& option : options())
            if (option.section == section)
                keys.push_back(option.key);
        return keys;
    }

    /// The tables written as [[name]]; none where there is no such section.
    [[nodiscard]] const toml::array& tables(const toml::table& root, const std::string& name) const
    {
        static const toml::array none;
        const toml::node* node = root.get(name);
        if (node == nullptr)
            return none;
        if (!node->is_array_of_tables())
            throw core::UsageError("{}: write this section as [[{}]]", at(node->source()), name);
        return *node->as_array();
    }

    [[nodiscard]] EncoderRequest read_encoder(const toml::table& entry) const
    {
        EncoderRequest request;
        request.base = base_;
        request.where = at(entry.source());
        for (const auto& [key, node] : entry) {
            if (key == "name" || key == "path")
                request.name = value(key, node).string();
            else if (key == "label")
                request.label = value(key, node).string();
            else if (key == "parameters")
                for (const auto& [parameter, setting] : table(node, "parameters"))
                    request.settings.push_back(value(parameter, setting));
            else
                unknown(key, {"name", "path", "label", "parameters"}, "key of an encoder");
        }
        if (entry.contains("name") == entry.contains("path"))
            throw core::UsageError(
                "{}: an encoder needs 'name' (a bundled one) or 'path' (a library), one "
                "of the two",
                request.where);
        if (entry.contains("path") && request.name.find('/') == std::string::npos)
            request.name = "./" + request.name; // a path, also where it looks like a name
        return request;
    }

    [[nodiscard]] TaskRequest read_task(const toml::table& entry) const
    {
        TaskRequest request;
        request.where = at(entry.source());
        for (const auto& [key, node] : entry) {
            const TaskKey* known = find_task_key(key.str());
            if (known == nullptr)
                unknown(key, task_key_names(), "key of a task");
            known->set(request.task, value(key, node));
        }
        return request;
    }

    std::string name_;
    std::filesystem::path base_;
    Config& config_;
};

} // namespace

void read_run_file(const std::filesystem::path& path, Config& config)
{
    std::string text;
    try {
        text = core::read_file(path);
    } catch (const core::Error& e) {
        throw core::UsageError("run file: {}", e.what());
    }
    toml::table root;
    try {
        root = toml::parse(text, path.string());
    } catch (const toml::parse_error& e) {
        throw core::UsageError("{}:{}:{}: {}", path.string(), e.source().begin.line,
                               e.source().begin.column, std::string(e.description()));
    }
    Reader(path, config).read(root);
}

} // namespace senteval::run
