// text_file.hpp -- a text file read line by line, that knows where it is when something is wrong.
#pragma once

#include "base/error.hpp"
#include "base/files.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::text {

enum class Encoding {
    utf8,   ///< strict: an invalid byte is an error
    latin1, ///< every byte is a character; lines come out as UTF-8
    windows ///< Windows-1252, which is Latin-1 with characters at 0x80 to 0x9F
};

/// Marks that end a line. A last line needs none; one with nothing after it begins no line.
enum class LineEnds {
    newlines, ///< LF, CR LF and CR, as Python's `for line in file`
    unicode   ///< the wider set of str.splitlines(); see leading_line_end()
};

/// Counts that a reader made of a file.
struct Counts {
    std::uint64_t lines = 0;
    std::map<std::string, std::uint64_t, std::less<>> labels; ///< how often each occurs
};

/// Lines are views that live as long as the file does. A byte-order mark at the start is left out.
class TextFile {
public:
    /// `name` is what errors call the file. What is read is counted in `counts`, where given. Throws
    /// base::Error "name:line: ..." on invalid UTF-8, and on what is compressed or UTF-16 unless it `unpacks`.
    TextFile(std::string name,
             base::MappedFile file,
             Encoding encoding,
             LineEnds ends,
             Counts* counts = nullptr,
             bool unpacks = false);
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    TextFile(TextFile&&) = delete;
    TextFile& operator=(TextFile&&) = delete;
    ~TextFile() = default;

    /// Goes to the next line; false at the end of the file.
    bool next();

    [[nodiscard]] std::string_view line() const noexcept { return line_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Number of the line as an editor counts (newlines only), from 1.
    [[nodiscard]] std::size_t line_number() const noexcept { return line_number_; }

    /// `text` cut at each TAB. Throws where there are fewer than `at_least` columns. Valid until the
    /// next call.
    std::span<const std::string_view> columns(std::string_view text, std::size_t at_least);

    /// A number of the current line. `what` names it in the error, such as "gold score". White space
    /// around it is allowed; infinities, NaN and what lies beyond 1e30 are not: no scale reaches so
    /// far, and sums of its squares and their products would overflow.
    [[nodiscard]] double number(std::string_view text, std::string_view what) const;
    [[nodiscard]] int integer(std::string_view text, std::string_view what) const;

    /// Counts a label that the reader found in the current line.
    void count(std::string_view label) const;

    /// Throws base::Error "name:line: message".
    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        fail_with(fmt::format(format, std::forward<Args>(args)...));
    }

private:
    void unpack();
    void decode(const char* encoding);
    void require_valid_utf8() const;
    [[noreturn]] void fail_with(const std::string& message) const;

    std::string name_;
    base::MappedFile file_;
    std::string decoded_; ///< empty for plain UTF-8, which is read in place
    LineEnds ends_;
    Counts* counts_;
    std::string_view rest_;
    std::string_view line_;
    std::size_t line_number_ = 0;
    std::size_t next_number_ = 1;
    std::vector<std::string_view> columns_;
};

/// A piece of the file fit for a message: at most 40 bytes, cut between characters, quoted.
std::string quote(std::string_view text);

/// The same with the code points of what is not ASCII, as texts that differ may be printed alike: "'schön' (sch U+00F6 n)".
std::string spelled(std::string_view text);

} // namespace senteval::text
