#include "data/manifest.hpp"

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/names.hpp"
#include "core/table.hpp"
#include "data/conversions.hpp"
#include "data/manifest_text.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace senteval::data {
namespace {

bool same_name(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, base::ascii_lower, base::ascii_lower);
}

bool answers_to(const Dataset& dataset, std::string_view name)
{
    return same_name(name, "all") || same_name(name, dataset.name) ||
           same_name(name, dataset.group) ||
           (dataset.group == "mteb" && same_name(name, "modern")) || // an older name of the group
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
        throw base::UsageError("dataset {} has no original '{}'", name, original_name);
    return *found;
}

std::vector<const Dataset*> Manifest::select(const std::vector<std::string>& names) const
{
    for (const std::string& name : names)
        if (!same_name(name, "all") &&
            std::ranges::none_of(datasets, [&](const Dataset& d) { return answers_to(d, name); }))
            throw base::UsageError("there is no dataset '{}'.{} 'senteval data list' names them",
                                   name, base::did_you_mean(name, all_names(*this)));
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

namespace {

using core::Table;
using core::Value;

std::uint64_t count_of(const Value& value)
{
    const std::int64_t number = value.integer();
    if (number < 0)
        value.refuse("0 or more");
    return static_cast<std::uint64_t>(number);
}

/// 0 where there is none.
std::uint64_t count_of(const Table& table, std::string_view key)
{
    const Value* value = table.find(key);
    return value == nullptr ? 0 : count_of(*value);
}

/// Empty where there is none.
std::string checksum_of(const Table& table)
{
    std::string digits = table.text("sha256");
    const bool hexadecimal = std::ranges::all_of(digits, base::is_hexadecimal);
    if (!digits.empty() && (digits.size() != 64 || !hexadecimal))
        table.find("sha256")->refuse("64 hexadecimal digits");
    return digits;
}

Source parse_source(const Table& table, const std::string& text)
{
    const std::size_t hash = text.find('#');
    Source source{text.substr(0, hash), hash == std::string::npos ? "" : text.substr(hash + 1)};
    if (!source.url.starts_with("https://") && !source.url.starts_with("http://"))
        table.fail("source '{}' is neither http nor https", text);
    const std::string path = '/' + source.mirror_path() + '/';
    if (path.find("/../") != std::string::npos)
        table.fail("source '{}' climbs out of its folder", text);
    return source;
}

Original parse_original(const Table& table)
{
    table.allow_only({"name", "bytes", "sha256", "sources", "at_most"}, "key of an original");
    Original original;
    original.name = table.required("name").string();
    original.bytes = count_of(table, "bytes");
    original.sha256 = checksum_of(table);
    if (table.find("at_most") != nullptr)
        original.at_most = count_of(table, "at_most");
    for (const std::string& source : table.texts("sources"))
        original.sources.push_back(parse_source(table, source));
    return original;
}

Recipe parse_recipe(const Table& table, const Dataset& dataset)
{
    Recipe recipe{"as-is", table.texts("from"), false};
    if (const Value* conversion = table.find("conversion"))
        recipe.conversion = conversion->string();
    if (const Value* prepared = table.find("prepared"))
        recipe.prepared = prepared->boolean();
    if (!is_conversion(recipe.conversion))
        table.fail("there is no conversion '{}'", recipe.conversion);
    if (recipe.from.empty())
        table.fail("'from' names no original");
    for (const std::string& name : recipe.from)
        if (std::ranges::find(dataset.originals, name, &Original::name) == dataset.originals.end())
            table.fail("dataset {} has no original '{}'", dataset.name, name);
    return recipe;
}

Encoding parse_encoding(const Table& table)
{
    const std::string name = table.text("encoding");
    if (name == "latin-1")
        return Encoding::latin1;
    if (!name.empty() && name != "utf-8")
        table.find("encoding")->refuse("\"utf-8\" or \"latin-1\"");
    return Encoding::utf8;
}

std::string parse_path(const Table& table)
{
    std::string path = table.required("path").string();
    if (path.empty() || path.front() == '/' || ('/' + path + '/').find("/../") != std::string::npos)
        table.fail("path '{}' is not below the data folder", path);
    return path;
}

File parse_file(const Table& table, const Dataset& dataset)
{
    table.allow_only({"path", "encoding", "lines", "least_lines", "bytes", "sha256", "aligned_with",
                      "labels", "conversion", "from", "prepared", "or"},
                     "key of a file");
    File file;
    file.path = parse_path(table);
    file.encoding = parse_encoding(table);
    file.lines = count_of(table, "lines");
    file.least_lines = count_of(table, "least_lines");
    file.bytes = count_of(table, "bytes");
    file.sha256 = checksum_of(table);
    file.aligned_with = table.text("aligned_with");
    if (const Table* labels = table.table("labels"))
        for (const Value& label : labels->values())
            file.labels[label.key()] = count_of(label);
    file.recipes.push_back(parse_recipe(table, dataset));
    for (const Table& other : table.tables("or")) {
        other.allow_only({"conversion", "from", "prepared"}, "key of another way to make a file");
        file.recipes.push_back(parse_recipe(other, dataset));
    }
    return file;
}

Dataset parse_dataset(const Table& table)
{
    table.allow_only({"name", "group", "tasks", "title", "licence", "citation", "empty", "note",
                      "original", "file"},
                     "key of a dataset");
    Dataset dataset;
    dataset.name = table.required("name").string();
    dataset.group = table.required("group").string();
    dataset.tasks = table.texts("tasks");
    dataset.title = table.text("title");
    dataset.licence = table.required("licence").string();
    dataset.citation = table.text("citation");
    dataset.empty = count_of(table, "empty");
    dataset.note = table.text("note");
    for (const Table& original : table.tables("original"))
        dataset.originals.push_back(parse_original(original));
    for (const Table& file : table.tables("file"))
        dataset.files.push_back(parse_file(file, dataset));
    return dataset;
}

Manifest manifest_of(const Table& root)
{
    root.allow_only({"data_warning", "archive", "dataset"}, "section");
    Manifest manifest;
    manifest.data_warning = root.text("data_warning");
    for (const Table& table : root.tables("archive")) {
        table.allow_only({"url", "bytes", "sha256"}, "key of an archive");
        manifest.archives.push_back(
            {table.required("url").string(), count_of(table, "bytes"), checksum_of(table)});
    }
    std::set<std::string> names;
    for (const Table& table : root.tables("dataset")) {
        manifest.datasets.push_back(parse_dataset(table));
        if (!names.insert(manifest.datasets.back().name).second)
            table.fail("dataset '{}' is listed twice", manifest.datasets.back().name);
    }
    return manifest;
}

} // namespace

Manifest parse_manifest(std::string_view toml, std::string_view name)
{
    return manifest_of(Table::parse(toml, std::string(name)));
}

const Manifest& builtin_manifest()
{
    static const Manifest manifest = parse_manifest(manifest_text, "data/manifest.toml");
    return manifest;
}

Manifest manifest_for(const std::filesystem::path& data)
{
    const auto own = data / "manifest.toml";
    return !data.empty() && std::filesystem::is_regular_file(own) ? manifest_of(Table::read(own))
                                                                  : builtin_manifest();
}

} // namespace senteval::data
