#include "data/labels.hpp"

#include "data/lines.hpp"

#include <algorithm>
#include <charconv>

namespace senteval::data {
namespace {

using Line = std::string_view;

std::size_t count_tabs(Line line)
{
    return static_cast<std::size_t>(std::ranges::count(line, '\t'));
}

/// Column `index` where the line has at least `columns` of them.
Line column(Line line, std::size_t index, std::size_t columns)
{
    return count_tabs(line) + 1 < columns ? Line() : field(line, index);
}

bool is_score(Line text, double low, double high)
{
    double score = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
    return error == std::errc() && end == text.data() + text.size() && score >= low &&
           score <= high;
}

bool is_score_format(Format format)
{
    return format == Format::sts_score || format == Format::stsbenchmark ||
           format == Format::sts_pair;
}

/// Whether `label` may stand where it stands.
bool is_allowed(const File& file, Line line, Line label)
{
    switch (file.format) {
    case Format::sts_score:
        return label.empty() || is_score(label, 0, 5);
    case Format::stsbenchmark:
        return is_score(label, 0, 5);
    case Format::sick: // the score is in the column before the label
        return is_score(field(line, 3), 1, 5) && file.labels.contains(std::string(label));
    case Format::sts_pair:
        return !label.empty();
    default:
        return !label.empty() && (file.labels.empty() || file.labels.contains(std::string(label)));
    }
}

} // namespace

std::optional<Line> label_of(Format format, Line line, std::size_t number)
{
    switch (format) {
    case Format::text:
        return std::nullopt;
    case Format::label:
        return line;
    case Format::sts_score:
        return line;
    case Format::label_last:
        return count_tabs(line) == 0 ? Line() : line.substr(line.find_last_of('\t') + 1);
    case Format::label_first: {
        const std::size_t space = line.find(' ');
        return space == Line::npos ? Line() : line.substr(0, space);
    }
    case Format::trec: {
        const std::size_t colon = line.find(':');
        return colon == Line::npos ? Line() : line.substr(0, colon);
    }
    case Format::mrpc:
        return number == 1 ? std::nullopt : std::optional(column(line, 0, 5));
    case Format::sick:
        return number == 1 ? std::nullopt : std::optional(column(line, 4, 5));
    // Both columns must be there; what they say does not matter here.
    case Format::sts_pair:
        return count_tabs(line) == 0 ? Line() : Line("pair");
    case Format::stsbenchmark:
        return column(line, 4, 7);
    case Format::probing:
        return column(line, 0, 3);
    }
    return std::nullopt;
}

LabelCount count_labels(const File& file, std::string_view bytes)
{
    LabelCount result;
    for_each_line(bytes, [&](Line line) {
        ++result.lines;
        result.carriage_returns += line.ends_with('\r') ? 1 : 0;
        line = without_return(line);
        const auto label = label_of(file.format, line, result.lines);
        if (!label)
            return;
        if (!is_score_format(file.format))
            ++result.counts[std::string(*label)];
        if (result.first_bad_line == 0 && !is_allowed(file, line, *label)) {
            result.first_bad_line = result.lines;
            result.bad_label = *label;
        }
    });
    return result;
}

} // namespace senteval::data
