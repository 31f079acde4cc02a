#include "tasks/custom/labels.hpp"

#include "data/characters.hpp"
#include "tasks/custom/column_file.hpp"
#include "text/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace senteval::tasks {
namespace {

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

/// The same for labels that people mean the same by.
std::string meaning(std::string_view label)
{
    double number = 0;
    const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
    if (error == std::errc() && end == label.data() + label.size() && std::isfinite(number))
        return fmt::format("{}", number);
    std::u32string characters = data::decode_utf8(data::case_folded(label));
    std::erase_if(characters, data::is_space);
    return data::encode_utf8(characters);
}

/// The labels of a file, with their number; empty ones are an error.
class LabelCount {
public:
    void add(const ColumnFile& file)
    {
        const std::string_view label = file.target();
        if (label.empty())
            file.file().fail("the label is empty");
        if (seen_.empty()) {
            first_label_ = label;
            names_columns_ = is_column_word(label) || is_column_word(text::strip(file.first()));
        }
        Seen& seen = seen_[std::string(label)];
        if (++seen.count == 1)
            seen.line = file.file().line_number();
    }

    /// Whether the first line is a header taken for an item: an error where that is plain, a data warning
    /// where it only may be.
    void check_first_line(const std::string& file, Dataset& dataset) const
    {
        const auto once = std::count_if(seen_.begin(), seen_.end(),
                                        [](auto& one) { return one.second.count == 1; });
        if (seen_.size() < 2 || seen_.at(first_label_).count != 1)
            return;
        if (names_columns_)
            throw core::Error("{}:1: this line seems to name the columns, since its label '{}' "
                              "occurs nowhere else: set header = true (or list all 'labels', if it "
                              "is an item)",
                              file, first_label_);
        if (once > 1)
            return;
        dataset.data_warnings.push_back(
            fmt::format("{}:1: the label '{}' occurs only in this line; if it names the "
                        "columns, set header = true",
                        file, first_label_));
    }

    /// Which labels are the same to people; empty: none.
    [[nodiscard]] std::string alike(const std::string& file) const
    {
        constexpr std::size_t most = 3; // groups that are named
        std::map<std::string, std::vector<std::string>> groups;
        for (const auto& [label, seen] : seen_)
            groups[meaning(label)].push_back(
                fmt::format("{} ({}:{})", text::quote(label), file, seen.line));
        std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
        if (groups.empty())
            return {};
        std::vector<std::string> named;
        for (const auto& [meant, labels] : groups)
            if (named.size() < most)
                named.push_back(fmt::format("{}", fmt::join(labels, " and ")));
        if (groups.size() > most)
            named.push_back(fmt::format("so do {} more", groups.size() - most));
        return fmt::format(
            "the labels {} look alike and are classes of their own, since case, blanks "
            "and digits of a number count: write them alike, or list them in 'labels' "
            "if they are meant",
            fmt::join(named, "; "));
    }

    [[nodiscard]] std::vector<std::string> labels() const
    {
        std::vector<std::string> all;
        for (const auto& [label, seen] : seen_)
            all.push_back(label);
        return all;
    }

private:
    struct Seen {
        std::size_t count = 0;
        std::size_t line = 0; ///< the first
    };

    std::map<std::string, Seen> seen_;
    std::string first_label_;
    bool names_columns_ = false; ///< the first line has words that are names of columns
};

} // namespace

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
    const std::string alike = count.alike(name);
    auto labels = count.labels();
    if (format.binary && labels.size() != 2)
        throw core::Error("{}: F1 is for two classes, and there are {}{}{}", name, labels.size(),
                          alike.empty() ? "" : "; ", alike);
    if (!alike.empty())
        dataset.data_warnings.push_back(alike);
    return labels;
}

} // namespace senteval::tasks
