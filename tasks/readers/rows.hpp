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

/// A file of records below the data folder, opened. Its form is told by its name unless it is given.
struct RecordFile {
    RecordFile(task::DataFolder& data,
               const std::string& name,
               bool has_header = true,
               text::Encoding encoding = text::Encoding::utf8,
               std::optional<text::RecordForm> given = {});

    /// Goes to the next record of those whose fields have names. Throws base::Error where it has more than the header.
    bool next();

    text::TextFile file;
    text::RecordForm form;
    text::Records records;
};

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

private:
    /// Returns the number of a field; one that no field has where there is none of the name.
    [[nodiscard]] std::size_t find(std::string_view field) const;
    [[nodiscard]] std::size_t number_of(std::string_view field) const;
    [[nodiscard]] double number_in(std::string_view field, std::string_view text) const;

    const text::Records& row_;
};

/// Calls `read` for each row of a file below the data folder. Throws base::Error where it has none.
void each_row(task::DataFolder& data,
              const std::string& name,
              const std::function<void(const NamedFields&)>& read);

/// A source of such files, whose `fill` adds parts to a dataset; they then get their order and samples. Empty names are
/// no files.
Source row_source(std::vector<std::string> files,
                  const std::function<void(task::DataFolder&, Dataset&)>& fill);

} // namespace senteval::tasks
