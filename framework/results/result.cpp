#include "results/result.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "results/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace senteval::results {

using base::Json;

// ---- The document, member by member -----------------------------------------------------------------------------

void members(Capabilities& can, Members& list)
{
    list("concurrent", can.concurrent, "batch_invariant", can.batch_invariant, "deterministic",
         can.deterministic);
}

void members(EncoderRecord& encoder, Members& list)
{
    list("label", encoder.label);
    list.name("id", encoder.id);
    list("version", encoder.version, "parameters", encoder.parameters, "files", encoder.files);
    list.name("fingerprint", encoder.fingerprint);
    list.if_any("declared", encoder.declared, "since", encoder.since, "stated", encoder.stated,
                "batch_size", encoder.batch_size, "dimension", encoder.dimension, "capabilities",
                encoder.capabilities);
}

constexpr std::array<std::pair<std::string_view, Over>, 3> over_names = {
    {{"items", Over::items}, {"groups", Over::groups}, {"weighted groups", Over::weighted_groups}}};

void members(Source& source, Members& list)
{
    list("statistic", source.statistic);
    list.choice("over", source.over, over_names);
    list.if_any("series", source.series, "fits", source.fits, "groups", source.groups);
}

void members(Metric& metric, Members& list)
{
    list("path", metric.path, "title", metric.title, "unit", metric.unit, "digits", metric.digits,
         "higher_is_better", metric.higher_is_better);
    list.if_any("source", metric.source);
}

void members(TaskRecord& task, Members& list)
{
    list.name("name", task.name);
    list("protocol", task.protocol, "headline", task.headline, "metrics", task.metrics);
    list.if_any("description", task.description);
}

void members(Protocol& protocol, Members& list)
{
    list("version", protocol.version, "settings", protocol.settings);
    list.name("fingerprint", protocol.fingerprint);
    list.if_any("deterministic", protocol.deterministic);
}

void members(Data& data, Members& list)
{
    list("files", data.files);
    list.if_any("doubts", data.doubts, "accepted", data.accepted);
}

void members(Overlap& overlap, Members& list)
{
    list("items", overlap.items, "of", overlap.of);
}

void members(Place& place, Members& list)
{
    list("median", place.median, "upper_quartile", place.upper_quartile, "best", place.best,
         "place", place.place);
}

void members(Standing& standing, Members& list)
{
    list("source", standing.source);
    list.others(standing.places, {"source", "overlap"});
    list.if_any("overlap", standing.overlap);
}

void members(Coverage& coverage, Members& list)
{
    list("tokens", coverage.tokens, "tokens_known", coverage.tokens_known, "types", coverage.types,
         "types_known", coverage.types_known);
}

void list_computer(Computer& computer, Members& list)
{
    list.if_any("compiler", computer.compiler, "abi", computer.abi, "blas", computer.blas,
                "processor", computer.processor);
}

void members(RunRecord& run, Members& list)
{
    list.if_any("date", run.date);
    list("seconds", run.seconds);
    list.if_any("threads", run.threads, "kernels", run.kernels, "sentences_encoded",
                run.sentences_encoded, "sentences_from_cache", run.sentences_from_cache,
                "ms_a_query", run.ms_a_query, "shared_folds", run.shared_folds, "machine",
                run.machine);
    list_computer(run.computer, list);
    list.if_any("warnings", run.warnings);
}

void members(Imported& imported, Members& list)
{
    list("file", imported.file, "fingerprint", imported.fingerprint);
}

void members(Caution& caution, Members& list)
{
    list("code", caution.code, "text", caution.text, "mend", caution.mend);
}

void members(OutcomesRecord& outcomes, Members& list)
{
    list("file", outcomes.file, "count", outcomes.count, "fingerprint", outcomes.fingerprint,
         "findings", outcomes.findings);
}

void members(Result& result, Members& list)
{
    list("schema", result.schema, "program", result.program);
    list.if_any("imported", result.imported);
    list("encoder", result.encoder, "task", result.task, "protocol", result.protocol, "data",
         result.data);
    list.if_any("overlap", result.overlap, "dimension", result.dimension, "norm", result.norm);
    list("metrics", result.metrics, "details", result.details);
    list.if_any("coverage", result.coverage);
    list("run", result.run);
    list.if_any("cautions", result.cautions, "uninformative", result.uninformative, "standing",
                result.standing, "outcomes", result.outcomes);
}

