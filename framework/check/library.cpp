#include "check/library.hpp"

#include "check/host.hpp"
#include "check/process.hpp"
#include "core/ascii.hpp"
#include "core/error.hpp"
#include "encoder/parameters.hpp"

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace senteval::check {
namespace {

/// No table of version 1.x can be larger: what is beyond this is not a size.
constexpr std::uint32_t largest_struct = 1U << 16;

std::optional<std::string> wrong_size(std::uint32_t size, std::size_t at_least)
{
    if (size >= at_least && size <= largest_struct && size % 8 == 0)
        return std::nullopt;
    return fmt::format("struct_size is {}, which is not the size of the struct ({} in version 1.0)",
                       size, at_least);
}

bool is_letter_or_digit(char c)
{
    return core::is_ascii_letter(c) || core::is_ascii_digit(c);
}

bool is_id(std::string_view id)
{
    constexpr std::size_t longest = 100;
    return !id.empty() && id.size() <= longest && is_letter_or_digit(id.front()) &&
           is_letter_or_digit(id.back()) && std::ranges::all_of(id, [](char c) {
               return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
           });
}

bool is_key(std::string_view key)
{
    constexpr std::size_t longest = 64;
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    return !key.empty() && key.size() <= longest && is_lower(key.front()) &&
           std::ranges::all_of(
               key, [&](char c) { return is_lower(c) || core::is_ascii_digit(c) || c == '_'; });
}

/// The trials of one entry of the table.
class EntryTrial {
public:
    EntryTrial(const senteval_encoder& encoder, std::string name, Report& report)
        : encoder_(encoder), name_(std::move(name)), report_(report)
    {
    }

    /// Whether the encoder can be used at all.
    bool run(std::set<std::string>& ids)
    {
        if (!try_struct())
            return false;
        try_names(ids);
        return try_parameters();
    }

private:
    void broken(std::string_view rule, const std::string& what, const std::string& detail)
    {
        report_.broken(rule, name_ + what, detail);
    }

    bool try_struct()
    {
        report_.doing("1.4", name_);
        if (const auto wrong = wrong_size(encoder_.struct_size, sizeof(senteval_encoder))) {
            broken("1.4", "", *wrong);
            return false;
        }
        const std::pair<const char*, bool> functions[] = {
            {"create", encoder_.create != nullptr},
            {"destroy", encoder_.destroy != nullptr},
            {"dimension", encoder_.dimension != nullptr},
            {"batcher", encoder_.batcher != nullptr}};
        for (const auto& [name, there] : functions)
            if (!there) {
                broken("1.5", std::string(".") + name, "is NULL");
                return false;
            }
        return true;
    }

    void try_text(const char* member, const char* text)
    {
        report_.doing("3.1", name_ + member);
        if (text == nullptr)
            return;
        if (const auto wrong = wrong_text(text, false))
            broken("3.1", member, *wrong);
    }

    void try_names(std::set<std::string>& ids)
    {
        report_.doing("7.1", name_ + ".id");
        if (encoder_.id == nullptr)
            broken("7.1", ".id", "is NULL");
        else if (!is_id(encoder_.id))
            broken("7.1", ".id", "is " + shown(encoder_.id));
        else if (!ids.insert(encoder_.id).second)
            broken("7.1", ".id", fmt::format("{} is that of an encoder before it", encoder_.id));
        constexpr std::size_t longest = 200;
        const std::pair<const char*, const char*> names[] = {{".name", encoder_.name},
                                                             {".version", encoder_.version}};
        for (const auto& [member, text] : names) {
            report_.doing("7.2", name_ + member);
            const std::size_t size = text == nullptr ? 0 : std::string_view(text).size();
            if (size == 0 || size > longest)
                broken("7.2", member,
                       text == nullptr ? "is NULL" : fmt::format("has {} bytes", size));
            try_text(member, text);
        }
        try_text(".description", encoder_.description);
        try_text(".license", encoder_.license);
    }

    bool try_parameters()
    {
        report_.doing("8.1", name_ + ".params");
        if (encoder_.param_count > 0 && encoder_.params == nullptr) {
            broken("8.1", ".params",
                   fmt::format("is NULL, and param_count {}", encoder_.param_count));
            return false;
        }
        std::set<std::string_view> keys;
        bool usable = true;
        for (std::size_t p = 0; p < encoder_.param_count; ++p)
            usable =
                try_parameter(encoder_.params[p], fmt::format(".params[{}]", p), keys) && usable;
        return usable;
    }

    bool try_parameter(const senteval_param_spec* spec,
                       const std::string& member,
                       std::set<std::string_view>& keys)
    {
        report_.doing("8.1", name_ + member);
        if (spec == nullptr) {
            broken("8.1", member, "is NULL");
            return false;
        }
        if (const auto wrong = wrong_size(spec->struct_size, sizeof(senteval_param_spec))) {
            broken("1.4", member, *wrong);
            return false;
        }
        if (spec->key == nullptr) {
            broken("8.1", member + ".key", "is NULL");
            return false;
        }
        if (!is_key(spec->key))
            broken("8.2", member + ".key", "is " + shown(spec->key));
        else if (!keys.insert(spec->key).second)
            broken("8.2", member + ".key", fmt::format("'{}' is declared twice", spec->key));
        try_text((member + ".help").c_str(), spec->help);
        constexpr std::uint32_t flags =
            SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST | SENTEVAL_PARAM_NO_EFFECT;
        if ((spec->flags & ~flags) != 0)
            broken("8.1", member + ".flags", fmt::format("is {:#x}", spec->flags));
        return try_default(spec->default_value, member + ".default_value");
    }

    bool try_default(const senteval_value& value, const std::string& member)
    {
        if (value.type < SENTEVAL_TYPE_BOOLEAN || value.type > SENTEVAL_TYPE_PATH) {
            broken("8.1", member, fmt::format("has the type {}, which there is not", value.type));
            return false;
        }
        if (value.type == SENTEVAL_TYPE_BOOLEAN && value.as.boolean > 1)
            broken("8.1", member, fmt::format("is the boolean {}", value.as.boolean));
        if (value.type == SENTEVAL_TYPE_REAL && !std::isfinite(value.as.real))
            broken("8.1", member, fmt::format("is {}", value.as.real));
        if (value.type == SENTEVAL_TYPE_STRING || value.type == SENTEVAL_TYPE_PATH) {
            const senteval_string text = value.as.string;
            if (text.size > 0 && text.data == nullptr)
                broken("8.1", member, fmt::format("is NULL, and its size {}", text.size));
            else if (const auto wrong =
                         wrong_text(text.size == 0 ? std::string_view()
                                                   : std::string_view(text.data, text.size),
                                    true))
                broken("3.1", member, *wrong);
        }
        return true;
    }

    const senteval_encoder& encoder_;
    std::string name_;
    Report& report_;
};

/// Null where an exception leaves it.
const senteval_plugin*
call_entry(senteval_plugin_entry_fn entry, std::uint32_t version, Report& report)
{
    const std::string call = fmt::format("senteval_plugin_entry({} << 16)", version >> 16U);
    report.doing("1.2", call);
    const std::size_t threads_before = threads().size();
    const std::size_t files_before = open_descriptors();
    const senteval_plugin* table = nullptr;
    try {
        table = entry(version);
    } catch (...) {
        report.broken("4.1", call, "an exception left it");
        return nullptr;
    }
    report.end_if_forked(call);
    if (threads().size() > threads_before)
        report.broken("1.6", call, "started a thread");
    if (open_descriptors() != files_before)
        report.broken("1.6", call, "opened or closed a file");
    return table;
}

std::string missing_parameters(const senteval_encoder& encoder,
                               const std::vector<std::string>& settings)
{
    std::string missing;
    for (std::size_t p = 0; p < encoder.param_count; ++p) {
        const senteval_param_spec& spec = *encoder.params[p];
        const std::string prefix = std::string(spec.key) + "=";
        if ((spec.flags & SENTEVAL_PARAM_REQUIRED) != 0 &&
            std::ranges::none_of(settings,
                                 [&](const std::string& one) { return one.starts_with(prefix); }))
            missing += fmt::format("{}--set {}=... ({})", missing.empty() ? "" : ", ", spec.key,
                                   spec.help == nullptr ? "" : spec.help);
    }
    return missing;
}

} // namespace

const senteval_plugin* load_table(const std::filesystem::path& library, Report& report)
{
    const std::string load = "dlopen(" + library.filename().string() + ")";
    report.doing("1.1", load);
    report.tried("1.1");
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) {
        report.broken("1.1", load, dlerror());
        return nullptr;
    }
    void* const symbol = dlsym(handle, SENTEVAL_PLUGIN_ENTRY_NAME);
    if (symbol == nullptr) {
        report.broken("1.1", load, "there is no symbol " SENTEVAL_PLUGIN_ENTRY_NAME);
        return nullptr;
    }
    const auto entry = reinterpret_cast<senteval_plugin_entry_fn>(symbol);
    for (const char* rule : {"1.2", "1.3", "1.6"})
        report.tried(rule);
    const std::size_t found = report.found();
    const senteval_plugin* const table = call_entry(entry, SENTEVAL_ABI_VERSION, report);
    const std::string call = "senteval_plugin_entry(SENTEVAL_ABI_VERSION)";
    if (table == nullptr && report.found() == found)
        report.broken("1.2", call, "returned NULL: it does not speak version 1");
    if (table == nullptr)
        return nullptr;
    const unsigned major = SENTEVAL_ABI_MAJOR_OF(table->abi_version);
    if (major != SENTEVAL_ABI_MAJOR) {
        report.broken("1.3", call, fmt::format("the table is of version {}", major));
        return nullptr;
    }
    // Once more, and as a host of the future would ask.
    if (call_entry(entry, SENTEVAL_ABI_VERSION, report) != table)
        report.broken("1.2", call, "returned another table the second time");
    constexpr std::uint32_t next = SENTEVAL_ABI_MAJOR + 1;
    const senteval_plugin* const future = call_entry(entry, next << 16U, report);
    if (future != nullptr && SENTEVAL_ABI_MAJOR_OF(future->abi_version) != next)
        report.broken("1.2", "senteval_plugin_entry(2 << 16)",
                      fmt::format("returned a table of version {} in place of NULL",
                                  SENTEVAL_ABI_MAJOR_OF(future->abi_version)));
    return table;
}

