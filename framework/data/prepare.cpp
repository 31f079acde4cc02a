#include "data/prepare.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "data/inspect.hpp"
#include "data/originals.hpp"

#include <algorithm>
#include <optional>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

/// A recipe and the places of all its originals.
struct Chosen {
    const Recipe* recipe;
    std::vector<const Original*> originals;
    std::vector<Location> locations;
};

std::optional<Chosen> choose(const Dataset& dataset,
                             const File& file,
                             const Originals& originals,
                             Wording wording,
                             std::vector<std::string>& rejected)
{
    for (const Recipe& recipe : file.recipes) {
        if (recipe.prepared && wording == Wording::original)
            continue;
        Chosen chosen{&recipe, {}, {}};
        for (const std::string& name : recipe.from) {
            const Original& original = dataset.original(name);
            if (auto location = originals.find(original, &rejected)) {
                chosen.originals.push_back(&original);
                chosen.locations.push_back(*std::move(location));
            }
        }
        if (chosen.locations.size() == recipe.from.size())
            return chosen;
    }
    return std::nullopt;
}

void produce(const Chosen& chosen, Wording wording, base::Replacement& staged)
{
    if (chosen.recipe->conversion == "as-is") {
        read_original(chosen.locations.front(), *chosen.originals.front(),
                      [&](std::string_view piece) { staged.write(piece); });
    } else {
        std::vector<std::string> originals;
        for (std::size_t i = 0; i < chosen.locations.size(); ++i)
            originals.push_back(read_original(chosen.locations[i], *chosen.originals[i]));
        staged.write(convert(chosen.recipe->conversion, originals, wording));
    }
}

std::string missing_originals(const File& file, const std::vector<std::string>& rejected)
{
    if (rejected.empty())
        return fmt::format("no original '{}' found",
                           fmt::join(file.recipes.front().from, "' and '"));
    return fmt::format("{}", fmt::join(rejected, "; "));
}

std::string problems_of(const std::vector<Finding>& findings)
{
    std::string text;
    for (const Finding& finding : findings)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", finding.problem, finding.meaning);
    return text;
}

Prepared make(const PrepareRequest& request,
              const Originals& originals,
              const Dataset& dataset,
              const File& file)
{
    Prepared result{dataset.name, file.path, Outcome::missing, ""};
    if (request.wording == Wording::prepared && inspect_file(request.to, dataset, file).empty()) {
        result.outcome = Outcome::present;
        return result;
    }
    std::vector<std::string> rejected;
    const auto chosen = choose(dataset, file, originals, request.wording, rejected);
    if (!chosen) {
        result.detail = missing_originals(file, rejected);
        return result;
    }
    base::Replacement staged(request.to / file.path);
    produce(*chosen, request.wording, staged);
    const auto findings = inspect_file(request.to, dataset, file, staged.temporary());
    if (has_errors(findings)) {
        result.outcome = Outcome::refused;
        result.detail = problems_of(findings);
        return result;
    }
    staged.commit();
    const bool expected = findings.empty() || request.wording == Wording::original;
    result.outcome = expected ? Outcome::written : Outcome::unusual;
    if (!expected)
        result.detail = problems_of(findings);
    return result;
}

} // namespace

std::vector<Prepared> prepare(const PrepareRequest& request)
{
    const Originals originals(request.from);
    std::vector<std::pair<const Dataset*, const File*>> jobs;
    for (const Dataset* dataset : request.datasets)
        for (const File& file : dataset->files)
            jobs.emplace_back(dataset, &file);

    std::vector<Prepared> results(jobs.size());
    base::parallel_for(jobs.size(), request.threads, [&](std::size_t i) {
        const auto [dataset, file] = jobs[i];
        try {
            results[i] = make(request, originals, *dataset, *file);
        } catch (const base::Error& error) {
            results[i] = {dataset->name, file->path, Outcome::refused, error.what()};
        }
    });
    return results;
}

} // namespace senteval::data
