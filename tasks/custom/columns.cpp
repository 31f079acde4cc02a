#include "tasks/custom/columns.hpp"

#include "core/names.hpp"
#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "data/ptb_tokeniser.hpp"
#include "tasks/doubts.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace senteval::tasks {
namespace {

/// A file whose columns have been found.
class ColumnFile {
public:
    ColumnFile(task::DataFolder& data, const std::string& relative, const ColumnFormat& format)
        : file_(open_text(data, relative, format.encoding, text::LineEnds::newlines))
    {
        if (format.header && file_.next())
            for (const std::string_view name : file_.columns(file_.line(), 1))
                header_.emplace_back(text::strip(name));
        first_ = find(format.first);
        second_ = format.second.empty() ? first_ : find(format.second);
        target_ = find(format.target);
        needed_ = 1 + std::max({first_, second_, target_});
    }

    bool next()
    {
        if (!file_.next())
            return false;
        columns_ = file_.columns(file_.line(), needed_);
        return true;
    }

    [[nodiscard]] const text::TextFile& file() const { return file_; }
    [[nodiscard]] std::string_view first() const { return columns_[first_]; }
    [[nodiscard]] std::string_view second() const { return columns_[second_]; }
    [[nodiscard]] std::string_view target() const { return text::strip(columns_[target_]); }

    /// What stands in the header line above the labels or scores; empty without a header.
    [[nodiscard]] std::string target_name() const
    {
        return target_ < header_.size() ? header_[target_] : std::string{};
    }

private:
    [[nodiscard]] std::size_t find(const std::string& column) const
    {
        std::size_t number = 0;
        if (is_column_number(column)) {
            std::from_chars(column.data(), column.data() + column.size(), number);
            return number - 1;
        }
        const auto found = std::find(header_.begin(), header_.end(), column);
        if (found == header_.end())
            file_.fail("the header has no column '{}'.{}", column,
                       core::did_you_mean(column, header_));
        return static_cast<std::size_t>(found - header_.begin());
    }

    text::TextFile file_;
    std::vector<std::string> header_;
    std::size_t first_ = 0;
    std::size_t second_ = 0;
    std::size_t target_ = 0;
    std::size_t needed_ = 0;
    std::span<const std::string_view> columns_;
};

/// Whether `text` is what people call a column of such files: "label", "Sentence1", "gold_label".
bool is_column_word(std::string_view text)
{
    constexpr std::array<std::string_view, 32> words = {
        "answer", "category", "class",      "classes",  "comment",   "content",   "document",
        "gold",   "headline", "hypothesis", "id",       "index",     "intent",    "label",
        "labels", "name",     "polarity",   "premise",  "query",     "question",  "rating",
        "review", "score",    "sent",       "sentence", "sentences", "sentiment", "tag",
        "target", "text",     "title",      "value"};
    bool found = false;
    std::string word;
    for (const char c : std::string(text) + '_') {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            word += static_cast<char>(c | 0x20);
            continue;
        }
        if (c != '_' && c != '-' && c != ' ' && !(c >= '0' && c <= '9'))
            return false;
        if (word.empty())
            continue;
        if (std::find(words.begin(), words.end(), word) == words.end())
            return false;
        found = true;
        word.clear();
    }
    return found;
}

/// The labels of a file, with their number; empty ones are an error.
class LabelCount {
public:
    void add(const ColumnFile& file)
    {
        const std::string_view label = file.target();
        if (label.empty())
            file.file().fail("the label is empty");
        if (counts_.empty()) {
            first_label_ = label;
            names_columns_ = is_column_word(label) || is_column_word(text::strip(file.first()));
        }
        ++counts_[std::string(label)];
    }

    /// Whether the first line is a header taken for an item: an error where that is plain, a doubt
    /// where it only may be.
    void check_first_line(const std::string& file, Dataset& dataset) const
    {
        const auto once = std::count_if(counts_.begin(), counts_.end(),
                                        [](auto& one) { return one.second == 1; });
        if (counts_.size() < 2 || counts_.at(first_label_) != 1)
            return;
        if (names_columns_)
            throw core::Error("{}:1: this line seems to name the columns, since its label '{}' "
                              "occurs nowhere else: set header = true (or list all 'labels', if it "
                              "is an item)",
                              file, first_label_);
        if (once > 1)
            return;
        dataset.doubts.push_back(
            fmt::format("{}:1: the label '{}' occurs only in this line; if it names the "
                        "columns, set header = true",
                        file, first_label_));
    }

