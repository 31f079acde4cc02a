#include "base/lines.hpp"
#include "base/refuse.hpp"
#include "precomputed/rows.hpp"
#include "word_vectors/fields.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace senteval::precomputed {
namespace {

namespace fs = std::filesystem;

bool separates(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/// Text without the separators and the carriage return at its end.
std::string_view without_tail(std::string_view text)
{
    while (!text.empty() && (separates(text.back()) || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

std::size_t count_values(std::string_view text)
{
    std::size_t count = 0;
    for (text = without_tail(text); !text.empty(); text = without_tail(text)) {
        ++count;
        while (!text.empty() && !separates(text.back()))
            text.remove_suffix(1);
    }
    return count;
}

/// Beginning of the last `count` fields of a line, separated by blanks alone, since a comma may be the last word of a
/// sentence; nothing where there are fewer.
std::optional<std::size_t> last_fields(std::string_view line, std::size_t count)
{
    std::size_t begin = line.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t last = line.substr(0, begin).find_last_not_of(" \r");
        if (last == std::string_view::npos)
            return std::nullopt;
        begin = line.substr(0, last).rfind(' ') + 1; // 0 where there is none
    }
    return begin;
}

/// "ROWS DIMENSION", two whole numbers and nothing else.
struct RowsHeader {
    std::uint64_t rows = 0;
    std::size_t dimension = 0;
};

std::optional<RowsHeader> rows_header(std::string_view line)
{
    line = without_tail(line);
    RowsHeader header;
    const char* const end = line.data() + line.size();
    const auto rows = std::from_chars(line.data(), end, header.rows);
    if (rows.ec != std::errc() || rows.ptr == end || *rows.ptr != ' ')
        return std::nullopt;
    const auto dimension = std::from_chars(rows.ptr + 1, end, header.dimension);
    if (dimension.ec != std::errc() || dimension.ptr != end || header.dimension == 0)
        return std::nullopt;
    return header;
}

class TextRows final : public Rows {
public:
    TextRows(const fs::path& file, bool has_sentences)
        : path_(file), file_(base::open_file(file)), has_sentences_(has_sentences)
    {
        const std::string_view all = base::without_mark(file_.bytes());
        if (without_tail(all).empty())
            fail(1, "is empty; it should hold vectors");
        std::string_view rest = all;
        const std::string_view line = base::take_line(rest);
        const auto header = header_of(line, rest);
        dimension_ = header ? header->dimension : dimension_of(line);
        first_line_ = header ? 2 : 1;
        if (!header)
            rest = all;
        for (std::size_t number = first_line_; !rest.empty(); ++number)
            add(base::take_line(rest), number);
        if (header && header->rows != rows_.size())
            fail(1,
                 fmt::format("promises {} rows, but the file has {}: it is truncated, or damaged",
                             header->rows, rows_.size()));
    }

    [[nodiscard]] std::size_t size() const noexcept override { return rows_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept override { return dimension_; }

    void read(std::size_t row, std::span<float> out) const override
    {
        std::string_view text = rows_[row];
        for (float& value : out) {
            while (!text.empty() && separates(text.front()))
                text.remove_prefix(1);
            double number = 0;
            if (!word_vectors::take_number(text, number) ||
                !(text.empty() || separates(text.front())))
                fail(first_line_ + row, fmt::format("value {} of {} is not a finite number",
                                                    &value - out.data() + 1, out.size()));
            value = static_cast<float>(number);
        }
    }

    [[nodiscard]] std::string where(std::size_t row) const override
    {
        return fmt::format("{}:{}", path_.string(), first_line_ + row);
    }
    [[nodiscard]] const std::vector<std::string_view>* sentences() const noexcept override
    {
        return has_sentences_ ? &sentences_ : nullptr;
    }

private:
    /// The header of a file. In a file of values alone a first line of two numbers may be a row itself: it is a
    /// header where as many rows follow.
    [[nodiscard]] std::optional<RowsHeader> header_of(std::string_view line,
                                                      std::string_view rows) const
    {
        const auto header = rows_header(line);
        if (!header || has_sentences_)
            return header;
        std::string_view rest = rows;
        if (count_values(base::take_line(rest)) != header->dimension)
            return std::nullopt;
        const auto ends = static_cast<std::uint64_t>(std::ranges::count(rows, '\n'));
        const bool is_count = ends + (rows.back() == '\n' ? 0 : 1) == header->rows;
        return header->dimension != 2 || is_count ? header : std::nullopt;
    }

    [[noreturn]] void fail(std::size_t line, const std::string& why) const
    {
        base::refuse("{}:{}: {}", path_.string(), line, why);
    }

    /// Dimension of a file without header, by its first line.
    [[nodiscard]] std::size_t dimension_of(std::string_view line) const
    {
        const std::size_t tab = has_sentences_ ? line.find('\t') : 0;
        if (tab == std::string_view::npos)
            fail(1, "has no tab between sentence and values, and no first line 'ROWS DIMENSION' "
                    "that says where the values begin; where the file has values only, name the "
                    "file of the sentences with the parameter 'sentences'");
        const std::size_t values = count_values(line.substr(tab));
        if (values == 0)
            fail(1, "has no values");
        return values;
    }

    /// The sentence ends at the tab, where there is one, else where the values begin.
    void add(std::string_view line, std::size_t number)
    {
        std::string_view values = line;
        std::string_view before;
        if (const std::size_t tab = line.find('\t'); has_sentences_ && tab != line.npos) {
            before = line.substr(0, tab);
            values = line.substr(tab + 1);
        } else if (has_sentences_) {
            const std::size_t begin = last_fields(line, dimension_).value_or(0);
            before = line.substr(0, begin);
            before = before.substr(0, before.find_last_not_of(' ') + 1);
            values = line.substr(begin);
            if (!word_vectors::is_number(values.substr(0, values.find(' '))))
                fail(number, fmt::format("has fewer than {} values", dimension_));
        }
        if (const std::size_t count = count_values(values); count != dimension_)
            fail(number, fmt::format("has {} values instead of {}", count, dimension_));
        rows_.push_back(without_tail(values));
        if (has_sentences_)
            sentences_.push_back(before);
    }

    fs::path path_;
    base::MappedFile file_;
    bool has_sentences_;
    std::size_t dimension_ = 0;
    std::size_t first_line_ = 1;
    std::vector<std::string_view> rows_; ///< the text of their values
    std::vector<std::string_view> sentences_;
};

} // namespace

std::unique_ptr<Rows> open_text(const fs::path& file, bool has_sentences)
{
    return std::make_unique<TextRows>(file, has_sentences);
}

} // namespace senteval::precomputed
