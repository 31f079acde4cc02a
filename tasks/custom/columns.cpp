#include "tasks/custom/columns.hpp"

#include "base/counted.hpp"
#include "base/disguise.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"
#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "data/ptb_tokeniser.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/readers/reading.hpp"
#include "tasks/readers/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace senteval::tasks {
namespace {

/// A user's file line by line, with the columns that the task reads. The views live until the next line.
class ColumnFile {
public:
    /// Reads the items of a part where there is a column 'split', of all parts where none is named ("all" are those to
    /// learn from). Throws base::Error naming file and line where the header line has a column not at all or several
    /// times, or where a name and a number are the same column.
    ColumnFile(task::DataFolder& data,
               const std::string& relative,
               const std::string& part,
               const CustomTask& task)
        : opened_(data, relative, task.header, task.encoding, task.format, task.separator),
          header_(records_.header()),
          names_{task.first, task.second, task.target, task.split},
          part_(part == "all" ? "train" : part)
    {
        if (header_.empty() && (task.header || is_json_))
            throw base::Error("{}: there are no items in it", file_.name());
        if (!is_json_ && !header_.empty())
            count_width(header_.size(), records_.line_number());
        for (std::size_t key = 0; key < keys; ++key)
            at_[key] = names_[key].empty() ? at_[first_key] : find(names_[key]);
        require_different();
    }

    /// Goes to the next item. Throws base::Error where the record has too few columns.
    bool next()
    {
        do {
            if (!records_.next() || is_rest_empty())
                return false;
            for (std::size_t key = 0; key < keys; ++key)
                columns_[key] = records_.field(at_[key]);
        } while (!names_[split_key].empty() && !part_.empty() && part() != part_);
        ++items_;
        for (std::size_t key = 0; opened_.form == text::RecordForm::tsv && key < keys; ++key)
            quotes_[key].add(columns_[key]);
        if (!is_json_)
            count_width(records_.size(), records_.line_number());
        if (!is_json_ && is_header(first_key) && is_header(target_key))
            records_.fail("this line repeats the header, as files that were joined do: remove it");
        return true;
    }

    [[nodiscard]] const text::TextFile& file() const { return file_; }
    [[nodiscard]] bool has_header() const noexcept { return !header_.empty(); }
    [[nodiscard]] std::string_view first() const { return columns_[first_key]; }
    [[nodiscard]] std::string_view second() const { return columns_[second_key]; }
    [[nodiscard]] std::string_view target() const { return base::strip(columns_[target_key]); }

    /// The part that the column 'split' says: "train", "dev" or "test".
    [[nodiscard]] std::string part() const
    {
        static const std::map<std::string, std::string> parts = {
            {"train", "train"}, {"dev", "dev"}, {"validation", "dev"},
            {"valid", "dev"},   {"val", "dev"}, {"test", "test"}};
        const std::string_view said = base::strip(columns_[split_key]);
        const auto found = parts.find(data::case_folded(said));
        if (found == parts.end())
            records_.fail("{} is no part: train, dev (or validation) or test", text::quote(said));
        return found->second;
    }

    /// Returns the name of the column of labels or scores; empty without a header.
    [[nodiscard]] std::string target_name() const
    {
        return at_[target_key] < header_.size() ? header_[at_[target_key]] : std::string{};
    }

    /// Warns of quotation marks that were written for CSV and are read as text, and of lines that differ in width.
    void add_warnings(Dataset& dataset) const
    {
        for (std::size_t key = 0; key < keys; ++key)
            if (!names_[key].empty())
                quotes_[key].warn(dataset, file_.name(), names_[key]);
        add_warning_of_width(dataset);
    }

private:
    enum Key : std::size_t { first_key, second_key, target_key, split_key, keys };

    struct Width {
        std::size_t lines = 0;
        std::size_t first_line = 0;
    };

    [[nodiscard]] bool is_header(std::size_t key) const
    {
        return at_[key] < header_.size() && base::strip(columns_[key]) == header_[at_[key]];
    }

    void count_width(std::size_t columns, std::size_t line)
    {
        ++widths_.try_emplace(columns, Width{0, line}).first->second.lines;
    }

    /// Warns whichever lines are more: a separator may stand in the texts of most.
    void add_warning_of_width(Dataset& dataset) const
    {
        if (widths_.size() < 2)
            return;
        std::vector<std::string> counts;
        for (const auto& [columns, width] : widths_)
            counts.push_back(fmt::format("{} in {} (line {})", columns,
                                         base::counted(width.lines, "line"), width.first_line));
        dataset.warn("columns",
                     "{}: lines differ in their number of columns: {}. A TAB or "
                     "separator within a text ends the text",
                     file_.name(), fmt::join(counts, ", "));
    }