    [[nodiscard]] std::vector<std::string> labels() const
    {
        std::vector<std::string> all;
        for (const auto& [label, count] : counts_)
            all.push_back(label);
        return all;
    }

private:
    std::map<std::string, std::size_t> counts_;
    std::string first_label_;
    bool names_columns_ = false; ///< the first line has words that are names of columns
};

std::vector<std::string> labels_in(task::DataFolder& data,
                                   const std::string& relative,
                                   const ColumnFormat& format,
                                   Dataset& dataset)
{
    ColumnFile file(data, relative, format);
    LabelCount count;
    while (file.next())
        count.add(file);
    const std::string& name = file.file().name();
    if (!format.header)
        count.check_first_line(name, dataset);
    auto labels = count.labels();
    if (format.binary && labels.size() != 2)
        throw core::Error("{}: F1 is for two classes, and there are {}", name, labels.size());
    return labels;
}

std::string prepared(std::string_view text, const ColumnFormat& format)
{
    std::string result(text);
    if (format.tokenise == Tokeniser::ptb)
        result = data::tokenise_ptb(text);
    else if (format.tokenise == Tokeniser::moses)
        result = data::tokenise_moses(text);
    return format.lowercase ? data::lower_case(result) : result;
}

double score_of(const ColumnFile& file, const ColumnFormat& format)
{
    const double value = file.file().number(file.target(), "score");
    if (value < format.lowest_score || value > format.highest_score)
        file.file().fail("the score {} is outside {} to {}{}", file.target(), format.lowest_score,
                         format.highest_score,
                         format.highest_score < 1e100
                             ? ": say with lowest_score and highest_score what the scale is"
                             : "");
    return value;
}

void add_item(const ColumnFile& file,
              const ColumnFormat& format,
              const std::vector<std::string>& classes,
              PartWriter& items)
{
    const std::string first = prepared(file.first(), format);
    if (format.scored) {
        items.add(first, prepared(file.second(), format), score_of(file, format));
        return;
    }
    if (file.target().empty())
        file.file().fail("the label is empty");
    const std::uint32_t label = class_index(file.file(), file.target(), classes);
    if (format.second.empty())
        items.add(first, label);
    else
        items.add(first, prepared(file.second(), format), label);
}

bool is_number(std::string_view text)
{
    double ignored = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

/// A line that is skipped as a header but has a label or a score where those are.
bool header_is_item(const ColumnFile& file, const ColumnFormat& format, const Dataset& dataset)
{
    const std::string name = file.target_name();
    return format.scored ? is_number(name)
                         : std::find(dataset.classes.begin(), dataset.classes.end(), name) !=
                               dataset.classes.end();
}

Part read_part(task::DataFolder& data,
               const PartFile& source,
               const ColumnFormat& format,
               Dataset& dataset)
{
    ColumnFile file(data, source.file, format);
    Part part;
    part.name = source.part;
    part.tested = source.part == "test" || source.part == "all";
    PartWriter items(part, dataset.arena);
    while (file.next()) {
        try {
            add_item(file, format, dataset.classes, items);
        } catch (const core::Error& e) {
            if (file.file().line_number() > 1 || format.header || is_number(file.target()))
                throw;
            throw core::Error("{}; if this line names the columns, set header = true", e.what());
        }
    }
    require_items(part, file.file().name());
    if (source.part == "train" || source.part == "all")
        require_two_classes(part, file.file().name());
    if (format.header && header_is_item(file, format, dataset))
        dataset.doubts.push_back(
            fmt::format("{}:1: this line is left out, since header = true, and reads like an item",
                        file.file().name()));
    sort_by_length(part);
    return part;
}

Dataset read(task::DataFolder& data, const std::vector<PartFile>& files, const ColumnFormat& format)
{
    Dataset dataset;
    dataset.classes = format.classes;
    if (!format.scored && dataset.classes.empty())
        dataset.classes = labels_in(data, files.front().file, format, dataset);
    for (const PartFile& file : files) {
        dataset.parts.push_back(read_part(data, file, format, dataset));
        add_samples(dataset, dataset.parts.back());
    }
    doubt_copies(dataset);
    if (format.tokenise == Tokeniser::as_is)
        doubt_tokens(dataset);
    return dataset;
}

} // namespace

bool is_column_number(std::string_view column)
{
    const bool digits =
        std::all_of(column.begin(), column.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !column.empty() && column.size() <= 6 && column.front() != '0';
}

Source
column_source(const std::filesystem::path& base, std::vector<PartFile> files, ColumnFormat format)
{
    Source source;
    source.base = base;
    for (const PartFile& file : files)
        source.files.push_back(file.file);
    source.read = [files = std::move(files), format = std::move(format)](task::DataFolder& data) {
        return read(data, files, format);
    };
    return source;
}

} // namespace senteval::tasks
