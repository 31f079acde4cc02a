#include "run/record.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/processor.hpp"
#include "core/blas.hpp"
#include "encoder/identity.hpp"
#include "run/prompts.hpp"

#include <senteval/encoder.h>

#include <fmt/format.h>

#include <sys/utsname.h>

#include <chrono>
#include <cmath>
#include <ctime>

namespace senteval::run {
namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang++ " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

} // namespace

results::Computer this_computer()
{
    return {compiler, fmt::format("{}.{}", SENTEVAL_ABI_MAJOR, SENTEVAL_ABI_MINOR),
            core::blas_name(), base::processor_name()};
}

std::string utc_now()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text, size};
}

namespace {

using base::Json;

/// Raised whenever a protocol's numbers change for the same data and embeddings.
constexpr int protocol_version = 1;

Json describe(const embedding::ProjectionSettings& projection)
{
    Json json = {{"kind", embedding::name(projection.kind)}, {"dimension", projection.dimension}};
    if (projection.kind == embedding::ProjectionKind::random)
        json["seed"] = projection.seed;
    else
        json.update({{"samples", projection.samples}, {"transductive", true}});
    return json;
}

Json describe(const embedding::Variant& variant)
{
    Json json = {{"label", variant.label()}, {"precision", embedding::name(variant.precision)}};
    if (variant.dimension > 0)
        json["dimension"] = variant.dimension;
    if (variant.layer_norm)
        json["layer_norm"] = true;
    return json;
}

std::string machine()
{
    utsname name{};
    uname(&name);
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

std::map<std::string, double> seconds_of(const task::PhaseClock& clock)
{
    const auto round = [](double seconds) { return std::round(seconds * 1e6) / 1e6; };
    std::map<std::string, double> seconds;
    double total = 0;
    for (const auto& [phase, duration] : clock.seconds()) {
        seconds[phase] = round(duration);
        total += duration;
    }
    seconds["total"] = round(total);
    return seconds;
}

} // namespace

results::Protocol
protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit)
{
    results::Protocol protocol{protocol_version, task.protocol_settings(settings), {}};
    if (settings.projection)
        protocol.settings["projection"] = describe(*settings.projection);
    if (!settings.variant.is_full())
        protocol.settings["variant"] = describe(settings.variant);
    for (const auto& [role, text] : settings.prompts)
        protocol.settings["prompts"][name_of(role)] = text;
    if (limit > 0)
        protocol.settings["limit"] = limit;
    protocol.deterministic = protocol.draws_nothing();
    if (protocol.deterministic)
        protocol.settings["seed"] =
            task::default_seed; // whatever the user's: one result, stored once
    const Json identity = {{"version", protocol.version}, {"settings", protocol.settings}};
    protocol.fingerprint = base::fingerprint(task.info().name + base::to_text(identity));
    return protocol;
}

task::Settings settings_for(const encoder::Identity& encoder,
                            const task::Task& task,
                            task::Settings settings,
                            bool prompts)
{
    if (prompts)
        settings.prompts = prompts_for(encoder, task.info());
    if (const auto own = encoder::similarity_of(encoder.stated))
        settings.own_similarity = *own;
    return settings;
}

results::Result new_record(const encoder::Identity& encoder,
                           const encoder::Capabilities& can,
                           std::size_t batch_size,
                           const task::Task& task,
                           const task::Settings& settings,
                           const task::DataFolder& data)
{
    results::Result record;
    record.program = "senteval " SENTEVAL_PROGRAM_VERSION;
    record.encoder = {encoder, can.batch_invariant ? 0 : batch_size, 0, {}};
    record.task = task.info();
    record.protocol = protocol_of(task, settings, data.limit());
    record.data.files = data.fingerprints();
    return record;
}

void complete(results::Result& record,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock)
{
    const bool has_vectors = !session.ranks();
    record.encoder.dimension = has_vectors ? session.encoder_dimension() : 0;
    record.encoder.capabilities = session.capabilities();
    record.dimension = has_vectors ? session.dimension() : 0;
    if (has_vectors)
        record.norm = session.norm();
    record.metrics = result.metrics;
    record.details = result.details;
    record.coverage = session.coverage();
    record.run.date = utc_now();
    record.run.seconds = seconds_of(clock);
    record.run.threads = threads;
    record.run.kernels = kernels;
    record.run.sentences_encoded = session.encoded();
    record.run.sentences_from_cache = session.cached();
    record.run.machine = machine();
    record.run.computer = this_computer();
}

} // namespace senteval::run
