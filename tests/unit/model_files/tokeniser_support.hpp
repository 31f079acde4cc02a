// tokeniser_support.hpp -- tokenizers made by tests.
#pragma once

#include "model_files/tokeniser.hpp"
#include "support/model_folder.hpp"
#include "support/support.hpp"

namespace senteval::test {

using model_files::Id;
using model_files::Json;
using model_files::Tokeniser;

using Ids = std::vector<Id>;
inline constexpr std::size_t no_limit = 1'000'000;

inline Tokeniser tokeniser_of(const Json& document)
{
    const ScratchFolder scratch;
    scratch.write("tokenizer.json", document.dump());
    return Tokeniser(scratch.path());
}

inline std::string tokeniser_refusal(const Json& document)
{
    return error_of<sdk::Error>([&] { return tokeniser_of(document); });
}

/// The vocabulary of a Unigram model.
inline Json pieces(const std::vector<std::pair<const char*, double>>& scores)
{
    Json list = Json::array();
    for (const auto& [piece, score] : scores)
        list.push_back(Json::array({piece, score}));
    return list;
}

/// Texts whose ids differ from those of the library that everybody uses.
inline int differences(const Tokeniser& tokeniser, const Json& cases, bool special = true)
{
    int count = 0;
    for (const Json& item : cases) {
        const std::string text = item.at("text");
        Ids ids;
        if (special)
            ids = tokeniser.encode(text, item.value("max_length", no_limit));
        else
            tokeniser.append(text, ids);
        if (ids == item.at("ids").get<Ids>())
            continue;
        ++count;
        MESSAGE(text << ": " << Json(ids).dump() << " in place of " << item["ids"].dump());
    }
    return count;
}

inline Ids ids_of(const Tokeniser& tokeniser, std::string_view text)
{
    Ids ids;
    tokeniser.append(text, ids);
    return ids;
}

} // namespace senteval::test