void try_table(const std::filesystem::path& library,
               const std::vector<std::string>& settings,
               Report& report)
{
    const Snapshot before;
    const senteval_plugin* const table = load_table(library, report);
    for (const Change& one : before.changes())
        report.broken(one.rule, "loading the library", one.what);
    if (table == nullptr)
        return;
    for (const char* rule : {"1.4", "1.5", "3.1", "7.1", "7.2", "8.1", "8.2"})
        report.tried(rule);
    report.doing("1.4", "the plugin's table");
    if (const auto wrong = wrong_size(table->struct_size, sizeof(senteval_plugin))) {
        report.broken("1.4", "the plugin's table", *wrong);
        return;
    }
    if (table->encoder_count == 0 || table->encoders == nullptr) {
        report.broken("1.5", "the plugin's table", "has no encoders");
        return;
    }
    core::Json encoders = core::Json::array();
    std::set<std::string> ids;
    for (std::size_t e = 0; e < table->encoder_count; ++e) {
        const senteval_encoder* const encoder = table->encoders[e];
        const std::string name = fmt::format("encoders[{}]", e);
        if (encoder == nullptr)
            report.broken("1.5", name, "is NULL");
        else if (EntryTrial(*encoder, name, report).run(ids) && encoder->id != nullptr)
            encoders.push_back({{"id", encoder->id},
                                {"index", e},
                                {"missing", missing_parameters(*encoder, settings)}});
    }
    report.result(std::move(encoders));
}

std::vector<Setting> settings_of(const senteval_encoder& encoder,
                                 const std::vector<std::string>& settings)
{
    std::vector<core::Value> values;
    values.reserve(settings.size());
    for (const std::string& setting : settings)
        values.push_back(encoder::parse_setting(setting));
    std::vector<Setting> result;
    for (const encoder::Parameter& parameter : encoder::check_settings(encoder, values)) {
        Setting setting{parameter.key, {parameter.type, 0, {}}, {}};
        if (parameter.type == SENTEVAL_TYPE_BOOLEAN)
            setting.value.as.boolean = parameter.value.get<bool>() ? 1 : 0;
        else if (parameter.type == SENTEVAL_TYPE_INTEGER)
            setting.value.as.integer = parameter.value.get<std::int64_t>();
        else if (parameter.type == SENTEVAL_TYPE_REAL)
            setting.value.as.real = parameter.value.get<double>();
        else
            setting.text = parameter.value.get<std::string>();
        result.push_back(std::move(setting));
    }
    return result;
}

} // namespace senteval::check
