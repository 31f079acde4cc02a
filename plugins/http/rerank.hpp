// rerank.hpp -- what is sent to a server that scores documents for a query, and what comes back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// How a server is asked for scores.
enum class RerankApi {
    cohere, ///< /v1/rerank of Cohere, Jina, vLLM, llama.cpp
    tei     ///< /rerank of Text Embeddings Inference, which gives logits
};

/// By the end of an address; nothing where it is none of a reranker.
std::optional<RerankApi> rerank_api_of(std::string_view url);

std::string rerank_body(RerankApi api,
                        const std::string& model,
                        std::string_view query,
                        const std::vector<std::string_view>& documents);

/// The score of each document as a vector of one. Throws std::runtime_error that says what is wrong with the answer.
std::vector<std::vector<float>> read_scores(std::string_view body, std::size_t count);

} // namespace senteval::http
