#include "tasks/custom/hub_files.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// Lists and mappings by their indentation.
class BlockReader {
public:
    BlockReader(std::string_view yaml, std::string name) : name_(std::move(name))
    {
        std::istringstream text{std::string(yaml)};
        std::size_t number = 0;
        for (std::string line; std::getline(text, line);) {
            ++number;
            const std::string_view inside = base::strip(line);
            if (!inside.empty() && !inside.starts_with('#'))
                lines_.push_back({line.find_first_not_of(' '), std::string(inside), number});
        }
    }

    /// The value of a key of the outermost mapping; null where there is none.
    Json value_of(const std::string& key)
    {
        for (at_ = 0; at_ < lines_.size(); ++at_)
            if (lines_[at_].indent == 0 && lines_[at_].text == key + ":") {
                ++at_;
                return block(0);
            }
        return {};
    }

private:
    struct Line {
        std::size_t indent;
        std::string text;
        std::size_t number;
    };

    [[noreturn]] void fail() const
    {
        throw base::UsageError("{}:{}: '{}' is not understood: write the configs in block style, "
                               "as 'datasets' does",
                               name_, lines_[at_].number, lines_[at_].text);
    }

    [[nodiscard]] bool is_item() const { return lines_[at_].text.starts_with("- "); }

    /// What is indented by at least `least`, a list or a mapping; an empty text where there is nothing.
    Json block(std::size_t least)
    {
        if (at_ == lines_.size() || lines_[at_].indent < least ||
            (lines_[at_].indent == least && !is_item()))
            return "";
        return is_item() ? list(lines_[at_].indent) : mapping(lines_[at_].indent);
    }

    Json list(std::size_t indent)
    {
        Json all = Json::array();
        while (at_ < lines_.size() && lines_[at_].indent == indent && is_item()) {
            Line& line = lines_[at_]; // its text begins a mapping, or is all
            const std::size_t start = line.text.find_first_not_of(' ', 1);
            line.text.erase(0, start);
            line.indent += start;
            if (key_of(line.text)) {
                all.push_back(mapping(line.indent));
                continue;
            }
            all.push_back(scalar(line.text));
            ++at_;
        }
        return all;
    }

    Json mapping(std::size_t indent)
    {
        Json all = Json::object();
        while (at_ < lines_.size() && lines_[at_].indent == indent && !is_item()) {
            const auto key = key_of(lines_[at_].text);
            if (!key)
                fail();
            const std::string_view rest =
                base::strip(std::string_view(lines_[at_].text).substr(key->size() + 1));
            Json value = rest.empty() ? Json() : scalar(rest);
            ++at_;
            all[*key] = rest.empty() ? block(indent) : std::move(value);
        }
        if (at_ < lines_.size() && lines_[at_].indent > indent)
            fail();
        return all;
    }

    static std::optional<std::string> key_of(const std::string& text)
    {
        const std::size_t colon = text.find(':');
        const bool is_plain =
            std::string_view("\"'[{").find(text.front()) == std::string_view::npos;
        const bool is_key =
            is_plain && colon != text.npos && (colon + 1 == text.size() || text[colon + 1] == ' ');
        return is_key ? std::optional(text.substr(0, colon)) : std::nullopt;
    }

    Json scalar(std::string_view text) const
    {
        const char mark = text.front();
        if (mark == '"' || mark == '\'') {
            if (text.size() < 2 || text.back() != mark || text.find('\\') != text.npos)
                fail();
            return text.substr(1, text.size() - 2);
        }
        if (std::string_view("[{&*!|>%@`").find(mark) != std::string_view::npos &&
            !text.starts_with("*"))
            fail();
        return text;
    }

    std::string name_;
    std::vector<Line> lines_;
    std::size_t at_ = 0;
};

/// Files below the folder that a pattern with '*' means, by name.
std::vector<std::string> matching(const fs::path& folder, const std::string& pattern)
{
    std::vector<std::string> found;
    if (pattern.find('*') == pattern.npos)
        return fs::is_regular_file(folder / pattern) ? std::vector{pattern} : found;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error))
        if (const std::string name = fs::relative(entry.path(), folder).generic_string();
            entry.is_regular_file() && base::matches(name, pattern))
            found.push_back(name);
    std::ranges::sort(found);
    return found;
}

std::vector<std::string> texts_in(const Json& one_or_several)
{
    return one_or_several.is_array() ? one_or_several.get<std::vector<std::string>>()
                                     : std::vector{one_or_several.get<std::string>()};
}

