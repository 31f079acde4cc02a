#include "http/http_encoder.hpp"

#include "base/ascii.hpp"
#include "base/refuse.hpp"
#include "remote/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

namespace {

std::chrono::milliseconds seconds(const sdk::Params& params, const char* key, double fallback)
{
    const double value = remote::within(params, key, fallback, 0.0, 86400.0);
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(value * 1000)));
}

/// Whether the query of a URL names a key, as ?api-key=... does.
bool has_key(std::string_view url)
{
    std::string query(url.substr(std::min(url.size(), url.find('?'))));
    std::ranges::transform(query, query.begin(), [](char c) {
        return c == '?' ? '&' : c == '-' ? '_' : base::ascii_lower(c);
    });
    constexpr std::string_view names[] = {
        "&key=", "&apikey=", "&api_key=", "&token=", "&access_token=", "&subscription_key="};
    return std::ranges::any_of(names,
                               [&](auto name) { return query.find(name) != std::string::npos; });
}

std::string url_from(const sdk::Params& params)
{
    auto url = params.require<std::string>("url");
    const auto refuse = [](const char* why) { base::refuse("parameter 'url' {}", why); };
    const std::size_t slashes = url.find("://");
    const std::string_view scheme = std::string_view(url).substr(0, slashes);
    if (slashes == std::string::npos || (scheme != "http" && scheme != "https"))
        refuse("must begin with http:// or https://, and go on to the end: "
               "http://127.0.0.1:8080/v1/embeddings");
    if (std::ranges::any_of(url, [](char c) { return c >= 0 && (c <= ' ' || c == '\x7f'); }))
        refuse("holds a space or a control character");
    const std::string_view rest = std::string_view(url).substr(slashes + 3);
    const std::string_view host = rest.substr(0, rest.find_first_of("/?#"));
    if (host.find('@') != std::string_view::npos || has_key(rest))
        refuse("holds a password or a key, which results would show: put the key in an environment "
               "variable and name that with 'key_env'");
    if (host.empty())
        refuse("names no host");
    return url;
}

/// Whether what is sent stays on this machine.
bool is_local(std::string_view url)
{
    const std::string_view rest = url.substr(url.find("://") + 3);
    const std::string_view host =
        rest.substr(0, rest.find_first_of(rest.starts_with('[') ? "]/" : ":/?#"));
    return host == "localhost" || host.starts_with("127.") || host == "[::1";
}

Server server_from(const sdk::Setup& setup)
{
    constexpr std::int64_t day = 86400;
    const sdk::Params& params = setup.params;
    Server server;
    server.url = url_from(params);
    server.is_local = is_local(server.url);
    if (const std::string variable = params.get("key_env", ""); !variable.empty())
        server.key = Secret(variable);
    if (!server.key.empty() && server.url.starts_with("http:") && !server.is_local)
        setup.host.warn(
            "the API key goes over a line that is not encrypted: the address begins with http://");
    server.ca_file = params.get("ca_file", "");
    server.parallel =
        static_cast<std::size_t>(remote::within<std::int64_t>(params, "parallel", 4, 1, 64));
    server.retries = static_cast<int>(remote::within<std::int64_t>(params, "retries", 5, 0, 100));
    server.backoff = seconds(params, "backoff_seconds", 0.5);
    server.longest_wait = seconds(params, "longest_wait", 60.0);
    server.connect_seconds = remote::within<std::int64_t>(params, "connect_seconds", 10, 1, 3600);
    server.request_seconds = remote::within<std::int64_t>(params, "request_seconds", 600, 1, day);
    server.stall_seconds = remote::within<std::int64_t>(params, "stall_seconds", 300, 1, day);
    return server;
}

std::optional<RerankApi> rerank_api_from(const sdk::Params& params)
{
    return params.choice<std::optional<RerankApi>>(
        "api", {{"auto", rerank_api_of(params.require<std::string>("url"))},
                {"embeddings", std::nullopt},
                {"rerank", RerankApi::cohere},
                {"tei", RerankApi::tei}});
}

Model model_from(const sdk::Params& params)
{
    const auto name = params.get("model", "");
    if (name.empty() && !rerank_api_from(params))
        throw sdk::Error(
            SENTEVAL_INVALID_ARGUMENT,
            "the parameter 'model' is missing: the model's name, as the server knows it");
    return {name,
            params.choice<Encoding>("encoding", {{"float", Encoding::numbers},
                                                 {"base64", Encoding::base64},
                                                 {"none", Encoding::unsaid}}),
            remote::within<std::int64_t>(params, "dimensions", 0, 0, 1 << 20)};
}

/// A size that no honest answer reaches: indented numbers of full precision, one a line.
std::size_t most_bytes(std::size_t sentences, std::size_t dimension)
{
    constexpr std::size_t per_number = 64;
    constexpr std::size_t besides = std::size_t{1} << 16U;
    return sentences * (dimension * per_number + 1024) + besides;
}

