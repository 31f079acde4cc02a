#include "http/embeddings.hpp"

#include "base/base64.hpp"
#include "base/refuse.hpp"
#include "remote/text.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace senteval::http {

namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "base64 carries little-endian numbers");

/// Whether a name is that of a variable, and of hardly any key.
bool is_plain_name(const std::string& name)
{
    return std::ranges::all_of(
        name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(space);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

std::vector<float> vector_of_base64(std::string_view text)
{
    const auto bytes = base::from_base64(text);
    if (!bytes)
        throw std::runtime_error("is not base64");
    if (bytes->size() % sizeof(float) != 0)
        throw std::runtime_error(
            fmt::format("is base64 of {} bytes, which are no float32 values", bytes->size()));
    std::vector<float> vector(bytes->size() / sizeof(float));
    std::memcpy(vector.data(), bytes->data(), bytes->size());
    return vector;
}

std::vector<float> vector_of_numbers(const json& numbers)
{
    std::vector<float> vector;
    vector.reserve(numbers.size());
    for (const json& number : numbers) {
        if (!number.is_number())
            throw std::runtime_error(
                fmt::format("has an element {} that is no number", vector.size() + 1));
        vector.push_back(static_cast<float>(number.get<double>()));
    }
    return vector;
}

std::vector<float> vector_of(const json& item, Encoding asked)
{
    const auto embedding = item.find("embedding");
    if (embedding == item.end() || !(embedding->is_array() || embedding->is_string()))
        throw std::runtime_error("is missing, or neither a list nor base64");
    if (embedding->is_string() && asked != Encoding::base64)
        throw std::runtime_error(
            "is a text where numbers were asked for (encoding=base64 asks for base64)");
    auto vector = embedding->is_string()
                      ? vector_of_base64(embedding->get_ref<const std::string&>())
                      : vector_of_numbers(*embedding);
    if (vector.empty())
        throw std::runtime_error("is empty");
    for (std::size_t i = 0; i < vector.size(); ++i)
        if (!std::isfinite(vector[i]))
            throw std::runtime_error(fmt::format("has an element {} that is {}", i + 1, vector[i]));
    return vector;
}

} // namespace

Secret::Secret(const std::string& variable)
{
    const std::string name = is_plain_name(variable) ? variable : "that parameter 'key_env' names";
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr)
        base::refuse("the environment variable {} is not set; it has to hold the API key", name);
    value_ = trimmed(value);
    const bool is_sendable =
        std::ranges::all_of(value_, [](char c) { return c > ' ' && c < '\x7f'; });
    if (value_.empty() || !is_sendable)
        base::refuse("the environment variable {} holds no API key: one or more printable ASCII "
                     "characters, without spaces",
                     name);
}

std::string Secret::without(std::string_view text) const
{
    // A server may give the key back in part, or escaped: what is between the escapes is found then.
    constexpr std::size_t shortest = 8;
    const std::size_t least = std::min(value_.size(), shortest);
    const std::string_view value = value_;
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = least == 0 ? value.npos : value.find(text.substr(at, least));
        if (from == value.npos || text.size() - at < least) {
            result += text[at++];
            continue;
        }
        std::size_t size = least;
        while (size < value.size() && at + size < text.size() &&
               value.find(text.substr(at, size + 1)) != value.npos)
            ++size;
        result += "[key]";
        at += size;
    }
    return result;
}

std::string request_body(const Model& model, const std::vector<std::string_view>& inputs)
{
    json body = {{"model", model.name}, {"input", inputs}};
    if (model.encoding != Encoding::unsaid)
        body["encoding_format"] = model.encoding == Encoding::base64 ? "base64" : "float";
    if (model.dimensions > 0)
        body["dimensions"] = model.dimensions;
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<json>
items_of(std::string_view body, const char* key, std::size_t count, std::string_view what)
{
    json answer;
    try {
        answer = remote::read_json(body);
    } catch (const remote::CutOff& e) {
        throw remote::CutOff(fmt::format("an answer that {}", e.what()));
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(fmt::format("an answer that {}", e.what()));
    }
    json list = answer.is_object() ? answer.value(key, json()) : answer;
    if (!list.is_array())
        throw std::runtime_error(answer.is_object() && answer.contains("error")
                                     ? "the error: " + error_message(body)
                                     : fmt::format("an answer without a list \"{}\"", key));
    if (list.size() != count)
        throw std::runtime_error(fmt::format("{} {}s for {} inputs", list.size(), what, count));
    std::vector<json> items(count);
    for (json& item : list) {
        const auto index = item.find("index");
        if (!item.is_object() || index == item.end())
            throw std::runtime_error(fmt::format("a {} without an \"index\"", what));
        const auto at = index->is_number_unsigned() ? index->get<std::uint64_t>() : count;
        if (at >= count)
            throw std::runtime_error(
                fmt::format("a {} of index {:.40} for {} inputs", what,
                            index->dump(-1, ' ', true, json::error_handler_t::replace), count));
        if (!items[at].is_null())
            throw std::runtime_error(fmt::format("two {}s of index {}", what, at));
        items[at] = std::move(item);
    }
    return items;
}

std::vector<std::vector<float>>
read_vectors(std::string_view body, std::size_t count, Encoding asked)
{
    std::vector<std::vector<float>> vectors;
    for (const json& item : items_of(body, "data", count, "vector"))
        try {
            vectors.push_back(vector_of(item, asked));
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(
                fmt::format("a vector (index {}) that {}", vectors.size(), e.what()));
        }
    return vectors;
}

std::string error_message(std::string_view body)
{
    try {
        const json answer = remote::read_json(body);
        const json& error =
            answer.is_object() && answer.contains("error") ? answer.at("error") : answer;
        if (error.is_string())
            return error.get<std::string>();
        for (const char* key : {"message", "detail"})
            if (error.is_object() && error.contains(key) && error.at(key).is_string())
                return error.at(key).get<std::string>();
    } catch (const std::runtime_error&) { // it is no JSON, then
    }
    return std::string(body);
}

} // namespace senteval::http
