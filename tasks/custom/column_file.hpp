// column_file.hpp -- a user's file line by line, with the columns that the task reads.
#pragma once

#include "tasks/custom/columns.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// The views that it hands out live until the next line.
class ColumnFile {
public:
    /// Throws core::Error naming file and line where the header line has a column not at all or several
    /// times, or where a name and a number are the same column.
    ColumnFile(task::DataFolder& data, const std::string& relative, const ColumnFormat& format);

    /// Goes to the next item. Throws core::Error where the line has too few columns.
    bool next();

    [[nodiscard]] const text::TextFile& file() const { return file_; }
    [[nodiscard]] std::string_view first() const { return columns_[at_[first_key]]; }
    [[nodiscard]] std::string_view second() const { return columns_[at_[second_key]]; }
    [[nodiscard]] std::string_view target() const;

    /// What stands in the header line above the labels or scores; empty without a header.
    [[nodiscard]] std::string target_name() const;

    /// What looks wrong in the lines so far, a sentence each: a number that is the name of another column,
    /// quotation marks that were written for CSV and are read as text, lines with more columns than the header.
    [[nodiscard]] std::vector<std::string> data_warnings() const;

private:
    enum Key : std::size_t { first_key, second_key, target_key, keys };

    /// The values of a column.
    struct Quotes {
        std::size_t values = 0;  ///< that are not empty
        std::size_t quoted = 0;  ///< from end to end
        std::size_t doubled = 0; ///< of these, with quotes within that are all doubled

        void add(std::string_view value);
        [[nodiscard]] bool are_noticeable() const;
    };

    /// Lines with text beyond the columns of the header line.
    struct WideLines {
        std::size_t count = 0;
        std::size_t first = 0;   ///< its number
        std::size_t columns = 0; ///< that it has
    };

    [[nodiscard]] std::size_t find(const std::string& column);
    bool is_rest_empty();
    void look_for_wide_line();
    [[nodiscard]] std::string warning_of_quotes() const;
    [[nodiscard]] std::string warning_of_wide_lines() const;
    void require_different() const;

    text::TextFile file_;
    std::vector<std::string> header_;
    std::array<std::string, keys>
        names_; ///< as the task has them; empty: there is no second column
    std::array<std::size_t, keys> at_{};
    std::array<Quotes, keys> quotes_;
    WideLines wide_;
    std::vector<std::string> warnings_; ///< of the header line
    std::size_t needed_ = 0;
    std::span<const std::string_view> columns_;
};

} // namespace senteval::tasks