/// The patterns of a split of a config; of a split "" of its first.
std::vector<std::string> patterns_of(const Json& config, const std::string& split)
{
    const Json files = config.value("data_files", Json());
    const bool has_splits = files.is_array() && !files.empty() && files.front().is_object();
    if (!has_splits) // then they are the split train
        return files.is_null() || !(split.empty() || split == "train") ? std::vector<std::string>()
                                                                       : texts_in(files);
    for (const Json& one : files)
        if (split.empty() || one.at("split") == split)
            return texts_in(one.at("path"));
    return {};
}

/// What a split is called.
std::vector<std::string> names_of(const std::string& stem)
{
    if (stem == "test")
        return {"test", "eval", "evaluation", "testing"};
    if (stem == "validation")
        return {"validation", "valid", "val", "dev"};
    return {stem};
}

} // namespace

Json configs_in(std::string_view readme, const std::string& name)
{
    constexpr std::string_view rule = "---\n";
    if (!readme.starts_with(rule))
        return {};
    const std::size_t end = readme.find("\n---", rule.size() - 1);
    return end == readme.npos ? Json()
                              : BlockReader(readme.substr(0, end), name).value_of("configs");
}

HubFiles::HubFiles(fs::path folder) : folder_(std::move(folder))
{
    std::ifstream file(folder_ / "README.md");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::erase(text, '\r');
    if (constexpr std::string_view mark = "\xef\xbb\xbf"; text.starts_with(mark))
        text.erase(0, mark.size());
    const std::string name = (folder_ / "README.md").string();
    const Json configs = configs_in(text, name);
    try {
        for (const Json& config : configs.is_array() ? configs : Json::array()) {
            configs_[config.at("config_name").get<std::string>()] = config;
            if (config.value("default", "") == "true")
                configs_["default"] = config;
            (void)patterns_of(config, "no split");
        }
    } catch (const Json::exception& e) {
        throw base::UsageError("{}: configs: {}", name, e.what());
    }
}

std::vector<std::string> HubFiles::configs() const
{
    std::vector<std::string> names;
    for (const auto& [name, config] : configs_.items())
        names.push_back(name);
    return names;
}

std::string HubFiles::in(const std::string& config, const std::string& split) const
{
    if (!has(config))
        return {};
    std::vector<std::string> found;
    for (const std::string& pattern : patterns_of(configs_[config], split)) {
        auto files = matching(folder_, pattern);
        if (files.empty())
            throw base::UsageError("{}: '{}', of the config '{}', is no file below the folder. "
                                   "Understood are names, and '*' in them",
                                   (folder_ / "README.md").string(), pattern, config);
        std::ranges::move(files, std::back_inserter(found));
    }
    if (found.empty())
        return {};
    const std::size_t at = found.front().find("-of-");
    const std::string shards = at == std::string::npos ? "" : found.front().substr(at);
    const int all = shards.empty() ? 1 : std::max(1, std::atoi(shards.c_str() + 4));
    if (found.size() != static_cast<std::size_t>(all) ||
        !std::ranges::all_of(found, [&](const auto& file) { return file.ends_with(shards); }))
        throw base::UsageError("{}: the config '{}' takes {} for '{}': it is to be one, or all "
                               "shards of one ('{}' of {})",
                               (folder_ / "README.md").string(), config,
                               base::counted(found.size(), "file"), split, found.front(), all);
    return found.front();
}

std::string HubFiles::shards(const std::string& inside, const std::string& split) const
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / inside, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(split.empty() ? split : split + "-") &&
            name.find("-00000-of-") != name.npos && name.ends_with(".parquet"))
            return (fs::path(inside) / name).string();
    }
    return {};
}

std::string HubFiles::called(const std::string& stem) const
{
    for (const std::string& name : names_of(stem)) {
        for (const char* inside : {"", "data/"})
            for (const std::string_view ending :
                 {".jsonl", ".jsonl.gz", ".json", ".tsv", ".tsv.gz", ".csv", ".csv.gz", ".parquet"})
                if (std::string file = inside + name + std::string(ending);
                    fs::is_regular_file(folder_ / file))
                    return file;
        for (const char* inside : {"", "data", "default"})
            if (std::string first = shards(inside, name); !first.empty())
                return first;
    }
    return {};
}

} // namespace senteval::tasks
