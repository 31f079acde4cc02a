#include "host/same_door.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "encoder/identity.hpp"
#include "host/output.hpp"
#include "model_files/files.hpp"
#include "text/sentence.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

namespace senteval::host {
namespace {

constexpr std::string_view task = "same";

std::vector<text::Sentence> sentences_of(const std::vector<std::string>& texts,
                                         const same::Numbers& which)
{
    std::vector<text::Sentence> sentences;
    for (const std::size_t number : which)
        sentences.push_back({texts[number], 0, text::Role::none, true});
    return sentences;
}

} // namespace

Door::Door(run::EncoderRequest request, unsigned threads, std::stop_token stop)
    : request_(std::move(request)),
      planned_(run::plan_encoder(request_, {})),
      threads_(threads),
      stop_(std::move(stop))
{
    if (!planned_.unloadable.empty())
        throw base::UsageError("{}", planned_.unloadable);
    if (encoder::kind_of(*planned_.found.encoder) != encoder::Kind::encoder)
        throw base::UsageError("'{}' has no vectors of texts", request_.name);
    if (has("retries")) // what a server refuses once it mostly refuses again; a --set that follows wins
        request_.settings.insert(request_.settings.begin(),
                                 core::Value::of_text("1", "retries", "senteval same"));
}

bool Door::has(std::string_view key) const
{
    const senteval_encoder& table = *planned_.found.encoder;
    return std::ranges::any_of(std::span(table.params, table.param_count),
                               [&](const auto* spec) { return spec->key == key; });
}

bool Door::is_certain() const
{
    const encoder::Capabilities claims = encoder::capabilities_of(*planned_.found.encoder);
    return encoder::is_bundled(planned_.found.plugin->path()) && claims.deterministic &&
           claims.batch_invariant;
}

std::vector<std::string> Door::prompts() const
{
    std::vector<std::string> texts;
    for (const encoder::Parameter& parameter : planned_.parameters) {
        if (parameter.key != "model" || parameter.type != SENTEVAL_TYPE_PATH)
            continue;
        const base::Json config =
            model_files::read_json_if(std::filesystem::path(parameter.value.get<std::string>()) /
                                      "config_sentence_transformers.json");
        const base::Json said = config.value("prompts", base::Json::object());
        for (const auto& [name, text] : said.items())
            texts.push_back(text.get<std::string>());
    }
    return texts;
}

encoder::Encoder& Door::encoder_with(const Settings& settings)
{
    std::unique_ptr<Made>& place = settings.empty() ? usual_ : changed_;
    if (place && place->settings == settings)
        return *place->encoder;
    place.reset();
    run::EncoderRequest request = request_;
    for (const auto& [key, value] : settings)
        request.settings.push_back(core::Value::of_text(value, key, "senteval same"));
    auto made = std::make_unique<Made>(Made{settings, run::plan_encoder(request, {}), nullptr});
    const encoder::Logger logger = [this](senteval_log_level level, std::string_view who,
                                          std::string_view line) {
        if (!is_known_ && level >= SENTEVAL_LOG_WARNING)
            note("{}: {}\n", who, line);
    };
    made->encoder = run::source_of(made->planned, logger, context(threads_)).create();
    place = std::move(made);
    return *place->encoder;
}

same::Answers Door::ask(const std::vector<std::string>& texts,
                        const same::Numbers& which,
                        std::size_t batch,
                        const Settings& settings)
{
    constexpr std::size_t most_failures = 20;
    encoder::Encoder& encoder = encoder_with(settings);
    const std::vector<text::Sentence> sentences = sentences_of(texts, which);
    encoder.prepare(task, sentences, context(threads_));
    same::Answers answers{arma::fmat(encoder.dimension(), texts.size(), arma::fill::zeros),
                          std::vector<std::string>(texts.size())};
    const bool overlaps = encoder.capabilities().concurrent;
    std::atomic<bool> has_answered = false;
    const auto call = [&](std::size_t number) {
        if (stop_.stop_requested())
            throw base::Cancelled();
        const std::size_t first = number * batch;
        const std::size_t end = std::min(first + batch, which.size());
        arma::fmat rows(answers.vectors.n_rows, end - first);
        rows.fill(arma::fdatum::nan);
        std::string error;
        try {
            encoder.encode(std::span(sentences).subspan(first, end - first), rows.memptr(),
                           context(overlaps ? 1 : threads_));
            if (!rows.is_finite())
                throw base::Error("a value is no finite number");
            has_answered = true;
        } catch (const base::Cancelled&) {
            throw;
        } catch (const base::Error& e) {
            if (!has_answered && number + 1 >= most_failures)
                throw base::Error("{}: {}", label(), e.what());
            error = e.what();
            rows.zeros();
        }
        for (std::size_t i = first; i < end; ++i) {
            answers.vectors.col(which[i]) = rows.col(i - first);
            answers.errors[which[i]] = error;
        }
    };
    base::parallel_for((which.size() + batch - 1) / batch, overlaps ? threads_ : 1, call);
    is_known_ = true;
    return answers;
}

std::vector<std::size_t> Door::tokens_of(const std::vector<std::string>& texts)
{
    std::vector<std::uint32_t> tokens(texts.size());
    std::vector<std::uint32_t> known(texts.size());
    if (!encoder_with({}).count_known(sentences_of(texts, same::all_of(texts)), tokens, known))
        return {};
    return {tokens.begin(), tokens.end()};
}

} // namespace senteval::host
