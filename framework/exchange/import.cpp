#include "exchange/import.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace senteval::exchange {
namespace {

using base::Json;

/// Puts null in the place of the words that Python writes and JSON does not know.
std::string without_bare_words(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words = {"-Infinity", "Infinity", "NaN"};
    std::string out;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size();) {
        const auto word = std::find_if(words.begin(), words.end(), [&](std::string_view w) {
            return text.substr(at).starts_with(w);
        });
        if (!in_string && word != words.end()) {
            out += "null";
            at += word->size();
            continue;
        }
        if (in_string && text[at] == '\\' && at + 1 < text.size())
            out += text[at++];
        else if (text[at] == '"')
            in_string = !in_string;
        out += text[at++];
    }
    return out;
}

bool is_correlation(const std::string& key)
{
    return key == "pearson" || key == "spearman";
}

/// The metrics in this program's nesting.
Json converted(const Json& metrics)
{
    Json result = Json::object();
    for (const auto& [key, value] : metrics.items()) {
        if (value.is_object()) {
            result[key] = converted(value);
        } else if (value.is_array() && is_correlation(key) && value.size() == 2) {
            result[key] = value[0];
            result[key + "_p"] = value[1];
        } else if (!value.is_array()) {
            result[key] = value;
        }
    }
    return result;
}

/// ImageCaptionRetrieval: "acc" is [[r1, r5, r10, median], [...]], images to captions and back.
void name_recalls(const Json& original, Json& metrics)
{
    const auto acc = original.find("acc");
    if (acc == original.end() || !acc->is_array() || acc->size() != 2)
        return;
    constexpr std::array<const char*, 4> names = {"r1", "r5", "r10", "median_rank"};
    constexpr std::array<const char*, 2> directions = {"image_to_text", "text_to_image"};
    for (std::size_t way = 0; way < directions.size(); ++way)
        for (std::size_t i = 0; i < names.size() && i < (*acc)[way].size(); ++i)
            metrics[directions[way]][names[i]] = (*acc)[way][i];
}

/// The SentEval of SimCSE evaluates STSBenchmark and SICKRelatedness untrained: {train, dev, test, all}.
bool is_untrained(const Json& original)
{
    return !original.contains("pearson") &&
           std::ranges::any_of(std::array{"train", "dev", "test", "all"},
                               [&](const char* part) { return original.contains(part); });
}

/// Metrics by part, as this program's untrained task has them.
Json by_part(const Json& metrics)
{
    Json result = Json::object();
    const std::pair<const char*, const char*> parts[] = {{"dev", "dev"}, {"test", ""}};
    for (const auto& [part, prefix] : parts) {
        const Json of = metrics.value(part, Json::object());
        for (const auto& [key, value] : of.items())
            result[key == "nsamples" ? fmt::format("n{}", part) : prefix + key] = value;
    }
    return result;
}

/// Numbers that are no metrics have their ranges, too: those of the dev part, of subsets, and counts of items, which are
/// whole numbers.
void require_possible(const Json& metrics, const std::string& task, const std::string& path = "")
{
    struct Range {
        std::string_view key;
        double least;
        double most;
        bool is_count = false;
    };
    constexpr double most_items = 1e12;
    constexpr Range ranges[] = {{"acc", 0, 100},
                                {"devacc", 0, 100},
                                {"pearson", -1, 1},
                                {"spearman", -1, 1},
                                {"devpearson", -1, 1},
                                {"ndev", 0, most_items, true},
                                {"ntest", 0, most_items, true},
                                {"nsamples", 0, most_items, true}};
    for (const auto& [key, value] : metrics.items()) {
        const std::string here = path.empty() ? key : fmt::format("{}.{}", path, key);
        if (value.is_object())
            require_possible(value, task, here);
        const auto* const range =
            std::find_if(std::begin(ranges), std::end(ranges),
                         [&, &key = key](const Range& r) { return key == r.key; });
        if (range == std::end(ranges) || !value.is_number())
            continue;
        const auto number = value.get<double>();
        if (!(number >= range->least && number <= range->most))
            throw base::UsageError("{} has {} {}: it must be {} to {}", task, here, number,
                                   range->least, range->most);
        if (key == "acc" && number > 0 && number <= 1)
            throw base::UsageError(
                "{} has {} {}: SentEval writes accuracies in per cent, from 0 to "
                "100. Multiply them by 100",
                task, here, number);
        if (range->is_count && number != std::floor(number))
            throw base::UsageError("{} has {} {}: it must be a whole number", task, here, number);
    }
}