    /// Empty lines may end a file; one between items has no columns.
    bool is_rest_empty()
    {
        if (records_.size() > 0)
            return false;
        const std::size_t first = records_.line_number();
        while (records_.next())
            if (records_.size() > 0)
                throw base::Error("{}:{}: this line is empty, and items follow it", file_.name(),
                                  first);
        return true;
    }

    [[nodiscard]] std::size_t find(const std::string& column) const
    {
        if (is_column_number(column))
            return std::stoul(column) - 1;
        const auto found = std::find(header_.begin(), header_.end(), column);
        if (const auto why = base::disguise_of_line(file_.line());
            found == header_.end() && header_.size() == 1 && !why.empty())
            file_.fail("{}", why);
        if (found == header_.end())
            file_.fail("the header has no column '{}'.{}", column,
                       base::did_you_mean(column, header_));
        if (std::count(found, header_.end(), column) > 1)
            file_.fail("the header has two columns '{}': give the number of the one that is meant",
                       column);
        return static_cast<std::size_t>(found - header_.begin());
    }

    /// Refuses a name and a number that are the same column; equal names were refused with the description.
    void require_different() const
    {
        for (std::size_t one = 0; one < keys; ++one)
            for (std::size_t other = one + 1; other < keys; ++other)
                if (at_[one] == at_[other] && !names_[one].empty() && !names_[other].empty())
                    file_.fail("'{}' = '{}' and '{}' = '{}' are the same column, number {}",
                               column_keys[one], names_[one], column_keys[other], names_[other],
                               at_[one] + 1);
    }

