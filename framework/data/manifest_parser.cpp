// The one place that sees toml++.
#include "core/error.hpp"
#include "core/files.hpp"
#include "data/conversions.hpp"
#include "data/manifest.hpp"
#include "data/manifest_text.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>
#include <set>

namespace senteval::data {
namespace {

/// Reads the keys of one table, and complains at the line where something is wrong.
class Reader {
public:
    Reader(const toml::table& table, std::string_view name) : table_(table), name_(name) {}

    [[noreturn]] void fail(const toml::node& where, std::string_view problem) const
    {
        throw core::UsageError("{}:{}: {}", name_, where.source().begin.line, problem);
    }

    [[noreturn]] void fail(std::string_view problem) const { fail(table_, problem); }

    [[nodiscard]] std::string text(std::string_view key, std::string fallback = {}) const
    {
        return value<std::string>(key, std::move(fallback), "text");
    }

    [[nodiscard]] std::string required(std::string_view key) const
    {
        if (!table_.contains(key))
            fail(fmt::format("'{}' is missing", key));
        return text(key);
    }

    [[nodiscard]] std::uint64_t count(std::string_view key) const
    {
        const auto number = value<std::int64_t>(key, 0, "a number");
        if (number < 0)
            fail(*table_.get(key), fmt::format("'{}' is negative", key));
        return static_cast<std::uint64_t>(number);
    }

    [[nodiscard]] bool flag(std::string_view key) const
    {
        return value(key, false, "true or false");
    }

    [[nodiscard]] std::string checksum(std::string_view key) const
    {
        std::string digits = text(key);
        const bool hexadecimal =
            std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
        if (!digits.empty() && (digits.size() != 64 || !hexadecimal))
            fail(*table_.get(key), fmt::format("'{}' is not 64 hexadecimal digits", key));
        return digits;
    }

    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const
    {
        std::vector<std::string> result;
        for (const toml::node& element : elements(key)) {
            const auto item = element.value_exact<std::string>();
            if (!item)
                fail(element, fmt::format("'{}' holds something that is not text", key));
            result.push_back(*item);
        }
        return result;
    }

    [[nodiscard]] std::vector<Reader> tables(std::string_view key) const
    {
        std::vector<Reader> result;
        for (const toml::node& element : elements(key)) {
            if (!element.is_table())
                fail(element, fmt::format("'{}' holds something that is not a table", key));
            result.emplace_back(*element.as_table(), name_);
        }
        return result;
    }

    [[nodiscard]] std::map<std::string, std::uint64_t> counts(std::string_view key) const
    {
        std::map<std::string, std::uint64_t> result;
        const toml::node* node = table_.get(key);
        if (node == nullptr)
            return result;
        if (!node->is_table())
            fail(*node, fmt::format("'{}' is not a table", key));
        const Reader inner(*node->as_table(), name_);
        for (const auto& [label, ignored] : *node->as_table())
            result[std::string(label.str())] = inner.count(label.str());
        return result;
    }

    template <typename Enum>
    [[nodiscard]] Enum
    choice(std::string_view key,
           std::initializer_list<std::pair<std::string_view, Enum>> choices) const
    {
        if (!table_.contains(key))
            return choices.begin()->second;
        const std::string chosen = text(key);
        for (const auto& [choice_name, result] : choices)
            if (chosen == choice_name)
                return result;
        fail(*table_.get(key), fmt::format("'{}' cannot be '{}'", key, chosen));
    }

    void allow_only(std::initializer_list<std::string_view> keys) const
    {
        for (const auto& [key, node] : table_)
            if (std::ranges::find(keys, key.str()) == keys.end())
                fail(node, fmt::format("unknown key '{}'", key.str()));
    }

private:
    template <typename T>
    [[nodiscard]] T value(std::string_view key, T fallback, std::string_view what) const
    {
        const toml::node* node = table_.get(key);
        if (node == nullptr)
            return fallback;
        auto result = node->value_exact<T>();
        if (!result)
            fail(*node, fmt::format("'{}' is not {}", key, what));
        return *std::move(result);
    }

    [[nodiscard]] const toml::array& elements(std::string_view key) const
    {
        static const toml::array none;
        const toml::node* node = table_.get(key);
        if (node == nullptr)
            return none;
        if (!node->is_array())
            fail(*node, fmt::format("'{}' is not an array", key));
        return *node->as_array();
    }