results::Cell cell_of(const results::TaskRecord& task,
                      const Json& original,
                      const std::string& label,
                      const std::string& name,
                      std::string_view content)
{
    Json metrics = converted(original);
    if (task.name.ends_with("Unsupervised") && is_untrained(original))
        metrics = by_part(metrics);
    name_recalls(original, metrics);
    return imported(task, std::move(metrics), label, name, content);
}

} // namespace

Json parse_results(std::string_view text, const std::string& name)
{
    Json parsed;
    try {
        parsed = base::parse_json(without_bare_words(text));
    } catch (const base::Error& e) {
        throw base::UsageError(
            "'{}' is not JSON that can be read ({}): save the dictionary of "
            "results with Python's json.dump(results, file, default=lambda x: x.tolist())",
            name, e.what());
    }
    if (!parsed.is_object())
        throw base::UsageError("'{}' has no dictionary of results by task", name);
    return parsed;
}

results::Cell imported(const results::TaskRecord& task,
                       Json metrics,
                       const std::string& label,
                       const std::string& name,
                       std::string_view content)
{
    results::Cell cell;
    results::Result& result = cell.result;
    result.schema = results::imported_schema;
    result.program = "imported";
    result.imported = {name, base::fingerprint(content)};
    result.encoder.label = label;
    result.encoder.id = "imported";
    result.encoder.fingerprint = base::fingerprint("imported encoder " + label); // by that alone
    result.task = task;
    result.task.protocol = "imported";
    result.protocol = {0, {{"protocol", "imported"}}, base::fingerprint("imported " + task.name)};
    result.metrics = std::move(metrics);
    cell.items.outcomes.kind = "score";
    cell.items.outcomes.groups = {""};
    try {
        results::require_possible(result);
    } catch (const base::Error& e) {
        throw base::UsageError("'{}': {}", name, e.what());
    }
    return cell;
}

std::vector<results::Cell> import_results(std::string_view text,
                                          const std::string& name,
                                          const std::string& label,
                                          std::span<const results::TaskRecord> tasks,
                                          std::vector<std::string>& problems)
{
    const Json results = parse_results(text, name);
    std::vector<std::string> known;
    for (const results::TaskRecord& task : tasks)
        known.push_back(task.name);
    std::vector<results::Cell> cells;
    for (const auto& [key, original] : results.items()) {
        auto at = std::ranges::find(known, key + "Unsupervised");
        if (at == known.end() || !original.is_object() || !is_untrained(original))
            at = std::ranges::find(known, key);
        if (at == known.end()) {
            problems.push_back(fmt::format("'{}' of '{}' is no known task and is left out.{}", key,
                                           name, base::did_you_mean(key, known)));
            continue;
        }
        const results::TaskRecord& task = tasks[static_cast<std::size_t>(at - known.begin())];
        if (!original.is_object()) {
            problems.push_back(fmt::format("{} of '{}' has no metrics and is left out", key, name));
            continue;
        }
        results::Cell cell = cell_of(task, original, label, name, text);
        require_possible(cell.result.metrics, fmt::format("{} of '{}'", key, name));
        if (!cell.result.headline()) {
            const bool lacks_test = task.name != key && !original.contains("test");
            problems.push_back(
                fmt::format("{} of '{}' has no {} and is left out", key, name,
                            lacks_test ? "part 'test'" : "number for '" + task.headline + "'"));
            continue;
        }
        cells.push_back(std::move(cell));
    }
    if (cells.empty())
        throw base::UsageError("'{}' has no result that can be used", name);
    return cells;
}

} // namespace senteval::exchange
