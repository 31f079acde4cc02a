#include "annex/pair_file.hpp"

#include "base/choices.hpp"
#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace senteval::annex {

namespace {

constexpr std::array<std::pair<std::string_view, PairFormat>, 5> format_names{{
    {"auto", PairFormat::detect},
    {"tsv", PairFormat::tsv},
    {"ppdb", PairFormat::ppdb},
    {"captions", PairFormat::captions},
    {"lexicon", PairFormat::lexicon},
}};

constexpr std::string_view ppdb_separator = " ||| ";

std::optional<double> number_of(std::string_view text)
{
    text = base::strip(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::vector<std::string_view> split(std::string_view line, std::string_view separator)
{
    std::vector<std::string_view> fields;
    for (std::size_t at = 0;;) {
        const std::size_t end = line.find(separator, at);
        fields.push_back(line.substr(at, end == line.npos ? line.npos : end - at));
        if (end == line.npos)
            return fields;
        at = end + separator.size();
    }
}

/// A line that cannot be used, and why.
class BadLine : public base::Error {
public:
    using Error::Error;
};

/// "1000268201_693b08cb0e.jpg#0" -> "1000268201_693b08cb0e.jpg"
std::string_view without_number(std::string_view key)
{
    const std::size_t hash = key.rfind('#');
    if (hash == key.npos || hash + 1 == key.size() || hash == 0)
        return key;
    const std::string_view digits = key.substr(hash + 1);
    const bool is_number = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? key.substr(0, hash) : key;
}

PairFormat format_of(std::string_view line)
{
    if (line.find(ppdb_separator) != line.npos)
        return PairFormat::ppdb;
    const auto columns = split(line, "\t");
    if (columns.size() == 2 && without_number(columns[0]).size() != columns[0].size())
        return PairFormat::captions;
    return columns.size() > 1 ? PairFormat::tsv : PairFormat::lexicon;
}

/// Throws where scores are asked of a layout that has none.
void check_scores(const PairSource& source, PairFormat format)
{
    if (source.reads_score() && (format == PairFormat::captions || format == PairFormat::lexicon))
        throw base::UsageError("--pairs: {}: its layout, {}, has no scores", source.file.string(),
                               base::name_in(format_names, format));
}

/// Reads a file's lines by its layout.
class PairReader {
public:
    PairReader(const PairSource& source, const PairSink& each)
        : source_(source), each_(each), format_(source.format)
    {
    }

    void read(std::string_view line)
    {
        if (format_ == PairFormat::detect) {
            format_ = format_of(line);
            check_scores(source_, format_);
        }
        if (base::find_invalid_utf8(line) != line.npos)
            throw BadLine("is no UTF-8");
        switch (format_) {
        case PairFormat::ppdb:
            return read_ppdb(line);
        case PairFormat::captions:
            return read_caption(line);
        case PairFormat::lexicon:
            return read_lexicon(line);
        case PairFormat::tsv:
        case PairFormat::detect:
            return read_tsv(line);
        }
    }

    /// The pairs of captions, which may stand anywhere in the file.
    void finish()
    {
        for (const std::vector<std::string>& group : groups_)
            for (std::size_t i = 1; i < group.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    give(group[i], group[j]);
    }

    [[nodiscard]] std::uint64_t pairs() const noexcept { return pairs_; }
    [[nodiscard]] std::uint64_t below() const noexcept { return below_; }

private:
    void give(std::string_view first, std::string_view second, double score = 0)
    {
        ++pairs_;
        each_(first, second, score);
    }

    void give_scored(std::string_view first, std::string_view second, std::string_view score)
    {
        first = base::strip(first);
        second = base::strip(second);
        if (first.empty() || second.empty())
            throw BadLine("has an empty phrase");
        if (!source_.reads_score())
            return give(first, second);
        const auto value = number_of(score);
        if (!value)
            throw BadLine("has '{}' where its score should be", score);
        if (source_.threshold && *value < *source_.threshold)
            ++below_;
        else
            give(first, second, *value);
    }

    void read_tsv(std::string_view line)
    {
        const auto columns = split(line, "\t");
        const std::size_t score = score_column(2);
        const std::size_t needed = source_.reads_score() ? std::max<std::size_t>(2, score + 1) : 2;
        if (columns.size() < needed)
            throw BadLine("has {} columns; {} are needed, separated by TABs", columns.size(),
                          needed);
        give_scored(columns[0], columns[1], source_.reads_score() ? columns[score] : "");
    }

    void read_ppdb(std::string_view line)
    {
        const auto fields = split(line, ppdb_separator);
        if (fields.size() < 3)
            throw BadLine("has {} parts separated by ' ||| '; 3 are needed", fields.size());
        give_scored(fields[1], fields[2], source_.reads_score() ? feature(fields) : "");
    }

    /// The value of a feature in the fourth part, "name=value name=value".
    [[nodiscard]] std::string_view feature(const std::vector<std::string_view>& fields) const
    {
        const std::string name = source_.score.empty() ? "PPDB2.0Score" : source_.score;
        if (fields.size() > 3)
            for (const std::string_view one : split(fields[3], " "))
                if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
                    return one.substr(name.size() + 1);
        throw BadLine("has no feature '{}'", name);
    }

    void read_caption(std::string_view line)
    {
        const std::size_t tab = line.find('\t');
        if (tab == line.npos)
            throw BadLine("has no TAB between key and caption");
        const std::string_view key = without_number(line.substr(0, tab));
        const std::string_view caption = base::strip(line.substr(tab + 1));
        if (key.empty() || caption.empty())
            throw BadLine("has an empty {}", key.empty() ? "key" : "caption");
        const auto [at, is_new] = group_of_.try_emplace(std::string(key), groups_.size());
        if (is_new)
            groups_.emplace_back();
        groups_[at->second].emplace_back(caption);
    }

    void read_lexicon(std::string_view line)
    {
        std::vector<std::string_view> words;
        for (const std::string_view word : split(line, " "))
            if (!base::strip(word).empty())
                words.push_back(base::strip(word));
        if (words.size() < 2)
            throw BadLine("has no word after the first");
        for (std::size_t i = 1; i < words.size(); ++i)
            give(words[0], words[i]);
    }

    [[nodiscard]] std::size_t score_column(std::size_t fallback) const
    {
        const auto number = number_of(source_.score);
        return number && *number >= 1 ? static_cast<std::size_t>(*number) - 1 : fallback;
    }

    const PairSource& source_;
    const PairSink& each_;
    PairFormat format_;
    std::map<std::string, std::size_t, std::less<>> group_of_;
    std::deque<std::vector<std::string>> groups_;
    std::uint64_t pairs_ = 0;
    std::uint64_t below_ = 0;
};

/// False for an unknown option.
bool set_option(PairSource& source, const std::string& key, const std::string& value)
{
    if (key == "score") {
        source.score = value;
    } else if (key == "threshold") {
        source.threshold = number_of(value);
        if (!source.threshold)
            throw base::UsageError("--pairs: the threshold '{}' is no number", value);
    } else if (key == "format") {
        const auto* const found =
            std::ranges::find(format_names, value, &std::pair<std::string_view, PairFormat>::first);
        const auto names = base::names_of(format_names);
        if (found == format_names.end())
            throw base::UsageError("--pairs: unknown format '{}' (there are {}).{}", value,
                                   fmt::join(names, ", "), base::did_you_mean(value, names));
        source.format = found->second;
    } else {
        return false;
    }
    return true;
}

} // namespace

void read_lines(const std::filesystem::path& file,
                const std::function<void(std::string_view line, std::size_t number)>& each)
{
    const auto refuse = [&](const std::string& why) {
        throw base::Error("cannot read '{}': {}", file.string(), why);
    };
    if (std::filesystem::is_directory(file))
        refuse("it is a folder");
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> input(gzopen(file.c_str(), "rb"), &gzclose);
    if (input == nullptr)
        refuse(std::strerror(errno));
    std::string buffer; // what is left of a line, and a piece behind it
    std::size_t number = 0;
    const auto give = [&](std::string_view line) {
        line = base::without_return(line);
        ++number;
        each(number == 1 ? base::without_mark(line) : line, number);
    };
    for (int read = 1; read > 0;) {
        constexpr std::size_t piece = std::size_t{1} << 18U;
        const std::size_t kept = buffer.size();
        buffer.resize(kept + piece);
        read = gzread(input.get(), buffer.data() + kept, static_cast<unsigned>(piece));
        int code = Z_OK;
        const char* const why = gzerror(input.get(), &code);
        if (read < 0 || (code != Z_OK && code != Z_STREAM_END))
            refuse(fmt::format("behind line {} the compressed data are damaged or cut short ({})",
                               number, why));
        buffer.resize(kept + static_cast<std::size_t>(read));
        std::size_t begin = 0;
        for (std::size_t end = buffer.find('\n', kept); end != buffer.npos;
             end = buffer.find('\n', begin)) {
            give(std::string_view(buffer).substr(begin, end - begin));
            begin = end + 1;
        }
        buffer.erase(0, begin);
    }
    if (!buffer.empty())
        give(buffer);
}

PairSource parse_pair_source(const std::string& text, bool is_scored)
{
    PairSource source;
    source.is_scored = is_scored;
    std::string rest = text;
    for (std::size_t comma = rest.rfind(','); comma != rest.npos; comma = rest.rfind(',')) {
        const std::string option = rest.substr(comma + 1);
        const std::size_t equals = option.find('=');
        if (equals == option.npos ||
            !set_option(source, option.substr(0, equals), option.substr(equals + 1)))
            break;
        rest.resize(comma);
    }
    source.file = rest;
    const auto column = number_of(source.score);
    if (!source.score.empty() && !source.reads_score())
        throw base::UsageError("--pairs: score={} needs a threshold, as in threshold=0.6",
                               source.score);
    if ((column && *column < 1) ||
        (!column && !source.score.empty() && source.format == PairFormat::tsv))
        throw base::UsageError("--pairs: score={}: columns are numbered from 1", source.score);
    check_scores(source, source.format);
    return source;
}

PairFileCounts read_pairs(const PairSource& source, const PairSink& each)
{
    PairFileCounts counts;
    PairReader reader(source, each);
    read_lines(source.file, [&](std::string_view line, std::size_t number) {
        counts.lines = number;
        if (line.empty())
            return;
        try {
            reader.read(line);
        } catch (const BadLine& bad) {
            if (counts.bad++ < PairFileCounts::shown)
                counts.bad_lines.push_back(
                    fmt::format("{}:{}: {}", source.file.string(), number, bad.what()));
        }
    });
    reader.finish();
    counts.pairs = reader.pairs();
    counts.below = reader.below();
    if (counts.pairs + counts.below == 0)
        throw base::UsageError("--pairs: {}: has no pair{}", source.file.string(),
                               counts.bad_lines.empty() ? "" : "; " + counts.bad_lines.front());
    return counts;
}

} // namespace senteval::annex
