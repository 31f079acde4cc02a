#include "model_files/added_tokens.hpp"

#include "base/unicode.hpp"
#include "model_files/unicode.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {
namespace {

/// Whether a letter, digit or underscore is next to the part.
bool touches_word(std::string_view all, std::size_t begin, std::size_t end)
{
    if (end < all.size() && is_word(base::next_or_replacement(all, end)))
        return true;
    if (begin == 0)
        return false;
    std::size_t before = base::character_before(all, begin);
    return is_word(base::next_or_replacement(all, before));
}

} // namespace

Id id_from(const Json& json)
{
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<Id>::max())
        throw std::invalid_argument("the id " + json.dump());
    return json.get<Id>();
}

Json id_in(const Json& vocabulary, std::string_view piece)
{
    if (vocabulary.is_object())
        return vocabulary.value(piece, Json());
    const auto found =
        std::ranges::find_if(vocabulary, [&](const Json& entry) { return entry.at(0) == piece; });
    return found == vocabulary.end() ? Json()
                                     : Json(static_cast<unsigned>(found - vocabulary.begin()));
}

std::vector<AddedToken> added_tokens_of(const Json& document)
{
    std::vector<AddedToken> tokens;
    const auto list = document.find("added_tokens");
    if (list == document.end() || list->is_null())
        return tokens;
    const Json& vocabulary = document.at("model").at("vocab");
    std::size_t next = vocabulary.size();
    for (const Json& entry : *list) {
        const std::string content = entry.at("content");
        const Json known = id_in(vocabulary, content);
        if (const Json id = known.is_null() ? Json(next++) : known; entry.at("id") != id)
            throw std::length_error(
                fmt::format("the added token '{}' has the id {} (here, in tokenizer_config.json or "
                            "in added_tokens.json) in place of {}",
                            content, entry.at("id").dump(), id.dump()));
        allow_keys(entry, "id content single_word lstrip rstrip normalized special __type");
        tokens.push_back({content, id_from(entry.at("id")), entry.value("single_word", false),
                          entry.value("lstrip", false), entry.value("rstrip", false),
                          entry.value("normalized", false)});
    }
    return tokens;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens))
{
    for (std::size_t i = 0; i < tokens_.size(); ++i)
        if (const std::string& content = tokens_[i].content; !content.empty()) {
            trie_.insert(content, static_cast<std::int32_t>(i));
            begins_[static_cast<unsigned char>(content.front())] = true;
        }
}

AddedTokens::Match AddedTokens::next(std::string_view all, std::size_t at, std::size_t least) const
{
    while (at < all.size()) {
        if (!begins_[static_cast<unsigned char>(all[at])]) {
            ++at;
            continue;
        }
        Match match;
        Trie::Node node = Trie::root;
        for (std::size_t end = at; end < all.size();) {
            node = trie_.child(node, all[end++]);
            if (node == Trie::none)
                break;
            if (const std::int32_t value = trie_.value(node); value != Trie::no_value)
                match = {at, end, &tokens_[static_cast<std::size_t>(value)]};
        }
        if (match.token == nullptr) {
            ++at;
        } else if (match.token->single_word && touches_word(all, match.begin, match.end)) {
            at = match.end;
        } else {
            if (match.token->takes_left)
                match.begin =
                    least +
                    without_outer_space(all.substr(least, match.begin - least), false, true).size();
            if (match.token->takes_right)
                match.end =
                    all.size() - without_outer_space(all.substr(match.end), true, false).size();
            return match;
        }
    }
    return {};
}

} // namespace senteval::model_files
