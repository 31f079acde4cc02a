#include "http/rerank.hpp"

#include "http/embeddings.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace senteval::http {

using nlohmann::json;

std::optional<RerankApi> rerank_api_of(std::string_view url)
{
    url = url.substr(0, url.find_first_of("?#"));
    while (url.ends_with('/'))
        url.remove_suffix(1);
    const std::size_t slash = url.rfind('/');
    const std::string_view last = url.substr(slash + 1);
    const std::string_view before = url.substr(0, slash);
    const std::string_view version = before.substr(before.rfind('/') + 1);
    if (last != "rerank" && last != "reranking")
        return std::nullopt;
    const bool is_versioned = version.size() == 2 && version[0] == 'v';
    return is_versioned || last == "reranking" ? RerankApi::cohere : RerankApi::tei;
}

std::string rerank_body(RerankApi api,
                        const std::string& model,
                        std::string_view query,
                        const std::vector<std::string_view>& documents)
{
    json body = api == RerankApi::tei
                    ? json{{"query", query}, {"texts", documents}, {"raw_scores", true}}
                    : json{{"query", query}, {"documents", documents}};
    if (!model.empty() && api == RerankApi::cohere)
        body["model"] = model;
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::vector<float>> read_scores(std::string_view body, std::size_t count)
{
    std::vector<std::vector<float>> scores;
    for (const json& item : items_of(body, "results", count, "score")) {
        const json score =
            item.contains("score") ? item.at("score") : item.value("relevance_score", json());
        const auto value = score.is_number() ? static_cast<float>(score.get<double>()) : NAN;
        if (!std::isfinite(value))
            throw std::runtime_error(
                fmt::format("a score (index {}) that is no number, but {:.40}", scores.size(),
                            score.dump(-1, ' ', true, json::error_handler_t::replace)));
        scores.push_back({value});
    }
    return scores;
}

} // namespace senteval::http
