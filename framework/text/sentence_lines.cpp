#include "text/sentence_lines.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lines.hpp"
#include "base/names.hpp"

#include <algorithm>
#include <array>

namespace senteval::text {
namespace {

using base::Json;

constexpr std::array<std::pair<std::string_view, Role>, 3> role_names{
    {{"", Role::none}, {"query", Role::query}, {"document", Role::document}}};

SentenceLine from_json(std::string_view line)
{
    try {
        const Json json = base::parse_json(line);
        const auto role = json.value("role", "");
        for (const auto& [name, meaning] : role_names)
            if (role == name)
                return {json.at("text").get<std::string>(), meaning};
        throw base::Error("its role is '{}': there are query and document", role);
    } catch (const Json::exception&) {
        throw base::Error("it is no object with a text \"text\"");
    }
}

} // namespace

std::vector<SentenceLine> read_sentence_lines(const std::string& name, std::string_view bytes)
{
    const bool is_json = bytes.starts_with("{\"text\":");
    std::vector<SentenceLine> lines;
    while (!bytes.empty()) {
        const std::string_view line = base::without_return(base::take_line(bytes));
        try {
            lines.push_back(is_json ? from_json(line) : SentenceLine{line, Role::none});
        } catch (const base::Error& e) {
            throw base::Error("{}:{}: {}", name, lines.size() + 1, e.what());
        }
    }
    return lines;
}

std::string json_line(const SentenceLine& line)
{
    Json json = {{"text", line.first}};
    if (line.second != Role::none)
        json["role"] = base::name_in(role_names, line.second);
    return base::to_text(json);
}

} // namespace senteval::text
