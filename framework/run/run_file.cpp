#include "run/run_file.hpp"

#include "base/error.hpp"
#include "core/table.hpp"
#include "encoder/prefixes.hpp"
#include "run/options.hpp"

#include <string_view>

namespace senteval::run {
namespace {

using core::Table;
using core::Value;

void apply_profile(const Table& root, Config& config)
{
    const Table* run = root.table("run");
    if (run == nullptr || !config.profile.empty())
        return;
    if (const Value* profile = run->find("profile"))
        find_option("run", "profile")->apply(config, *profile);
}

void apply_section(const Table& root, std::string_view section, Config& config)
{
    const Table* table = root.table(section);
    if (table == nullptr)
        return;
    std::vector<std::string> keys;
    for (const Option& option : options())
        if (option.section == section) {
            keys.push_back(option.key);
            if (!option.alias.empty())
                keys.push_back(option.alias);
        }
    for (const Value& value : table->values())
        for (const Option& option : options())
            if (option.section != section && value.key() == option.key &&
                find_option(section, value.key()) == nullptr)
                throw base::UsageError("{}: '{}' belongs in the section [{}]", value.where(),
                                       option.key, option.section);
    table->allow_only(keys, "option");
    for (const Value& value : table->values())
        if (value.key() != "profile") {
            const Option* option = find_option(section, value.key());
            option->apply(config, value);
            config.given.push_back({option, value, true});
        }
}

EncoderRequest read_encoder(const Table& table)
{
    table.allow_only({"name", "path", "label", "parameters", "prefix", "query_prefix",
                      "document_prefix", encoder::instruction_key},
                     "key of an encoder");
    const Value* name = table.find("name");
    const Value* path = table.find("path");
    if ((name == nullptr) == (path == nullptr))
        table.fail("an encoder needs 'name' (a bundled one) or 'path' (a library), one of the two");
    EncoderRequest request;
    request.base = table.base();
    request.where = table.where();
    request.label = table.text("label");
    request.name = (name != nullptr ? name : path)->string();
    if (path != nullptr && request.name.find('/') == std::string::npos)
        request.name = "./" + request.name; // a path, also where it looks like a name
    if (const Table* parameters = table.table("parameters"))
        request.settings = parameters->values();
    for (const auto& [key, role] : encoder::prefix_keys)
        if (const Value* prefix = table.find(key))
            request.settings.push_back(*prefix);
    if (const Value* instruction = table.find(encoder::instruction_key))
        request.settings.push_back(*instruction);
    return request;
}

} // namespace

void read_run_file(const std::filesystem::path& path, Config& config)
{
    if (const std::string name = path.string(); path.extension() == ".py")
        throw base::UsageError("'{}' is no run file: a script is --encoder python --set script={}",
                               name, name.substr(name.rfind('=') + 1));
    const Table root = Table::read(path);
    root.allow_only({"run", "classifier", "encoder", "fusion", "reranker", "task"}, "section");
    apply_profile(root, config);
    apply_section(root, "run", config);
    apply_section(root, "classifier", config);
    for (const Table& table : root.tables("encoder"))
        config.encoders.push_back(read_encoder(table));
    for (const Table& table : root.tables("reranker"))
        config.rerankers.push_back(read_encoder(table));
    for (const Table& table : root.tables("fusion")) {
        table.allow_only({"recipe"}, "key of a fusion");
        config.fusions.push_back(table.text("recipe"));
    }
    for (const Table& table : root.tables("task"))
        config.custom_tasks.push_back(table);
}

} // namespace senteval::run
