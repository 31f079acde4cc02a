#include "check/trials.hpp"

#include "base/error.hpp"
#include "check/host.hpp"
#include "check/process.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"
#include "encoder/prefixes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace senteval::check {
namespace {

/// Rule 3.1 for all texts of an encoder's table.
void try_texts(const senteval_encoder& encoder, const std::string& name, Report& report)
{
    const auto look = [&](const std::string& member, std::string_view text, bool lines_allowed) {
        report.doing("3.1", member);
        if (const auto wrong = wrong_text(text, lines_allowed))
            report.broken("3.1", member, *wrong);
    };
    const auto view = [](const char* text) {
        return text == nullptr ? std::string_view() : std::string_view(text);
    };
    look(name + ".name", view(encoder.name), false);
    look(name + ".version", view(encoder.version), false);
    look(name + ".description", view(encoder.description), false);
    look(name + ".license", view(encoder.license), false);
    for (std::size_t p = 0; p < encoder.param_count; ++p) {
        const senteval_param_spec& spec = *encoder.params[p];
        const std::string member = fmt::format("{}.params[{}]", name, p);
        look(member + ".help", view(spec.help), false);
        const senteval_value& value = spec.default_value;
        if ((value.type == SENTEVAL_TYPE_STRING || value.type == SENTEVAL_TYPE_PATH) &&
            value.as.string.size > 0)
            look(member + ".default_value", {value.as.string.data, value.as.string.size}, true);
    }
}

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
    if (const auto files = open_descriptors(); files * files_before > 0 && files != files_before)
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
    report.kept("1.1");
    senteval_plugin_entry_fn entry = nullptr;
    try {
        entry = encoder::entry_of(library);
    } catch (const base::UsageError& e) {
        report.broken("1.1", load, e.what());
        return nullptr;
    }
    for (const char* rule : {"1.2", "1.3", "1.6"})
        report.kept(rule);
    const std::size_t found = report.count_broken();
    const senteval_plugin* const table = call_entry(entry, SENTEVAL_ABI_VERSION, report);
    const std::string call = "senteval_plugin_entry(SENTEVAL_ABI_VERSION)";
    if (table == nullptr && report.count_broken() == found)
        report.broken("1.2", call, "returned NULL: it does not support version 1");
    if (table == nullptr)
        return nullptr;
    const unsigned major = SENTEVAL_ABI_MAJOR_OF(table->abi_version);
    if (major != SENTEVAL_ABI_MAJOR) {
        report.broken("1.3", call, fmt::format("the table is of version {}", major));
        return nullptr;
    }
    // It is asked once more, and as a host of the future would ask.
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
    const auto before = process_state();
    const senteval_plugin* const table = load_table(library, report);
    const auto after = process_state();
    for (std::size_t i = 0; i < after.size(); ++i)
        if (has_changed(before[i], after[i]))
            report.broken(after[i].rule, "loading the library",
                          fmt::format("{} is '{}' and was '{}'", after[i].name, *after[i].value,
                                      *before[i].value));
    if (table == nullptr)
        return;
    for (const char* rule : {"1.4", "1.5", "3.1", "7.1", "7.2", "8.1", "8.2"})
        report.kept(rule);
    report.doing("1.4", "the plugin's table");
    std::set<std::size_t> unusable;
    for (const encoder::TableFault& fault : encoder::table_faults(*table)) {
        report.broken(fault.rule, fault.where, fault.what);
        if (fault.is_fatal && !fault.encoder)
            return;
        if (fault.is_fatal)
            unusable.insert(*fault.encoder);
    }
    base::Json encoders = base::Json::array();
    for (std::size_t e = 0; e < table->encoder_count; ++e) {
        if (unusable.contains(e))
            continue;
        const senteval_encoder& encoder = *table->encoders[e];
        try_texts(encoder, fmt::format("encoders[{}]", e), report);
        encoders.push_back(
            {{"id", encoder.id}, {"index", e}, {"missing", missing_parameters(encoder, settings)}});
    }
    report.result(std::move(encoders));
}

std::vector<encoder::Parameter> settings_of(const senteval_encoder& encoder,
                                            const std::vector<std::string>& settings)
{
    std::vector<core::Value> values;
    for (const std::string& setting : settings)
        values.push_back(encoder::parse_setting(setting));
    auto parameters = encoder::check_settings(encoder, values);
    std::erase_if(parameters,
                  [&](const encoder::Parameter& parameter) { // create() sees none of them
                      return encoder::is_prefix_key(encoder, parameter.key);
                  });
    return parameters;
}

} // namespace senteval::check
