// http_encoder.hpp -- sentences as the vectors of a server's model.
#pragma once

#include "http/embeddings.hpp"
#include "http/rerank.hpp"
#include "http/transfers.hpp"

#include <senteval/encoder.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// Asks a server with OpenAI's interface (POST /v1/embeddings): llama.cpp, Text Embeddings Inference, vLLM,
/// Ollama and others. An empty sentence, which many refuse, is not asked for and gets zeros. A server with /v1/rerank is
/// asked for the scores of documents for the query that prepare() is shown.
class HttpEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.http",
        .name = "Embedding server",
        .version = "1.0",
        .description =
            "Any server with OpenAI's /v1/embeddings, or Cohere's /v1/rerank: llama.cpp, "
            "TEI, vLLM, Ollama.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_BATCH_INVARIANT,
    };
    static constexpr auto params = std::array{
        senteval_param_spec{sizeof(senteval_param_spec),
                            SENTEVAL_PARAM_REQUIRED,
                            "url",
                            "The whole address, such as http://127.0.0.1:8080/v1/embeddings.",
                            {SENTEVAL_TYPE_STRING, 0, {.string = {nullptr, 0}}}},
        sdk::param(
            "model", "", "The model's name, as the server knows it; a reranker may have none."),
        sdk::param("api",
                   "auto",
                   "What the server is asked: embeddings, rerank (Cohere's /v1/rerank), tei (TEI's "
                   "/rerank), or auto (by the end of the url)."),
        sdk::no_effect(
            sdk::param("key_env", "", "The environment variable that holds the API key.")),
        sdk::param("encoding",
                   "float",
                   "How the server writes vectors: float (decimal), base64, or none (not said)."),
        sdk::param("dimensions",
                   0,
                   "Values per vector, where the server can shorten them; 0: the model's own."),
        sdk::no_effect(sdk::param("batch", 32, "Sentences per request, 1 to 2048.")),
        sdk::no_effect(sdk::param("parallel", 4, "Requests at a time, 1 to 64.")),
        sdk::no_effect(sdk::param(
            "retries",
            5,
            "Further attempts after 408, 429, 5xx, an answer that is cut off or a broken "
            "connection, 0 to 100.")),
        sdk::no_effect(sdk::param(
            "backoff_seconds",
            0.5,
            "Seconds before the first of them, unless the server says; doubled each time.")),
        sdk::no_effect(sdk::param(
            "longest_wait", 60.0, "Most seconds before an attempt, whatever Retry-After says.")),
        sdk::no_effect(sdk::param(
            "connect_seconds", 10, "Most seconds to connect, at each attempt, 1 to 3600.")),
        sdk::no_effect(
            sdk::param("request_seconds", 600, "Most seconds of an attempt, 1 to 86400.")),
        sdk::no_effect(sdk::param(
            "stall_seconds", 300, "Most seconds without a byte, at each attempt, 1 to 86400.")),
        sdk::no_effect(sdk::path_param(
            "ca_file", "Certificates (PEM) to trust, for a server whose own authority signs.", 0)),
    };

    explicit HttpEncoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const { return dimension_; }
    [[nodiscard]] const std::string& identity() const { return identity_; }
    [[nodiscard]] bool ignores_prepare() const { return !reranks_; }
    /// `query`: of a reranker one text, by which documents are scored from now on.
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch query);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out);

private:
    std::vector<float> probe(const sdk::Setup& setup, const Model& model);
    [[nodiscard]] std::string body_of(const Model& model,
                                      const std::vector<std::string_view>& inputs) const;
    [[nodiscard]] std::vector<std::vector<float>>
    read(const Model& model, std::string_view body, std::size_t count) const;

    Model model_;
    std::optional<RerankApi> reranks_;
    std::optional<std::string> query_;
    std::size_t batch_;
    std::unique_ptr<Transfers> transfers_;
    std::size_t dimension_ = 0;
    std::string identity_ = R"({"unseen": "server"})";
};

} // namespace senteval::http