    const toml::table& table_;
    std::string_view name_;
};

Source parse_source(const Reader& reader, const std::string& text)
{
    const std::size_t hash = text.find('#');
    Source source{text.substr(0, hash), hash == std::string::npos ? "" : text.substr(hash + 1)};
    if (!source.url.starts_with("https://") && !source.url.starts_with("http://"))
        reader.fail(fmt::format("source '{}' is neither http nor https", text));
    const std::string path = '/' + source.mirror_path() + '/';
    if (path.find("/../") != std::string::npos)
        reader.fail(fmt::format("source '{}' climbs out of its folder", text));
    return source;
}

Original parse_original(const Reader& reader)
{
    reader.allow_only({"name", "bytes", "sha256", "sources"});
    Original original{
        reader.required("name"), reader.count("bytes"), reader.checksum("sha256"), {}};
    for (const std::string& source : reader.texts("sources"))
        original.sources.push_back(parse_source(reader, source));
    return original;
}

Recipe parse_recipe(const Reader& reader, const Dataset& dataset)
{
    Recipe recipe{reader.text("conversion", "as-is"), reader.texts("from"),
                  reader.flag("prepared")};
    if (!is_conversion(recipe.conversion))
        reader.fail(fmt::format("there is no conversion '{}'", recipe.conversion));
    if (recipe.from.empty())
        reader.fail("'from' names no original");
    for (const std::string& name : recipe.from)
        if (std::ranges::find(dataset.originals, name, &Original::name) == dataset.originals.end())
            reader.fail(fmt::format("dataset {} has no original '{}'", dataset.name, name));
    return recipe;
}

Format parse_format(const Reader& reader)
{
    return reader.choice<Format>("format", {{"text", Format::text},
                                            {"label-last", Format::label_last},
                                            {"label-first", Format::label_first},
                                            {"trec", Format::trec},
                                            {"mrpc", Format::mrpc},
                                            {"sick", Format::sick},
                                            {"sts-score", Format::sts_score},
                                            {"sts-pair", Format::sts_pair},
                                            {"stsbenchmark", Format::stsbenchmark},
                                            {"label", Format::label},
                                            {"probing", Format::probing}});
}

std::string parse_path(const Reader& reader)
{
    std::string path = reader.required("path");
    if (path.empty() || path.front() == '/' || ('/' + path + '/').find("/../") != std::string::npos)
        reader.fail(fmt::format("path '{}' is not below the data folder", path));
    return path;
}

File parse_file(const Reader& reader, const Dataset& dataset)
{
    reader.allow_only({"path", "format", "encoding", "lines", "bytes", "sha256", "aligned_with",
                       "labels", "conversion", "from", "prepared", "or"});
    File file;
    file.path = parse_path(reader);
    file.format = parse_format(reader);
    file.encoding = reader.choice<Encoding>(
        "encoding", {{"utf-8", Encoding::utf8}, {"latin-1", Encoding::latin1}});
    file.lines = reader.count("lines");
    file.bytes = reader.count("bytes");
    file.sha256 = reader.checksum("sha256");
    file.aligned_with = reader.text("aligned_with");
    file.labels = reader.counts("labels");
    file.recipes.push_back(parse_recipe(reader, dataset));
    for (const Reader& other : reader.tables("or")) {
        other.allow_only({"conversion", "from", "prepared"});
        file.recipes.push_back(parse_recipe(other, dataset));
    }
    return file;
}

Dataset parse_dataset(const Reader& reader)
{
    reader.allow_only(
        {"name", "group", "tasks", "title", "licence", "citation", "note", "original", "file"});
    Dataset dataset;
    dataset.name = reader.required("name");
    dataset.group = reader.required("group");
    dataset.tasks = reader.texts("tasks");
    dataset.title = reader.text("title");
    dataset.licence = reader.required("licence");
    dataset.citation = reader.text("citation");
    dataset.note = reader.text("note");
    for (const Reader& original : reader.tables("original"))
        dataset.originals.push_back(parse_original(original));
    for (const Reader& file : reader.tables("file"))
        dataset.files.push_back(parse_file(file, dataset));
    return dataset;
}

toml::table parse_toml(std::string_view toml, std::string_view name)
{
    try {
        return toml::parse(toml, name);
    } catch (const toml::parse_error& error) {
        throw core::UsageError("{}:{}: {}", name, error.source().begin.line, error.description());
    }
}

} // namespace

Manifest parse_manifest(std::string_view toml, std::string_view name)
{
    const toml::table root = parse_toml(toml, name);
    const Reader reader(root, name);
    reader.allow_only({"archive", "dataset"});
    Manifest manifest;
    for (const Reader& table : reader.tables("archive")) {
        table.allow_only({"url", "bytes", "sha256"});
        manifest.archives.push_back(
            {table.required("url"), table.count("bytes"), table.checksum("sha256")});
    }
    std::set<std::string> names;
    for (const Reader& table : reader.tables("dataset")) {
        manifest.datasets.push_back(parse_dataset(table));
        if (!names.insert(manifest.datasets.back().name).second)
            table.fail(fmt::format("dataset '{}' is listed twice", manifest.datasets.back().name));
    }
    return manifest;
}

const Manifest& builtin_manifest()
{
    static const Manifest manifest = parse_manifest(manifest_text, "data/manifest.toml");
    return manifest;
}

Manifest manifest_for(const std::filesystem::path& data)
{
    const auto own = data / "manifest.toml";
    return std::filesystem::is_regular_file(own)
               ? parse_manifest(core::read_file(own), own.string())
               : builtin_manifest();
}

} // namespace senteval::data