    RecordFile opened_;
    text::TextFile& file_ = opened_.file;
    text::Records& records_ = opened_.records;
    bool is_json_ = opened_.form == text::RecordForm::json_lines;
    std::vector<std::string> header_;
    std::array<std::string, keys> names_; ///< as the task has them; empty: no such column
    std::string part_;
    std::array<std::size_t, keys> at_{};
    std::array<CsvQuotes, keys> quotes_;
    std::map<std::size_t, Width> widths_; ///< how many lines have so many columns
    std::size_t items_ = 0;
    std::array<std::string_view, keys> columns_; ///< of the item
};

/// Whether the first line seems to name the columns: its label occurs nowhere else, though no other label is so rare,
/// or it has a word that files have there.
bool names_columns(const std::string& label,
                   const std::string& text,
                   const std::map<std::string, std::size_t>& counts)
{
    static const std::set<std::string> words = {"category",  "class",    "label",
                                                "question",  "sentence", "sentence1",
                                                "sentence2", "target",   "text"};
    const auto single =
        std::ranges::count_if(counts, [](const auto& one) { return one.second == 1; });
    return counts.size() > 1 && counts.at(label) == 1 &&
           (single == 1 || words.contains(data::case_folded(label)) ||
            words.contains(data::case_folded(text)));
}

/// The labels of a file, sorted as strings.
std::vector<std::string>
labels_in(task::DataFolder& data, const PartFile& source, const CustomTask& task, Dataset& dataset)
{
    ColumnFile file(data, source.file, source.part, task);
    std::map<std::string, std::size_t> counts;
    std::string first;
    std::string text;
    while (file.next()) {
        if (file.target().empty())
            file.file().fail("the label is empty");
        if (counts.empty()) {
            first = file.target();
            text = base::strip(file.first());
        }
        ++counts[std::string(file.target())];
    }
    const std::string& name = file.file().name();
    if (!file.has_header() && names_columns(first, text, counts))
        throw base::Error("{}:1: this line seems to name the columns, since its label '{}' occurs "
                          "nowhere else: set header = true, or list all 'labels' if it is an item",
                          name, first);
    std::vector<std::string> labels;
    for (const auto& [label, count] : counts)
        labels.push_back(label);
    warn_of_alike(dataset, labels);
    return labels;
}

/// Makes class 1 of the class whose F1 is computed.
void place_positive(std::vector<std::string>& classes, const CustomTask& task)
{
    const auto at = std::ranges::find(classes, task.f1_label());
    const bool is_given = !task.positive.empty();
    const bool is_binary = classes.size() == 2 && std::ranges::find(classes, "0") != classes.end();
    if (at == classes.end() && is_given)
        throw base::Error("'positive' is '{}', which is none of the labels: {}", task.positive,
                          fmt::join(classes, ", "));
    if (at == classes.end() || (!is_given && !is_binary))
        throw base::Error(
            "F1 is of one label, and which one is not said: set positive = \"LABEL\" ({}), or "
            "metric = \"macro-f1\"",
            fmt::join(classes, ", "));
    std::iter_swap(at, classes.begin() + 1);
}

std::string prepared(std::string_view text, const CustomTask& task)
{
    std::string result(text);
    if (!task.is_verbatim()) // their rules know lines of words and blanks
        std::ranges::replace_if(
            result, [](char c) { return c >= '\t' && c <= '\r'; }, ' ');
    if (task.tokenise == Tokeniser::ptb)
        result = data::tokenise_ptb(result);
    else if (task.tokenise == Tokeniser::moses)
        result = data::tokenise_moses(result);
    return task.lowercase ? data::lower_case(result) : result;
}

double score_of(const ColumnFile& file, const CustomTask& task)
{
    std::string number(file.target());
    std::ranges::replace(number, task.decimal.value_or('.'), '.');
    const double value = file.file().number(number, "score");
    if (const auto scale = task.scale(); value < scale.low || value > scale.high)
        file.file().fail("the score {} is outside {} to {}", file.target(), scale.low, scale.high);
    return value;
}

void add_item(const ColumnFile& file,
              const CustomTask& task,
              const std::vector<std::string>& classes,
              PartWriter& items)
{
    const std::string first = prepared(file.first(), task);
    if (!task.classifies()) {
        items.add(first, prepared(file.second(), task), score_of(file, task));
        return;
    }
    if (file.target().empty())
        file.file().fail("the label is empty");
    const std::uint32_t label = class_index(file.file(), file.target(), classes);
    if (task.second.empty())
        items.add(first, label);
    else
        items.add(first, prepared(file.second(), task), label);
}

/// A line that is skipped as a header but has a label or a score where those are.
bool header_is_item(const ColumnFile& file, const CustomTask& task, const Dataset& dataset)
{
    const std::string name = file.target_name();
    return task.classifies() ? std::ranges::count(dataset.classes, name) > 0
                             : parsed_number(name).has_value();
}

Part read_part(task::DataFolder& data,
               const PartFile& source,
               const CustomTask& task,
               Dataset& dataset)
{
    ColumnFile file(data, source.file, source.part, task);
    Part part(source.part, source.part == "test" || source.part == "all");
    part.verbatim = task.is_verbatim();
    PartWriter items(part, dataset.arena);
    while (file.next()) {
        try {
            add_item(file, task, dataset.classes, items);
        } catch (const base::Error& e) {
            if (file.file().line_number() > 1 || file.has_header() || parsed_number(file.target()))
                throw;
            throw base::Error("{}; if this line names the columns, set header = true", e.what());
        }
    }
    check_items(part, file.file().name());
    if (task.header && header_is_item(file, task, dataset))
        dataset.warn("header",
                     "{}:1: this line is left out, since header = true, and reads like an item",
                     file.file().name());
    file.add_warnings(dataset);
    sort_by_length(part);
    return part;
}

std::vector<PartFile> files_of(const CustomTask& task)
{
    if (task.classifies() && task.test.empty())
        return {{"all", task.train}};
    std::vector<PartFile> files = {{"train", task.train}, {"dev", task.dev}, {"test", task.test}};
    std::erase_if(files, [](const PartFile& one) { return one.file.empty(); });
    return files;
}

void read(task::DataFolder& data,
          const std::vector<PartFile>& files,
          const CustomTask& task,
          Dataset& dataset)
{
    dataset.classes = task.labels;
    if (task.classifies() && dataset.classes.empty())
        dataset.classes = labels_in(data, files.front(), task, dataset);
    if (!task.f1_label().empty())
        place_positive(dataset.classes, task);
    for (const PartFile& file : files) {
        dataset.parts.push_back(read_part(data, file, task, dataset));
        add_samples(dataset, dataset.parts.back());
    }
    if (task.tokenise == Tokeniser::as_is)
        warn_of_tokens(dataset);
}

} // namespace

bool is_column_number(std::string_view column)
{
    const bool digits =
        std::all_of(column.begin(), column.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !column.empty() && column.size() <= 6 && column.front() != '0';
}

Source column_source(const CustomTask& task)
{
    const auto files = files_of(task);
    std::vector<std::string> names;
    for (const PartFile& file : files)
        if (!std::ranges::count(names, file.file))
            names.push_back(file.file);
    return make_source(names, [files, task](task::DataFolder& data, Dataset& dataset) {
        read(data, files, task, dataset);
    });
}

std::set<std::string> parts_in(const CustomTask& task)
{
    task::DataFolder data(task.base);
    ColumnFile rows(data, task.train, "", with_usual_columns(task));
    std::set<std::string> parts;
    while (rows.next())
        parts.insert(rows.part());
    return parts;
}

} // namespace senteval::tasks
