#include "core/value.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace senteval::core {
namespace {

template <typename T>
std::optional<T> number(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string_view stripped(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

} // namespace

Value::Value(
    base::Json json, bool is_text, std::string key, std::string where, std::filesystem::path base)
    : json_(std::move(json)),
      is_text_(is_text),
      key_(std::move(key)),
      where_(std::move(where)),
      base_(std::move(base))
{
}

Value Value::of_text(std::string text, std::string key, std::string where)
{
    return {base::Json(std::move(text)), true, std::move(key), std::move(where),
            std::filesystem::current_path()};
}

Value Value::of_json(base::Json json,
                     std::string key,
                     std::string where,
                     std::filesystem::path base)
{
    return {std::move(json), false, std::move(key), std::move(where), std::move(base)};
}

void Value::refuse(const std::string& wanted) const
{
    const bool is_finite = !json_.is_number_float() || std::isfinite(json_.get<double>());
    throw base::UsageError("{}: '{}' must be {}, not {}", where_, key_,
                           wanted, // JSON has no infinity
                           is_finite ? sdk::printable_line(base::to_text(json_), 200)
                                     : fmt::format("{}", json_.get<double>()));
}

void Value::refuse_choice(const std::vector<std::string>& names) const
{
    throw base::UsageError("{}: '{}' cannot be '{}'.{} It is one of: {}", where_, key_, string(),
                           base::did_you_mean(string(), names), fmt::join(names, ", "));
}

bool Value::boolean() const
{
    if (json_.is_boolean())
        return json_.get<bool>();
    if (is_text_) {
        const auto& text = json_.get_ref<const std::string&>();
        if (text == "true" || text == "yes" || text == "on" || text == "1")
            return true;
        if (text == "false" || text == "no" || text == "off" || text == "0")
            return false;
    }
    refuse("true or false");
}

std::int64_t Value::integer() const
{
    if (json_.is_number_integer())
        return json_.get<std::int64_t>();
    if (is_text_)
        if (const auto value = number<std::int64_t>(json_.get_ref<const std::string&>()))
            return *value;
    refuse("an integer");
}

double Value::real() const
{
    std::optional<double> value;
    if (json_.is_number())
        value = json_.get<double>();
    else if (is_text_)
        value = number<double>(json_.get_ref<const std::string&>());
    if (value && std::isfinite(*value))
        return *value;
    refuse("a number");
}

std::string Value::string() const
{
    if (!json_.is_string())
        refuse("a string");
    return json_.get<std::string>();
}

std::filesystem::path Value::path() const
{
    const std::filesystem::path path = base::expand_home(string());
    if (path.empty())
        refuse("a path");
    return (path.is_absolute() ? path : base_ / path).lexically_normal();
}

std::vector<Value> Value::elements() const
{
    if (!is_list())
        return {*this};
    std::vector<Value> values;
    for (const base::Json& element : json_)
        values.push_back(of_json(element, key_, where_, base_));
    return values;
}

std::vector<Value> Value::list() const
{
    if (!is_text_)
        return elements();
    std::vector<Value> values;
    const auto& text = json_.get_ref<const std::string&>();
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const auto one = stripped({text.data() + at, end - at});
        if (one.empty() && text.find(',') != std::string::npos)
            refuse("a list without an empty element");
        if (!one.empty())
            values.push_back(of_text(std::string(one), key_, where_));
        at = end + 1;
    }
    return values;
}

} // namespace senteval::core
