#include "data/manifest.hpp"

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "data/conversions.hpp"

#include <algorithm>

namespace senteval::data {
namespace {

bool same_name(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, core::ascii_lower, core::ascii_lower);
}

bool answers_to(const Dataset& dataset, std::string_view name)
{
    return same_name(name, "all") || same_name(name, dataset.name) ||
           same_name(name, dataset.group) ||
           std::ranges::any_of(dataset.tasks,
                               [&](const std::string& task) { return same_name(name, task); });
}

std::vector<std::string> all_names(const Manifest& manifest)
{
    std::vector<std::string> names{"all"};
    for (const Dataset& dataset : manifest.datasets) {
        names.push_back(dataset.name);
        names.push_back(dataset.group);
        names.insert(names.end(), dataset.tasks.begin(), dataset.tasks.end());
    }
    return names;
}

} // namespace

std::string Source::mirror_path() const
{
    const std::size_t scheme = url.find("://");
    return scheme == std::string::npos ? url : url.substr(scheme + 3);
}

const Original& Dataset::original(std::string_view original_name) const
{
    const auto found = std::ranges::find(originals, original_name, &Original::name);
    if (found == originals.end())
        throw core::UsageError("dataset {} has no original '{}'", name, original_name);
    return *found;
}

std::vector<const Dataset*> Manifest::select(const std::vector<std::string>& names) const
{
    for (const std::string& name : names)
        if (!same_name(name, "all") &&
            std::ranges::none_of(datasets, [&](const Dataset& d) { return answers_to(d, name); }))
            throw core::UsageError("there is no dataset '{}'.{} 'senteval data list' names them",
                                   name, core::did_you_mean(name, all_names(*this)));
    std::vector<const Dataset*> chosen;
    for (const Dataset& dataset : datasets)
        if (std::ranges::any_of(names, [&](const auto& name) { return answers_to(dataset, name); }))
            chosen.push_back(&dataset);
    return chosen;
}

const Dataset* Manifest::for_task(std::string_view task) const
{
    for (const Dataset& dataset : datasets)
        if (std::ranges::find(dataset.tasks, task) != dataset.tasks.end())
            return &dataset;
    return nullptr;
}

} // namespace senteval::data