void members(Identity& encoder, Members& list) // as costs have it
{
    list("label", encoder.label);
    list.name("id", encoder.id);
    list.name("fingerprint", encoder.fingerprint);
}

void members(Cost& cost, Members& list)
{
    list("schema", cost.schema, "program", cost.program, "encoder", cost.encoder, "computer",
         cost.where, "threads", cost.threads);
    list.if_any("sentences", cost.sentences, "batch_size", cost.batch_size, "dimension",
                cost.dimension, "seconds_to_start", cost.seconds_to_start, "seconds_of_first_call",
                cost.seconds_of_first_call);
    list("sentences_per_second", cost.sentences_per_second);
    list.if_any("sentences_per_processor_second", cost.sentences_per_processor_second, "peak_bytes",
                cost.peak_bytes, "date", cost.date);
    list_computer(cost.computer, list);
}

namespace {

/// Throws where it is of another version, which did not describe its metrics.
void require_schema(const Json& document)
{
    if (!document.is_object())
        throw base::Error("it is not a JSON object");
    const Json member = document.value("schema", Json());
    const std::string schema = member.is_string() ? member.get<std::string>() : "";
    if (schema != result_schema && schema != imported_schema)
        throw base::Error("it is a '{}', made by another version of this program: run it (or "
                          "import it) again with this one",
                          schema);
}

void require_possible(const std::vector<Metric>& metrics)
{
    constexpr int most_digits = 17;
    constexpr std::size_t most_fits = 1000;
    for (const Metric& metric : metrics)
        if (metric.digits > most_digits || metric.source.fits > most_fits)
            throw base::Error("its metric '{}' has more digits or fits than there can be",
                              metric.path);
}

/// Numbers as values: other programs write 70 for 70.0.
Json by_value(Json json)
{
    if (json.is_number())
        return json.get<double>();
    if (json.is_structured())
        for (Json& member : json)
            member = by_value(std::move(member));
    return json;
}

} // namespace

std::string fingerprint_of_findings(const Json& document)
{
    Json findings = by_value(document);
    for (const char* other : {"schema", "program", "run", "outcomes"})
        findings.erase(other);
    findings.at("encoder").erase("label");
    findings.at("encoder").erase("since");
    const nlohmann::json in_one_order = findings; // each program writes members in its own
    return base::fingerprint(base::to_text(Json(in_one_order)));
}

void require_possible(const Result& result)
{
    constexpr double rounding = 1e-6;
    for (const Metric& metric : result.task.metrics) {
        const auto [least, most] = metric.range();
        if (const auto value = metric.value_in(result.metrics);
            value && (*value < least - rounding || *value > most + rounding))
            throw base::Error("{} has {} {}: it must be {} to {}", result.task.name, metric.path,
                              *value, least, most);
    }
}

Json to_json(const Result& result)
{
    return Members::written(result);
}

Json to_json(const Place& place)
{
    return Members::written(place);
}

Json to_json(const std::vector<Metric>& metrics)
{
    return Members::written(metrics);
}

Json to_json(const Cost& cost)
{
    return Members::written(cost);
}

std::vector<Metric> metrics_from_json(const Json& json)
{
    std::vector<Metric> metrics;
    Members::read(json, "", metrics);
    require_possible(metrics);
    return metrics;
}

Cost cost_from_json(const Json& document)
{
    Cost cost;
    Members::read(document, "", cost);
    constexpr double most = 1e15;
    const auto numbers = {cost.seconds_to_start, cost.seconds_of_first_call,
                          cost.sentences_per_second, cost.sentences_per_processor_second,
                          static_cast<double>(cost.peak_bytes)};
    if (cost.schema != Cost().schema || !(cost.sentences_per_second > 0) ||
        !std::ranges::all_of(numbers, [](double one) { return one >= 0 && one < most; }))
        throw base::Error("it is no whole measurement");
    return cost;
}

Result from_json(const Json& document)
{
    require_schema(document);
    Result result;
    Members::read(document, "", result);
    require_possible(result.task.metrics);
    require_possible(result);
    if (result.outcomes != OutcomesRecord() &&
        result.outcomes.findings != fingerprint_of_findings(document))
        throw base::Error(
            "it was edited or damaged after it was written: compute it again, or restore it");
    // Older programs stored neither.
    result.protocol.deterministic |= result.protocol.draws_nothing();
    if (result.cautions.empty())
        result.cautions = cautions_of(result);
    return result;
}

