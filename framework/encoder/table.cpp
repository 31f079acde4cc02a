#include "encoder/plugin.hpp"

#include "base/ascii.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace senteval::encoder {
namespace {

/// No table of version 1.x can be larger: what is beyond this is not a size.
constexpr std::uint32_t largest_struct = 1U << 16;

bool is_id(std::string_view id)
{
    constexpr std::size_t longest = 100;
    const auto is_letter_or_digit = [](char c) {
        return base::is_ascii_letter(c) || base::is_ascii_digit(c);
    };
    return !id.empty() && id.size() <= longest && is_letter_or_digit(id.front()) &&
           is_letter_or_digit(id.back()) && std::ranges::all_of(id, [&](char c) {
               return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
           });
}

std::string shown_name(const char* text)
{
    constexpr std::size_t longest = 60;
    return sdk::printable_line(text, longest, true);
}

bool is_key(std::string_view key)
{
    constexpr std::size_t longest = 64;
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    return !key.empty() && key.size() <= longest && is_lower(key.front()) &&
           std::ranges::all_of(
               key, [&](char c) { return is_lower(c) || base::is_ascii_digit(c) || c == '_'; });
}

class TableCheck {
public:
    std::vector<TableFault> run(const senteval_plugin& table)
    {
        if (!has_size("the plugin's table", table.struct_size, sizeof table))
            return std::move(faults_);
        if (table.encoder_count == 0 || table.encoders == nullptr)
            fatal("1.5", "the plugin's table", "has no encoders");
        for (std::size_t e = 0; e < table.encoder_count && table.encoders != nullptr; ++e) {
            encoder_ = e;
            const std::string name = fmt::format("encoders[{}]", e);
            if (table.encoders[e] == nullptr)
                fatal("1.5", name, "is NULL");
            else if (has_size(name, table.encoders[e]->struct_size, sizeof(senteval_encoder)))
                check_encoder(*table.encoders[e], name);
        }
        return std::move(faults_);
    }

private:
    void add(std::string_view rule, std::string where, std::string what, bool is_fatal)
    {
        faults_.push_back({rule, std::move(where), std::move(what), encoder_, is_fatal});
    }
    void fatal(std::string_view rule, std::string where, std::string what)
    {
        add(rule, std::move(where), std::move(what), true);
    }

    bool has_size(const std::string& where, std::uint32_t size, std::size_t at_least)
    {
        if (size >= at_least && size <= largest_struct && size % 8 == 0)
            return true;
        fatal("1.4", where,
              fmt::format("struct_size is {}, which is not the size of the struct ({} in version "
                          "1.0)",
                          size, at_least));
        return false;
    }

    void check_encoder(const senteval_encoder& encoder, const std::string& name)
    {
        const std::pair<const char*, bool> functions[] = {
            {".create", encoder.create != nullptr},
            {".destroy", encoder.destroy != nullptr},
            {".dimension", encoder.dimension != nullptr},
            {".batcher", encoder.batcher != nullptr}};
        for (const auto& [member, there] : functions)
            if (!there)
                return fatal("1.5", name + member, "is NULL");
        if (encoder.id == nullptr)
            fatal("7.1", name + ".id", "is NULL");
        else if (!is_id(encoder.id))
            fatal("7.1", name + ".id", "is " + shown_name(encoder.id));
        else if (!ids_.insert(encoder.id).second)
            fatal("7.1", name + ".id",
                  fmt::format("{} is that of an encoder before it", encoder.id));
        constexpr std::size_t longest = 200;
        const std::pair<const char*, const char*> names[] = {{".name", encoder.name},
                                                             {".version", encoder.version}};
        for (const auto& [member, text] : names) {
            const std::size_t size = text == nullptr ? 0 : std::string_view(text).size();
            if (size == 0 || size > longest)
                add("7.2", name + member,
                    text == nullptr ? "is NULL" : fmt::format("has {} bytes", size), size == 0);
        }
        if (encoder.param_count > 0 && encoder.params == nullptr)
            return fatal("8.1", name + ".params",
                         fmt::format("is NULL, and param_count {}", encoder.param_count));
        std::set<std::string_view> keys;
        for (std::size_t p = 0; p < encoder.param_count; ++p)
            check_parameter(encoder.params[p], fmt::format("{}.params[{}]", name, p), keys);
    }

    void check_parameter(const senteval_param_spec* spec,
                         const std::string& name,
                         std::set<std::string_view>& keys)
    {
        if (spec == nullptr)
            return fatal("8.1", name, "is NULL");
        if (!has_size(name, spec->struct_size, sizeof(senteval_param_spec)))
            return;
        if (spec->key == nullptr)
            return fatal("8.1", name + ".key", "is NULL");
        if (!is_key(spec->key))
            add("8.2", name + ".key", "is " + shown_name(spec->key), false);
        else if (!keys.insert(spec->key).second)
            fatal("8.2", name + ".key", fmt::format("'{}' is declared twice", spec->key));
        constexpr std::uint32_t flags =
            SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST | SENTEVAL_PARAM_NO_EFFECT;
        if ((spec->flags & ~flags) != 0)
            add("8.1", name + ".flags", fmt::format("is {:#x}", spec->flags), false);
        const senteval_value& value = spec->default_value;
        const std::string where = name + ".default_value";
        if (value.type < SENTEVAL_TYPE_BOOLEAN || value.type > SENTEVAL_TYPE_PATH)
            fatal("8.1", where, fmt::format("has the unknown type {}", value.type));
        else if (value.type == SENTEVAL_TYPE_BOOLEAN && value.as.boolean > 1)
            add("8.1", where, fmt::format("is the boolean {}", value.as.boolean), false);
        else if (value.type == SENTEVAL_TYPE_REAL && !std::isfinite(value.as.real))
            add("8.1", where, fmt::format("is {}", value.as.real), false);
        else if ((value.type == SENTEVAL_TYPE_STRING || value.type == SENTEVAL_TYPE_PATH) &&
                 value.as.string.size > 0 && value.as.string.data == nullptr)
            fatal("8.1", where, fmt::format("is NULL, and its size {}", value.as.string.size));
    }

    std::vector<TableFault> faults_;
    std::optional<std::size_t> encoder_; ///< at hand
    std::set<std::string_view> ids_;
};

} // namespace

std::vector<TableFault> table_faults(const senteval_plugin& table)
{
    return TableCheck().run(table);
}

} // namespace senteval::encoder
