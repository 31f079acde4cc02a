// records.hpp -- files of records with fields: columns behind TABs, CSV, JSON lines.
#pragma once

#include "text/text_file.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace senteval::text {

enum class RecordForm {
    tsv,       ///< a line is a record, a TAB ends a field, nothing is quoted
    excel_tab, ///< csv, separated by TABs
    csv,       ///< RFC 4180
    json_lines ///< a line is an object; numbers keep their digits
};

/// A text, or a list of them; neither where a JSON object has nothing else there, or nothing at all.
using Field = std::variant<std::monostate, std::string, std::vector<std::string>>;

/// Form by the end of the name, a final ".gz" apart: .csv; .json, .jsonl and .ndjson; every other is tsv.
RecordForm record_form_of(std::string_view file_name);

/// The records of a file, one after the other. Throws base::Error "name:line: ..." where a record is malformed.
class Records {
public:
    /// `file` must outlive this and is read by nobody else. With a header, the first line names the fields; those of
    /// JSON by the objects: header() grows with them. The separator of CSV is the one given, else that of a first line
    /// "sep=;", else whichever of comma, semicolon, TAB and | the first line has most.
    Records(TextFile& file,
            RecordForm form,
            bool has_header,
            std::optional<char> separator = std::nullopt);
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    Records(Records&&) = delete;
    Records& operator=(Records&&) = delete;
    ~Records();

    /// Goes to the next record; false at the end. An empty record of a TSV file has no fields.
    bool next();

    /// Names of the fields; empty without a header.
    [[nodiscard]] const std::vector<std::string>& header() const noexcept { return header_; }
    [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }

    /// Valid until the next record. Throws base::Error where the record has no such field, or no text in it.
    [[nodiscard]] std::string_view field(std::size_t number) const;

    /// The same for a list of texts, numbers or both, as only JSON has them.
    [[nodiscard]] const std::vector<std::string>& list(std::size_t number) const;

    /// The field, without an error where there is none.
    [[nodiscard]] Field value(std::size_t number) const
    {
        return number < fields_.size() ? fields_[number] : Field();
    }

    /// Number of the record's first line, from 1.
    [[nodiscard]] std::size_t line_number() const noexcept { return line_number_; }

    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        throw base::Error("{}:{}: {}", file_.name(), line_number_,
                          fmt::format(format, std::forward<Args>(args)...));
    }

private:
    struct Csv;

    bool read();
    bool read_csv();
    bool read_json();
    [[nodiscard]] std::string field_name(std::size_t number) const;

    TextFile& file_;
    RecordForm form_;
    std::optional<char> separator_; ///< as given, or known by its form or first line
    bool is_peeked_ = false;        ///< the first object was read for its names
    std::vector<std::string> header_;
    std::vector<Field> fields_;
    std::unique_ptr<Csv> csv_;
    std::size_t line_number_ = 0;
};

} // namespace senteval::text