/// Whether two answers are the same vector, but for rounding.
bool are_alike(const std::vector<float>& a, const std::vector<float>& b)
{
    const float largest = std::abs(std::ranges::max(a, {}, [](float x) { return std::abs(x); }));
    return std::ranges::equal(a, b,
                              [&](float x, float y) { return std::abs(x - y) <= 1e-2F * largest; });
}

} // namespace

HttpEncoder::HttpEncoder(const sdk::Setup& setup)
    : model_(model_from(setup.params)),
      reranks_(rerank_api_from(setup.params)),
      batch_(static_cast<std::size_t>(
          remote::within<std::int64_t>(setup.params, "batch", 32, 1, 2048))),
      transfers_(std::make_unique<Transfers>(server_from(setup), setup.host))
{
    if (reranks_) {
        identity_ = R"({"reranks": true, "unseen": "server"})";
        query_ = ".";
    }
    const std::vector<float> vector = probe(setup, model_);
    query_.reset();
    dimension_ = vector.size();
    if (reranks_)
        return;
    if (model_.encoding == Encoding::base64) {
        Model by_numbers = model_;
        by_numbers.encoding = Encoding::numbers;
        const std::vector<float> numbers = probe(setup, by_numbers);
        if (!are_alike(vector, numbers))
            throw sdk::Error(
                SENTEVAL_UNSUPPORTED,
                fmt::format(
                    "the server's base64, read as float32, is another vector (of {} values) than "
                    "its numbers (of {}): use encoding=float",
                    vector.size(), numbers.size()));
    }
    if (model_.dimensions > 0 && dimension_ != static_cast<std::size_t>(model_.dimensions))
        throw sdk::Error(
            SENTEVAL_UNSUPPORTED,
            fmt::format(
                "parameter 'dimensions' is {}, and the server gives vectors of {}: it cannot "
                "shorten those of this model",
                model_.dimensions, dimension_));
}

std::vector<float> HttpEncoder::probe(const sdk::Setup& setup, const Model& model)
{
    constexpr std::size_t longest = std::size_t{1} << 20U;
    const std::vector<std::string> bodies = {body_of(model, {"."})};
    std::vector<float> vector;
    transfers_->post(
        bodies, most_bytes(1, longest), true, [&] { return setup.call.cancelled(); },
        [&](std::size_t, std::string_view body) { vector = read(model, body, 1).front(); });
    return vector;
}

std::string HttpEncoder::body_of(const Model& model,
                                 const std::vector<std::string_view>& inputs) const
{
    return reranks_ ? rerank_body(*reranks_, model.name, query_.value(), inputs)
                    : request_body(model, inputs);
}

std::vector<std::vector<float>>
HttpEncoder::read(const Model& model, std::string_view body, std::size_t count) const
{
    return reranks_ ? read_scores(body, count) : read_vectors(body, count, model.encoding);
}

void HttpEncoder::prepare(sdk::Call& /*call*/, const sdk::Task& /*task*/, sdk::Batch query)
{
    query_.reset();
    if (!reranks_)
        return;
    if (query.size() != 1)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("a reranker scores documents for one query, and was given {}: "
                                     "it has no vectors of texts, and is for --rerank",
                                     query.size()));
    query_ = query[0];
}

void HttpEncoder::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out)
{
    if (reranks_ && !query_)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, "a reranker has to be shown a query first");
    std::vector<std::size_t> rows; // of the sentences that are asked for
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (batch[i].empty() && !reranks_)
            std::ranges::fill(out.row(i), 0.0F);
        else
            rows.push_back(i);
    std::vector<std::string> bodies;
    for (std::size_t begin = 0; begin < rows.size(); begin += batch_) {
        std::vector<std::string_view> inputs;
        for (std::size_t i = begin; i < std::min(begin + batch_, rows.size()); ++i)
            inputs.push_back(batch[rows[i]]);
        bodies.push_back(body_of(model_, inputs));
    }
    const auto take = [&](std::size_t request, std::string_view body) {
        const std::size_t begin = request * batch_;
        const auto vectors = read(model_, body, std::min(batch_, rows.size() - begin));
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            if (vectors[i].size() != out.cols())
                throw std::runtime_error(fmt::format("a vector of {} values, after vectors of {}",
                                                     vectors[i].size(), out.cols()));
            std::ranges::copy(vectors[i], out.row(rows[begin + i]).begin());
        }
    };
    std::size_t most = most_bytes(batch_, dimension_);
    for (std::size_t i = 0; reranks_ && i < bodies.size(); ++i) // which may come back, escaped
        most = std::max(most, most_bytes(batch_, 1) + 6 * bodies[i].size());
    try {
        transfers_->post(
            bodies, most, false, [&] { return call.cancelled(); }, take);
    } catch (const RequestFailed& e) {
        std::vector<std::string_view> asked;
        const std::size_t begin = e.request() * batch_;
        for (std::size_t i = begin; i < std::min(begin + batch_, rows.size()); ++i)
            asked.push_back(batch[rows[i]]);
        throw sdk::Error(e.status(),
                         fmt::format("{}; asked for {}{}", e.what(), remote::sentences(asked),
                                     asked.size() > 1 ? " (batch=1 asks for one at a time)" : ""));
    }
}

} // namespace senteval::http
