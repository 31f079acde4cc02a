#include "compare/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string plain(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : core::to_text(value);
}

/// "key: value, key: value" of everything below an object, by the last parts of the paths.
std::string flat(const Json& object)
{
    std::string text;
    const Json flattened = object.flatten(); // items() does not keep a temporary alive
    for (const auto& [path, value] : flattened.items())
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", path.substr(path.rfind('/') + 1),
                            plain(value));
    return text;
}

/// The values at a path over all cells that have it, each once.
std::string joined(const Results& results, const char* pointer)
{
    const Json::json_pointer at(pointer);
    std::set<std::string> values;
    for (const run::Cell* cell : results.cells())
        if (cell->document.contains(at))
            values.insert(plain(cell->document.at(at)));
    return fmt::format("{}", fmt::join(values, "; "));
}

void add(Facts& facts, std::string name, std::string value)
{
    if (!value.empty())
        facts.emplace_back(std::move(name), std::move(value));
}

report::Provenance about_runs(const Results& results)
{
    std::vector<std::string> dates;
    for (const run::Cell* cell : results.cells())
        if (cell->document.at("run").contains("date"))
            dates.push_back(text_at(cell->document, "/run/date"));
    std::sort(dates.begin(), dates.end());
    Facts facts;
    add(facts, "results", std::to_string(results.cells().size()));
    add(facts, "program", joined(results, "/program"));
    add(facts, "seeds", joined(results, "/protocol/settings/seed"));
    if (!dates.empty())
        add(facts, "dates",
            dates.front() == dates.back() ? dates.front() : dates.front() + " to " + dates.back());
    add(facts, "machines", joined(results, "/run/machine"));
    add(facts, "threads", joined(results, "/run/threads"));
    add(facts, "imported from", joined(results, "/imported/file"));
    return {"Runs", std::move(facts)};
}

report::Provenance about_protocols(const Results& results)
{
    Facts facts;
    for (const std::string& task : results.tasks()) {
        std::set<std::pair<std::string, std::string>> seen;
        for (const run::Cell* cell : results.cells()) {
            if (text_at(cell->document, "/task/name") != task)
                continue;
            Json settings = cell->document.at("protocol").value("settings", Json::object());
            settings.erase("seed");
            const auto& protocol = cell->document.at("protocol");
            if (seen.emplace(plain(protocol.value("version", Json())), flat(settings)).second)
                add(facts, task,
                    fmt::format("version {}, {}", plain(protocol.value("version", Json(0))),
                                flat(settings)));
        }
    }
    return {"Protocols", std::move(facts)};
}

report::Provenance about_encoder(const Json& encoder)
{
    Facts facts;
    add(facts, "encoder", plain(encoder.at("id")));
    add(facts, "version", encoder.value("version", ""));
    for (const char* member : {"parameters", "files", "capabilities"})
        if (encoder.contains(member) && !encoder.at(member).empty())
            add(facts, member, flat(encoder.at(member)));
    if (encoder.contains("dimension"))
        add(facts, "dimension", plain(encoder.at("dimension")));
    add(facts, "fingerprint", plain(encoder.at("fingerprint")));
    return {"Encoder " + plain(encoder.at("label")), std::move(facts)};
}

report::Provenance about_data(const Results& results)
{
    std::set<std::pair<std::string, std::string>> files;
    for (const run::Cell* cell : results.cells())
        for (const auto& [file, fingerprint] : cell->document.at("data").at("files").items())
            files.emplace(file, plain(fingerprint));
    return {"Data files and their fingerprints", Facts(files.begin(), files.end())};
}

} // namespace

std::vector<report::Provenance> provenance(const Results& results)
{
    std::vector<report::Provenance> all = {about_runs(results), about_protocols(results)};
    std::set<std::string> seen;
    for (const run::Cell* cell : results.cells())
        if (seen.insert(text_at(cell->document, "/encoder/fingerprint")).second)
            all.push_back(about_encoder(cell->document.at("encoder")));
    if (auto data = about_data(results); !data.facts.empty())
        all.push_back(std::move(data));
    return all;
}

} // namespace senteval::compare
