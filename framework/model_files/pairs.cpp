#include "model_files/pairs.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace senteval::model_files {
namespace {

/// Models have one type for all tokens, or two.
std::uint8_t type_of(const Json& item)
{
    const Json type = item.value("type_id", Json(0U));
    if (type != 0 && type != 1)
        throw std::invalid_argument("a pair with the type_id " + type.dump());
    return type.get<std::uint8_t>();
}

} // namespace

std::array<std::size_t, 2> longest_first(std::array<std::size_t, 2> lengths, std::size_t room)
{
    if (lengths[0] + lengths[1] <= room)
        return lengths;
    const std::size_t longer = lengths[0] > lengths[1] ? 0 : 1;
    std::size_t& most = lengths[longer];
    std::size_t& least = lengths[1 - longer];
    most = least > room ? least : std::max(least, room - least);
    if (least + most > room) {
        least = room / 2;
        most = least + room % 2;
    }
    return lengths;
}

PairTemplate::PairTemplate(const Json& step)
{
    const std::string type = step.at("type");
    if (type == "TemplateProcessing") {
        const Json& specials = step.at("special_tokens");
        for (const Json& item : step.at("pair"))
            if (const auto text = item.find("Sequence"); text != item.end())
                parts_.push_back({text->at("id") == "A" ? 0U : 1U, 0, type_of(*text)});
            else
                for (const Json& token = item.at("SpecialToken");
                     const Json& id : specials.at(token.at("id").get<std::string>()).at("ids"))
                    add_special(id, type_of(token));
    } else { // RoBERTa has two tokens between its texts, and one type
        const bool is_bert = type == "BertProcessing";
        const Json& end = step.at("sep").at(1);
        const std::uint8_t second = is_bert ? 1 : 0;
        add_special(step.at("cls").at(1), 0);
        parts_.push_back({0, 0, 0});
        for (int i = 0; i < (is_bert ? 1 : 2); ++i)
            add_special(end, 0);
        parts_.push_back({1, 0, second});
        add_special(end, second);
    }
    for (const std::size_t text : {0, 1})
        if (std::ranges::count(parts_, text, &Part::text) != 1)
            throw std::invalid_argument("a template of pairs that has not each of both texts once");
}

void PairTemplate::add_special(const Json& id, std::uint8_t type)
{
    parts_.push_back({none, id_from(id), type});
}

Id PairTemplate::largest_id() const noexcept
{
    return std::ranges::max(parts_, {}, &Part::id).id;
}

TypedIds PairTemplate::join(std::span<const Id> first, std::span<const Id> second) const
{
    TypedIds joined;
    for (const Part& part : parts_) {
        const std::span<const Id> added = part.text == 0   ? first
                                          : part.text == 1 ? second
                                                           : std::span(&part.id, 1);
        joined.ids.insert(joined.ids.end(), added.begin(), added.end());
        joined.types.insert(joined.types.end(), added.size(), part.type);
    }
    return joined;
}

} // namespace senteval::model_files
