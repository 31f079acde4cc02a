#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::report {
namespace {

double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of the sample, with n - 1.
double deviation(const std::vector<double>& values)
{
    const double m = mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - m) * (value - m);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

bool is_correlation(const std::string& path)
{
    return path.find("pearson") != std::string::npos || path.find("spearman") != std::string::npos;
}

/// A grid of texts; the first row and the first column are headings.
struct Grid {
    std::vector<std::vector<std::string>> text;
    std::vector<std::vector<bool>> bold;

    [[nodiscard]] std::vector<std::size_t> widths() const
    {
        std::vector<std::size_t> widths(text.front().size());
        for (const auto& line : text)
            for (std::size_t c = 0; c < line.size(); ++c)
                widths[c] = std::max(widths[c], display_width(line[c]));
        return widths;
    }

    [[nodiscard]] std::size_t width() const
    {
        const auto all = widths();
        return std::accumulate(all.begin(), all.end(), std::size_t{0}) + 2 * (all.size() - 1);
    }

    [[nodiscard]] Grid turned() const
    {
        Grid result;
        result.text.resize(text.front().size());
        result.bold.resize(text.front().size());
        for (std::size_t c = 0; c < text.front().size(); ++c)
            for (std::size_t r = 0; r < text.size(); ++r) {
                result.text[c].push_back(text[r][c]);
                result.bold[c].push_back(bold[r][c]);
            }
        return result;
    }
};

Grid grid_of(const Table& table)
{
    Grid grid;
    grid.text.push_back({"encoder"});
    grid.text.back().insert(grid.text.back().end(), table.tasks().begin(), table.tasks().end());
    for (std::size_t e = 0; e < table.encoders().size(); ++e) {
        grid.text.push_back({table.encoders()[e]});
        for (std::size_t t = 0; t < table.tasks().size(); ++t)
            grid.text.back().push_back(table.text(e, t));
    }
    for (std::size_t r = 0; r < grid.text.size(); ++r) {
        grid.bold.emplace_back(grid.text[r].size(), false);
        for (std::size_t c = 1; r > 0 && c < grid.text[r].size(); ++c)
            grid.bold[r][c] = table.entry(r - 1, c - 1).best;
    }
    return grid;
}

std::string padded(const std::string& text, std::size_t width, bool left)
{
    const std::string space(width - std::min(width, display_width(text)), ' ');
    return left ? text + space : space + text;
}

std::string markdown_field(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
}

/// What tells the settings `other` from `first`: "mlp", or "nhid 100, dropout 0.5".
std::string difference(const core::Json& first, const core::Json& other)
{
    const core::Json before = first.flatten();
    const core::Json after = other.flatten();
    std::string text;
    for (const auto& [path, value] : after.items()) {
        if (before.contains(path) && before.at(path) == value)
            continue;
        const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
        if (path == "/classifier/classifier")
            return shown; // the rest follows from it
        text += (text.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1) + " " + shown;
    }
    return text;
}

} // namespace

std::size_t display_width(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0U) != 0x80U; }));
}

std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::optional<double> metric(const core::Json& metrics, const std::string& path)
{
    const core::Json* node = &metrics;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find('.', at), path.size());
        const auto next = node->find(path.substr(at, end - at));
        if (next == node->end())
            return std::nullopt;
        node = &*next;
        at = end + 1;
    }
    if (!node->is_number() || !std::isfinite(node->get<double>()))
        return std::nullopt;
    return node->get<double>();
}

std::string format_metric(double value, const std::string& path)
{
    return is_correlation(path) ? fmt::format("{:.4f}", value) : fmt::format("{:.2f}", value);
}

std::size_t Table::row(const std::string& encoder)
{
    const auto at = std::find(encoders_.begin(), encoders_.end(), encoder);
    const auto number = static_cast<std::size_t>(at - encoders_.begin());
    if (at == encoders_.end()) {
        encoders_.push_back(encoder);
        entries_.emplace_back(tasks_.size());
    }
    return number;
}

std::size_t Table::column(const std::string& task)
{
    const auto at = std::find(tasks_.begin(), tasks_.end(), task);
    const auto number = static_cast<std::size_t>(at - tasks_.begin());
    if (at == tasks_.end()) {
        tasks_.push_back(task);
        headlines_.emplace_back();
        for (auto& line : entries_)
            line.emplace_back();
    }
    return number;
}

