#include "model_files/added_tokens.hpp"

#include "base/unicode.hpp"
#include "model_files/unicode.hpp"

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

std::vector<AddedToken> added_tokens_of(const Json& document)
{
    std::vector<AddedToken> tokens;
    const auto list = document.find("added_tokens");
    if (list == document.end() || list->is_null())
        return tokens;
    for (const Json& entry : *list) {
        allow_keys(entry, "id content single_word lstrip rstrip normalized special __type");
        tokens.push_back({entry.at("content"), id_from(entry.at("id")),
                          entry.value("single_word", false), entry.value("lstrip", false),
                          entry.value("rstrip", false), entry.value("normalized", false)});
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
