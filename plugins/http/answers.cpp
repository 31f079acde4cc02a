#include "http/answers.hpp"

#include "http/embeddings.hpp"
#include "remote/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

namespace senteval::http {

using nlohmann::json;

json read_answer(std::string_view body)
{
    try {
        return remote::read_json(body);
    } catch (const remote::CutOff& e) {
        throw remote::CutOff(fmt::format("an answer that {}", e.what()));
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(fmt::format("an answer that {}", e.what()));
    }
}

void refuse_answer(const json& answer, std::string_view body, std::string_view lacking)
{
    throw std::runtime_error(answer.is_object() && answer.contains("error")
                                 ? "the error: " + error_message(body)
                                 : fmt::format("an answer without {}", lacking));
}

std::vector<const json*> by_index(const json& list, std::size_t count, std::string_view what)
{
    if (list.size() != count)
        throw std::runtime_error(fmt::format("{} {}s for {} inputs", list.size(), what, count));
    std::vector<const json*> items(count);
    for (const json& item : list) {
        const auto index = item.find("index");
        if (!item.is_object() || index == item.end())
            throw std::runtime_error(fmt::format("a {} without an \"index\"", what));
        const auto at = index->is_number_unsigned() ? index->get<std::uint64_t>() : count;
        if (at >= count)
            throw std::runtime_error(
                fmt::format("a {} of index {:.40} for {} inputs", what,
                            index->dump(-1, ' ', true, json::error_handler_t::replace), count));
        if (items[at] != nullptr)
            throw std::runtime_error(fmt::format("two {}s of index {}", what, at));
        items[at] = &item;
    }
    return items;
}

} // namespace senteval::http