std::string Table::row_name(const core::Json& document)
{
    auto label = document.at("encoder").at("label").get<std::string>();
    core::Json settings =
        document.value(core::Json::json_pointer("/protocol/settings"), core::Json::object());
    settings.erase("seed");
    if (const auto projection = settings.find("projection"); projection != settings.end()) {
        label += fmt::format(" @{} {}", projection->at("dimension").get<std::size_t>(),
                             projection->at("kind").get<std::string>());
        settings.erase(projection);
    }
    core::Json& first = settings_[{label, document.at("task").at("name").get<std::string>()}];
    if (first.is_null())
        first = settings;
    return first == settings ? label : label + " (" + difference(first, settings) + ")";
}

void Table::add(const core::Json& document)
{
    const std::size_t r = row(row_name(document));
    const std::size_t c = column(document.at("task").at("name").get<std::string>());
    headlines_[c] = document.at("task").at("headline").get<std::string>();
    if (const auto value = metric(document.at("metrics"), headlines_[c]))
        entries_[r][c].values.push_back(*value);
}

void Table::add_failure(const std::string& encoder, const std::string& task)
{
    const std::size_t r = row(encoder);
    entries_[r][column(task)].failed = true;
}

Entry Table::entry(std::size_t encoder, std::size_t task) const
{
    Entry entry = entries_[encoder][task];
    if (entry.values.empty() || encoders_.size() < 2)
        return entry;
    entry.best = std::none_of(entries_.begin(), entries_.end(), [&](const auto& line) {
        return !line[task].values.empty() && mean(line[task].values) > mean(entry.values);
    });
    return entry;
}

std::string Table::text(std::size_t encoder, std::size_t task) const
{
    const Entry& entry = entries_[encoder][task];
    if (entry.values.empty())
        return entry.failed ? "failed" : "-";
    const std::string shown = format_metric(mean(entry.values), headlines_[task]);
    if (entry.values.size() == 1)
        return shown;
    return shown + " ±" + format_metric(deviation(entry.values), headlines_[task]);
}

std::string to_terminal(const Table& table, TerminalStyle style)
{
    Grid grid = grid_of(table);
    if (grid.width() > style.width && table.tasks().size() > table.encoders().size()) {
        grid.text.front().front() = "task";
        grid = grid.turned();
    }
    const auto widths = grid.widths();
    std::string out;
    for (std::size_t r = 0; r < grid.text.size(); ++r) {
        for (std::size_t c = 0; c < widths.size(); ++c) {
            std::string field = padded(grid.text[r][c], widths[c], c == 0);
            if (style.bold && grid.bold[r][c])
                field = "\x1b[1m" + field + "\x1b[0m";
            out += (c == 0 ? "" : "  ") + field;
        }
        while (out.ends_with(' '))
            out.pop_back();
        out += '\n';
        if (r == 0)
            out += std::string(grid.width(), '-') + '\n';
    }
    return out;
}

std::string to_markdown(const Table& table)
{
    const Grid grid = grid_of(table);
    std::string out;
    for (std::size_t r = 0; r < grid.text.size(); ++r) {
        out += '|';
        for (std::size_t c = 0; c < grid.text[r].size(); ++c) {
            const std::string field = markdown_field(grid.text[r][c]);
            out += grid.bold[r][c] ? " **" + field + "** |" : " " + field + " |";
        }
        out += '\n';
        if (r == 0) {
            out += "|:---|";
            for (std::size_t c = 1; c < grid.text[r].size(); ++c)
                out += "---:|";
            out += '\n';
        }
    }
    return out;
}

std::string to_csv(const Table& table)
{
    std::string out = "encoder,task,metric,value,seeds,failed\n";
    for (std::size_t e = 0; e < table.encoders().size(); ++e)
        for (std::size_t t = 0; t < table.tasks().size(); ++t) {
            const Entry entry = table.entry(e, t);
            if (entry.values.empty() && !entry.failed)
                continue;
            out += fmt::format("{},{},{},{},{},{}\n", csv_field(table.encoders()[e]),
                               csv_field(table.tasks()[t]), table.headlines()[t],
                               entry.values.empty() ? "" : fmt::format("{}", mean(entry.values)),
                               entry.values.size(), entry.failed ? 1 : 0);
        }
    return out;
}

} // namespace senteval::report
