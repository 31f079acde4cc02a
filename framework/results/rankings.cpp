#include "results/rankings.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lines.hpp"
#include "base/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace senteval::results {

std::string encode_rankings(const KeptRankings& kept)
{
    base::Json queries = base::Json::array();
    for (const auto& [query, found] : kept.rankings) {
        base::Json documents = base::Json::array();
        base::Json scores = base::Json::array();
        for (const Found& one : std::span(found).first(std::min(kept.depth, found.size()))) {
            documents.push_back(one.document);
            scores.push_back(one.score);
        }
        queries.push_back({query, std::move(documents), std::move(scores)});
    }
    const auto bytes = base::Json::to_cbor(
        {{"made_of", kept.made_of}, {"depth", kept.depth}, {"queries", std::move(queries)}});
    return {bytes.begin(), bytes.end()};
}

KeptRankings decode_rankings(std::string_view bytes)
{
    try {
        const base::Json json = base::Json::from_cbor(bytes);
        KeptRankings kept{json.at("made_of"), json.at("depth"), {}};
        for (const base::Json& query : json.at("queries")) {
            std::vector<Found>& found = kept.rankings[query.at(0)];
            for (std::size_t i = 0; i < query.at(1).size(); ++i)
                found.push_back({query.at(1).at(i), query.at(2).at(i)});
        }
        return kept;
    } catch (const base::Json::exception& e) {
        throw base::Error("these are no rankings: {}", e.what());
    }
}

void require_trec_ids(std::span<const std::string> ids)
{
    for (const std::string& id : ids)
        if (id.find_first_of(" \t\r\n") != std::string::npos)
            throw base::UsageError("the id '{}' has a blank, which ends it in a run of TREC: leave "
                                   "out --rankings, or the blank",
                                   id);
}

Rankings found_only(Rankings rankings)
{
    for (auto& [query, found] : rankings)
        std::erase_if(found, [](const Found& one) { return one.score == not_found; });
    return rankings;
}

std::string to_trec(const Rankings& rankings, const std::string& name)
{
    std::string tag = name;
    std::ranges::replace_if(
        tag, [](char c) { return c == ' ' || c == '\t'; }, '_');
    std::string text;
    for (const auto& [query, found] : rankings)
        for (std::size_t i = 0; i < found.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} {}\n", query,
                           found[i].document, i + 1, found[i].score, tag);
    return text;
}

Rankings read_trec(std::string_view text, const std::string& file)
{
    Rankings rankings;
    std::set<std::pair<std::string, std::string>> seen;
    for (std::size_t line = 1; !text.empty(); ++line) {
        std::string_view rest = base::take_line(text);
        std::array<std::string_view, 6> fields;
        std::size_t count = 0;
        for (auto word = base::take_word(rest); !word.empty(); word = base::take_word(rest)) {
            if (count < fields.size())
                fields[count] = word;
            ++count;
        }
        if (count == 0)
            continue;
        const auto& [query, iteration, document, rank, score_text, tag] = fields;
        float score = 0;
        const char* const last = score_text.data() + score_text.size();
        const auto [stop, error] = std::from_chars(score_text.data(), last, score);
        if (count != fields.size() || error != std::errc() || stop != last || std::isnan(score))
            throw base::UsageError("{}:{}: this is no line of a TREC run, which has a query, Q0, a "
                                   "document, a rank, a score and a name",
                                   file, line);
        if (!seen.emplace(query, document).second)
            throw base::UsageError("{}:{}: the document '{}' occurs twice for the query '{}'", file,
                                   line, document, query);
        rankings[std::string(query)].push_back({std::string(document), score});
    }
    if (rankings.empty())
        throw base::UsageError("{}: there is no line", file);
    for (auto& [query, found] : rankings)
        std::ranges::sort(found, [](const Found& a, const Found& b) {
            return a.score != b.score ? a.score > b.score : a.document > b.document;
        });
    return rankings;
}

} // namespace senteval::results
