#include "encoder/parameters.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"
#include "encoder/plugin.hpp"
#include "encoder/prefixes.hpp"

#include <algorithm>

namespace senteval::encoder {
namespace {

using base::Json;

Json typed(senteval_type type, const core::Value& value)
{
    switch (type) {
    case SENTEVAL_TYPE_BOOLEAN:
        return value.boolean();
    case SENTEVAL_TYPE_INTEGER:
        return value.integer();
    case SENTEVAL_TYPE_REAL:
        return value.real();
    case SENTEVAL_TYPE_PATH:
        return value.path().string();
    default:
        return value.string();
    }
}

/// The host's keys come last.
std::vector<std::string> keys_of(const senteval_encoder& encoder)
{
    std::vector<std::string> keys;
    for (std::size_t p = 0; p < encoder.param_count; ++p)
        keys.emplace_back(encoder.params[p]->key);
    for (const auto& [key, role] : prefix_keys)
        if (is_prefix_key(encoder, key))
            keys.emplace_back(key);
    if (is_prefix_key(encoder, instruction_key))
        keys.emplace_back(instruction_key);
    return keys;
}

const senteval_param_spec& spec_of(const senteval_encoder& encoder, const core::Value& setting)
{
    for (std::size_t p = 0; p < encoder.param_count; ++p)
        if (setting.key() == encoder.params[p]->key)
            return *encoder.params[p];
    const auto keys = keys_of(encoder);
    throw base::UsageError("{}: encoder '{}' has no parameter '{}'.{} It has: {}", setting.where(),
                           short_name(encoder), setting.key(),
                           base::did_you_mean(setting.key(), keys), fmt::join(keys, ", "));
}

Parameter prefix_of(const core::Value& setting)
{
    const std::string text = setting.string();
    if (base::find_invalid_utf8(text) != std::string::npos)
        setting.refuse("text in UTF-8");
    if (setting.key() == instruction_key && text.find("{instruction}") == std::string::npos)
        setting.refuse("a text with {instruction}, where the task's stands");
    return {setting.key(), SENTEVAL_TYPE_STRING, text};
}

/// Setting a default changes nothing.
bool is_default(const senteval_param_spec& spec, const Parameter& parameter)
{
    return parameter.key == spec.key &&
           (spec.flags & (SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST)) == 0 &&
           parameter.value == to_json(spec.default_value);
}

} // namespace

core::Value parse_setting(const std::string& text)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw base::UsageError("--set needs key=value, not '{}'", text);
    return core::Value::of_text(text.substr(equals + 1), text.substr(0, equals), "--set " + text);
}

std::vector<Parameter> check_settings(const senteval_encoder& encoder,
                                      const std::vector<core::Value>& settings)
{
    std::vector<Parameter> parameters;
    for (const core::Value& setting : settings) {
        if (is_prefix_key(encoder, setting.key())) {
            std::erase_if(parameters, [&](const Parameter& p) { return p.key == setting.key(); });
            parameters.push_back(prefix_of(setting));
            continue;
        }
        const senteval_param_spec& spec = spec_of(encoder, setting);
        const bool is_list = (spec.flags & SENTEVAL_PARAM_LIST) != 0;
        if (setting.is_list() && !is_list)
            setting.refuse("one value");
        if (!is_list)
            std::erase_if(parameters, [&](const Parameter& p) { return p.key == spec.key; });
        const senteval_type type = spec.default_value.type;
        for (const core::Value& value : setting.elements())
            parameters.push_back(
                {spec.key, type, typed(type, value), (spec.flags & SENTEVAL_PARAM_NO_EFFECT) == 0});
    }
    for (std::size_t p = 0; p < encoder.param_count; ++p) {
        const senteval_param_spec& spec = *encoder.params[p];
        const bool given = std::any_of(parameters.begin(), parameters.end(),
                                       [&](const Parameter& q) { return q.key == spec.key; });
        if ((spec.flags & SENTEVAL_PARAM_REQUIRED) != 0 && !given)
            throw base::UsageError(
                "encoder '{}' needs the parameter '{}' ({}): give it with --set {}=... "
                "or in the run file",
                short_name(encoder), spec.key, spec.help == nullptr ? "" : spec.help, spec.key);
        std::erase_if(parameters, [&](const Parameter& q) { return is_default(spec, q); });
    }
    return parameters;
}

base::Json to_json(const senteval_value& value)
{
    switch (value.type) {
    case SENTEVAL_TYPE_BOOLEAN:
        return value.as.boolean != 0;
    case SENTEVAL_TYPE_INTEGER:
        return value.as.integer;
    case SENTEVAL_TYPE_REAL:
        return value.as.real;
    default:
        return value.as.string.size == 0 ? std::string()
                                         : std::string(value.as.string.data, value.as.string.size);
    }
}

senteval_value to_value(senteval_type type, const Json& json)
{
    senteval_value value{type, 0, {}};
    switch (type) {
    case SENTEVAL_TYPE_BOOLEAN:
        value.as.boolean = json.get<bool>() ? 1 : 0;
        break;
    case SENTEVAL_TYPE_INTEGER:
        value.as.integer = json.get<std::int64_t>();
        break;
    case SENTEVAL_TYPE_REAL:
        value.as.real = json.get<double>();
        break;
    default: {
        const auto& text = json.get_ref<const std::string&>();
        value.as.string = {text.data(), text.size()};
    }
    }
    return value;
}

const char* type_name(senteval_type type)
{
    switch (type) {
    case SENTEVAL_TYPE_BOOLEAN:
        return "boolean";
    case SENTEVAL_TYPE_INTEGER:
        return "integer";
    case SENTEVAL_TYPE_REAL:
        return "real";
    case SENTEVAL_TYPE_STRING:
        return "string";
    case SENTEVAL_TYPE_PATH:
        return "path";
    default:
        return "unknown";
    }
}

} // namespace senteval::encoder
