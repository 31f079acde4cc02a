#include "annex/start_vectors.hpp"

#include "base/error.hpp"
#include "paragram_model/architecture.hpp"
#include "paragram_model/model_file.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <vector>

namespace senteval::annex {

namespace wv = word_vectors;

namespace {

/// The host that the reader of word vectors sees.
struct Host {
    const std::function<void(std::string_view)>& warn;
    const std::stop_token& stop;
};

void log(const senteval_host* host, senteval_log_level level, senteval_string message)
{
    const auto* self = static_cast<const Host*>(host->ctx);
    if (level >= SENTEVAL_LOG_WARNING && self != nullptr && self->warn)
        self->warn({message.data, message.size});
}

wv::WordVectors open(const std::filesystem::path& file, unsigned threads, Host self)
{
    senteval_host host{};
    host.struct_size = sizeof host;
    host.abi_version = SENTEVAL_ABI_VERSION;
    host.name = "senteval";
    host.version = "";
    host.ctx = &self;
    host.log = &log;
    host.get_extension = [](const senteval_host*, const char*) -> const void* { return nullptr; };
    senteval_call call{};
    call.struct_size = sizeof call;
    call.thread_budget = threads;
    call.ctx = &self;
    call.fail = [](const senteval_call*, senteval_string) {};
    call.progress = [](const senteval_call*, std::uint64_t, std::uint64_t) {};
    call.is_cancelled = [](const senteval_call* it) {
        return static_cast<const Host*>(it->ctx)->stop.stop_requested() ? 1U : 0U;
    };
    try {
        wv::Source source;
        source.file = file;
        if (paragram::is_model(file))
            source.format = wv::Format::binary;
        return wv::WordVectors(source, sdk::Host(&host), sdk::Call(&call));
    } catch (const sdk::Cancelled&) {
        throw base::Cancelled();
    } catch (const sdk::Error& error) {
        throw base::Error("{}", error.what());
    }
}

} // namespace

StartVectors::StartVectors(const std::filesystem::path& file,
                           unsigned threads,
                           const std::stop_token& stop,
                           const std::function<void(std::string_view)>& warn)
    : vectors_(open(file, threads, Host{warn, stop})), unknown_(vectors_.dimension())
{
    if (const auto row = find(paragram::unknown_word)) {
        read(*row, unknown_);
        return;
    }
    std::vector<double> sum(dimension());
    std::vector<double> values(dimension());
    for (std::size_t row = 0; row < size(); ++row)
        if (vectors_.read(static_cast<wv::Row>(row), values))
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += values[i];
    for (std::size_t i = 0; i < sum.size(); ++i)
        unknown_[i] = static_cast<float>(sum[i] / static_cast<double>(size()));
}

std::optional<std::size_t> StartVectors::find(std::string_view word) const noexcept
{
    const auto row = vectors_.find(word);
    return row ? std::optional<std::size_t>(*row) : std::nullopt;
}

void StartVectors::read(std::size_t row, std::span<float> out) const
{
    std::vector<double> values(out.size());
    if (!vectors_.read(static_cast<wv::Row>(row), values))
        std::ranges::fill(values, 0.0);
    std::ranges::transform(values, out.begin(),
                           [](double value) { return static_cast<float>(value); });
}

} // namespace senteval::annex
