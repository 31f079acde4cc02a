// rows.hpp -- files of rows with named fields, as MTEB's and BEIR's sets have them.
#pragma once

#include "task/data_folder.hpp"
#include "tasks/readers/readers.hpp"
#include "text/records.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// Counts the values of a column of TSV, where nothing is quoted, that were quoted for CSV all the same.
class CsvQuotes {
public:
    void add(std::string_view value);

    /// Warns where two values or more are within quotation marks, and all other marks are doubled within such.
    void warn(Dataset& dataset, const std::string& file, std::string_view column) const;

private:
    std::size_t values_ = 0;
    std::size_t quoted_ = 0;
    bool has_bare_mark_ = false;
};

/// A file of records below the data folder, opened. Its form is told by its name unless it is given.
struct RecordFile {
    RecordFile(task::DataFolder& data,
               const std::string& name,
               bool has_header = true,
               text::Encoding encoding = text::Encoding::utf8,
               std::optional<text::RecordForm> given = {},
               std::optional<char> separator = {});

    /// Goes to the next record of those whose fields have names. Throws base::Error where it has more than the header.
    bool next();

    text::TextFile file;
    text::RecordForm form;
    text::Records records;
};

/// A finite number, blanks around it apart.
std::optional<double> parsed_number(std::string_view text);

/// 0 or 1 as a number, false or true; nothing where it is none of them.
std::optional<bool> parsed_flag(std::string_view text);

/// A row of a file. Its members throw base::Error naming file, line and field where that is not there or something else.
class NamedFields {
public:
    explicit NamedFields(const text::Records& row) : row_(row) {}

    /// A text, or a number as it is written.
    [[nodiscard]] std::string text(std::string_view field) const;
    [[nodiscard]] const std::vector<std::string>& texts(std::string_view field) const;
    [[nodiscard]] double number(std::string_view field) const;
    [[nodiscard]] std::vector<double> numbers(std::string_view field) const;
    /// Returns a text that may be missing or null; then it is empty.
    [[nodiscard]] std::string text_or_nothing(std::string_view field) const;
    [[nodiscard]] bool has(std::string_view field) const;
    [[nodiscard]] bool is_list(std::string_view field) const;

    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        row_.fail(format, std::forward<Args>(args)...);
    }

    /// The number that `text` of the field is.
    [[nodiscard]] double number_in(std::string_view field, std::string_view text) const;

private:
    /// Returns the number of a field; one that no field has where there is none of the name.
    [[nodiscard]] std::size_t find(std::string_view field) const;
    [[nodiscard]] std::size_t number_of(std::string_view field) const;

    const text::Records& row_;
};

/// Calls `read` for each row of a file below the data folder. Throws base::Error where it has none, or a name
/// twice; warns the dataset of CSV's quotes.
void each_row(task::DataFolder& data,
              Dataset& dataset,
              const std::string& name,
              const std::function<void(const NamedFields&)>& read);

/// A source of such files, whose `fill` adds parts to a dataset; they then get their order and samples. Empty names are
/// no files.
Source row_source(std::vector<std::string> files,
                  const std::function<void(task::DataFolder&, Dataset&)>& fill);

} // namespace senteval::tasks
