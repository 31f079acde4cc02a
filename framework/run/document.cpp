#include "run/document.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/processor.hpp"
#include "core/blas.hpp"
#include "core/value.hpp"
#include "results/document.hpp"

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

base::Json computer()
{
    return {{"compiler", compiler},
            {"abi", fmt::format("{}.{}", SENTEVAL_ABI_MAJOR, SENTEVAL_ABI_MINOR)},
            {"blas", core::blas_name()},
            {"processor", base::processor_name()}};
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

Json describe(const encoder::Identity& encoder)
{
    Json json = {{"label", encoder.label},     {"id", encoder.id},
                 {"version", encoder.version}, {"parameters", encoder.parameters},
                 {"files", encoder.files},     {"fingerprint", encoder.fingerprint}};
    if (!encoder.stated.is_null())
        json["stated"] = encoder.stated;
    return json;
}

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

Json describe(const encoder::Coverage& coverage)
{
    return {{"tokens", coverage.tokens},
            {"tokens_known", coverage.tokens_known},
            {"types", coverage.types},
            {"types_known", coverage.types_known}};
}

std::string machine()
{
    utsname name{};
    uname(&name);
    return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

Json seconds_of(const task::PhaseClock& clock)
{
    const auto round = [](double seconds) { return std::round(seconds * 1e6) / 1e6; };
    Json seconds = Json::object();
    double total = 0;
    for (const auto& [phase, duration] : clock.seconds()) {
        seconds[phase] = round(duration);
        total += duration;
    }
    seconds["total"] = round(total);
    return seconds;
}

} // namespace

Json describe(const task::Info& task)
{
    Json json = {{"name", task.name},
                 {"protocol", task.protocol},
                 {"headline", task.headline},
                 {"metrics", results::to_json(task.metrics)}};
    if (!task.description.is_null())
        json["description"] = task.description;
    return json;
}

Json protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit)
{
    Json protocol = {{"version", protocol_version}, {"settings", task.protocol_settings(settings)}};
    if (settings.projection)
        protocol["settings"]["projection"] = describe(*settings.projection);
    if (!settings.variant.is_full())
        protocol["settings"]["variant"] = describe(settings.variant);
    if (limit > 0)
        protocol["settings"]["limit"] = limit;
    protocol["fingerprint"] = base::fingerprint(task.info().name + base::to_text(protocol));
    return protocol;
}

task::Settings settings_for(const encoder::Identity& encoder, task::Settings settings)
{
    constexpr auto key = "similarity";
    if (encoder.stated.is_object() && encoder.stated.contains(key))
        settings.own_similarity =
            core::Value::of_json(encoder.stated.at(key), key,
                                 fmt::format("what encoder '{}' states", encoder.label), {})
                .choice(task::similarity_names);
    return settings;
}

Json new_document(const encoder::Identity& encoder,
                  const task::Task& task,
                  const task::Settings& settings,
                  const task::DataFolder& data)
{
    return {{"schema", results::result_schema},
            {"program", "senteval " SENTEVAL_PROGRAM_VERSION},
            {"encoder", describe(encoder)},
            {"task", describe(task.info())},
            {"protocol", protocol_of(task, settings, data.limit())},
            {"data", {{"files", data.fingerprints()}}}};
}

void complete(Json& document,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock)
{
    const encoder::Capabilities can = session.capabilities();
    document["encoder"]["dimension"] = session.encoder_dimension();
    document["encoder"]["capabilities"] = {{"concurrent", can.concurrent},
                                           {"batch_invariant", can.batch_invariant},
                                           {"deterministic", can.deterministic}};
    document["dimension"] = session.dimension();
    document["norm"] = session.norm();
    document["metrics"] = result.metrics;
    document["details"] = result.details;
    if (const auto coverage = session.coverage())
        document["coverage"] = describe(*coverage);
    document["run"] = {{"date", utc_now()},
                       {"seconds", seconds_of(clock)},
                       {"threads", threads},
                       {"kernels", kernels},
                       {"sentences_encoded", session.encoded()},
                       {"sentences_from_cache", session.cached()},
                       {"machine", machine()}};
    document["run"].update(computer());
}

} // namespace senteval::run
