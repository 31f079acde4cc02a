// How verdicts were made, and where the numbers come from: encoders, tasks, program, machines, protocols, data.
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace senteval::report::sections {
namespace {

using base::Json;
using compare::Results;
using markup::append;
using markup::escape;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string plain(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : base::to_text(value);
}

/// "key: value, key: value" of everything below an object, by the last parts of the paths.
std::string flat(const Json& object)
{
    std::string text;
    const Json flattened =
        object.empty() ? object : object.flatten(); // items() keeps no temporary alive
    for (const auto& [path, value] : flattened.items())
        append(text, "{}{}: {}", text.empty() ? "" : ", ", path.substr(path.rfind('/') + 1),
               plain(value));
    return text;
}

void add(Facts& facts, std::string name, std::string value)
{
    if (!value.empty())
        facts.emplace_back(std::move(name), std::move(value));
}

void block(const std::string& title, const Facts& facts, std::string& out)
{
    if (facts.empty())
        return;
    append(out, "<details><summary>{}</summary><dl class=\"facts\">", escape(title));
    for (const auto& [key, value] : facts)
        append(out, "<dt>{}</dt><dd>{}</dd>", escape(key), escape(value));
    out += "</dl></details>";
}

Facts about_runs(const Results& results)
{
    using Text = std::string (*)(const results::Result&);
    const std::pair<const char*, Text> all[] = {
        {"program", [](const auto& of) { return of.program; }},
        {"seeds",
         [](const auto& of) {
             const auto seed = of.protocol.seed();
             return seed ? std::to_string(*seed) : std::string();
         }},
        {"dates", [](const auto& of) { return of.run.date; }},
        {"machines", [](const auto& of) { return of.run.machine; }},
        {"threads",
         [](const auto& of) { return of.run.threads > 0 ? std::to_string(of.run.threads) : ""; }},
        {"imported from", [](const auto& of) { return of.imported ? of.imported->file : ""; }}};
    Facts facts;
    add(facts, "results", std::to_string(results.cells().size()));
    for (const auto& [name, text] : all) {
        std::set<std::string> values;
        for (const results::Cell* cell : results.cells())
            values.insert(text(cell->result));
        values.erase("");
        if (std::string_view(name) == "dates" && values.size() > 1)
            add(facts, name, *values.begin() + " to " + *values.rbegin());
        else
            add(facts, name, fmt::format("{}", fmt::join(values, "; ")));
    }
    return facts;
}

/// Facts by task and settings, seeds aside.
Facts about_protocols(const Results& results)
{
    std::set<std::pair<std::string, std::string>> facts;
    for (const results::Cell* cell : results.cells()) {
        const results::Protocol& protocol = cell->result.protocol;
        facts.emplace(cell->result.task.name, fmt::format("version {}, {}", protocol.version,
                                                          flat(protocol.settings_without_seed())));
    }
    return {facts.begin(), facts.end()};
}

Facts about_encoder(const results::EncoderRecord& encoder)
{
    Facts facts;
    add(facts, "id", encoder.id);
    add(facts, "version", encoder.version);
    add(facts, "parameters", flat(encoder.parameters));
    add(facts, "files", flat(encoder.files));
    if (const auto& can = encoder.capabilities)
        add(facts, "capabilities",
            fmt::format("concurrent: {}, batch_invariant: {}, deterministic: {}", can->concurrent,
                        can->batch_invariant, can->deterministic));
    if (encoder.dimension > 0)
        add(facts, "dimension", std::to_string(encoder.dimension));
    add(facts, "fingerprint", encoder.fingerprint);
    return facts;
}

Facts about_data(const Results& results)
{
    std::set<std::pair<std::string, std::string>> files;
    for (const results::Cell* cell : results.cells())
        for (const auto& [file, fingerprint] : cell->result.data.files.items())
            files.emplace(file, plain(fingerprint));
    return {files.begin(), files.end()};
}

void methods(const compare::Comparison& comparison, std::string& out)
{
    const auto& options = comparison.options;
    append(out,
           "<h3>Methods</h3><p class=\"explain\">{} {} Level 5 % for all comparisons of a task "
           "together. Intervals of scores: Wilson's for shares, Fisher's for correlations, 95 %. "
           "\"Not significantly different\" is no proof of equality. framework/stats/README.md has "
           "the formulas.</p>",
           options.items_only
               ? "The claim is about the trained classifiers at hand, on new test items."
               : "The claim is about these encoders, trained on this training set, under new seeds "
                 "of the "
                 "classifier and on new test items.",
           options.baseline.empty()
               ? "Student's t, all pairs by the studentised range (Games & Howell 1976)."
               : "Student's t against the baseline (Holm 1979).");
}

} // namespace

void provenance(const Page& page, std::string& out)
{
    if (page.comparison.rows.empty())
        return;
    markup::open_section(out, "provenance", "Methods and provenance", "");
    if (page.comparison.tested)
        methods(page.comparison, out);
    block("Runs", about_runs(page.results), out);
    block("Protocols", about_protocols(page.results), out);
    std::map<std::string, const results::EncoderRecord*> by_fingerprint;
    for (const results::Cell* cell : page.results.cells())
        by_fingerprint.emplace(cell->result.encoder.fingerprint, &cell->result.encoder);
    for (const auto& [fingerprint, encoder] : by_fingerprint)
        block("Encoder " + encoder->label, about_encoder(*encoder), out);
    block("Data files and their fingerprints", about_data(page.results), out);
    out += "</section>";
}

} // namespace senteval::report::sections