// ---- What is asked of a record ------------------------------------------------------------------------------------

const Metric& TaskRecord::headline_metric() const
{
    if (const Metric* found = find_metric(metrics, headline))
        return *found;
    throw base::Error("its metric '{}' is not described", headline);
}

Json TaskRecord::of_mteb(const std::string& fact) const
{
    const Json::json_pointer at("/keys/mteb/" + fact);
    return description.contains(at) ? description.at(at) : Json();
}

std::vector<std::string> PartOf::names(const std::string& task) const
{
    return whole.empty() ? std::vector{task} : std::vector{task, whole, whole + "/" + part};
}

PartOf TaskRecord::part_of() const
{
    if (!is_own())
        return {};
    const Json& keys = description.at("keys");
    return {keys.value("of", ""), keys.value("part", ""), keys.value("parts", std::size_t{0})};
}

std::optional<std::uint64_t> Protocol::seed() const
{
    return settings.contains("seed") ? std::optional<std::uint64_t>(settings.at("seed"))
                                     : std::nullopt;
}

Json Protocol::settings_without_seed() const
{
    Json others = settings;
    others.erase("seed");
    return others;
}

bool Protocol::draws_nothing() const
{
    const bool has_fixed_folds = kind() != "kfold" || settings.contains("folds_seed");
    const bool is_convex = classifier() == "logreg-newton" && has_fixed_folds;
    return seed() && (is_convex || kind() == "ridge_relatedness");
}

std::string Protocol::classifier() const
{
    return settings.value("/classifier/classifier"_json_pointer, "");
}

std::string Protocol::normalisation() const
{
    const Json normalise = settings.value("normalise", Json());
    return normalise.is_string() ? normalise.get<std::string>() : "";
}

std::string Protocol::projection() const
{
    if (settings.contains("projection"))
        return fmt::format("@{} {}", settings.value("/projection/dimension"_json_pointer, 0),
                           settings.value("/projection/kind"_json_pointer, ""));
    if (settings.contains("chunks"))
        return "@" + settings.at("chunks").get<std::string>() + " words";
    return settings.value("/variant/label"_json_pointer, "");
}

std::size_t Result::bytes_of_vector() const
{
    const std::string precision =
        protocol.settings.value("/variant/precision"_json_pointer, "float32");
    const std::size_t bits = precision == "binary"    ? 1
                             : precision == "int8"    ? 8
                             : precision == "float16" ? 16
                                                      : 32;
    return (scored_dimension() * bits + 7) / 8;
}

Json Result::choices() const
{
    Json chosen = protocol.settings_without_seed();
    for (const char* other : {"projection", "variant", "resample"})
        chosen.erase(other);
    if (chosen.contains("prompts"))
        chosen["prompts"] = "the task's"; // whose text is another for each
    // Tasks after MTEB take the similarity that the encoder states.
    const bool is_followed = protocol.kind() != "similarity" && encoder.stated.is_object();
    const Json unchosen =
        is_followed ? encoder.stated.value("similarity", Json("cosine")) : Json("cosine");
    if (chosen.value("similarity", Json()) == unchosen)
        chosen["similarity"] = "none";
    return chosen;
}

std::vector<Caution> cautions_of(const Result& result)
{
    std::vector<Caution> cautions;
    const bool is_published = !result.task.is_own() && result.data.doubts.empty();
    const bool is_convex = result.protocol.classifier() == "logreg-newton";
    for (const std::string& warning : result.warnings())
        if (!is_published)
            cautions.push_back(
                {is_convex ? "unconverged" : "too-few-steps",
                 warning.substr(0, warning.find(';')), // what mends it follows
                 is_convex ? "--max-iterations 1000000" : "--classifier logreg-newton"});
    return cautions;
}

bool same_input(const Result& a, const Result& b)
{
    return a.encoder.fingerprint == b.encoder.fingerprint &&
           a.encoder.batch_size == b.encoder.batch_size && a.task.headline == b.task.headline &&
           a.protocol.fingerprint == b.protocol.fingerprint && a.data.files == b.data.files &&
           a.data.accepted == b.data.accepted;
}

std::string lost_with(const Result& stored, const Result& result)
{
    if (stored.data.files == result.data.files)
        return "";
    return fmt::format("{} of {}: the result in the store is of other data, and this one takes its "
                       "place (--output FOLDER keeps both)",
                       result.task.name, result.encoder.label);
}

} // namespace senteval::results
