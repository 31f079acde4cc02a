// output.hpp -- the program's standard output and its log (standard error), and what terminals there can show.
//
// Encoders are foreign code in this process: what they, or programs they start, write to file
// descriptor 1 must not come between results. So standard output is moved to a descriptor of the
// program's own, and descriptor 1 leads to the log. Everything the commands write goes through here.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/terminal.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace senteval::host {

inline constexpr int exit_failed = 1; ///< some task failed, or what was asked for cannot be done
inline constexpr int exit_usage = 2;  ///< usage or configuration
inline constexpr int exit_no = 3;     ///< `compare --gate`, `same`: no
inline constexpr int exit_open = 4;   ///< it could not tell
inline constexpr int exit_interrupted = 128 + SIGINT;  ///< as shells know it
inline constexpr int exit_closed_pipe = 128 + SIGPIPE; ///< likewise

/// Standard output cannot take what is written.
class OutputError : public base::Error {
public:
    explicit OutputError(int code);

    /// Whether its reader has gone, as `head` does; that is no error.
    [[nodiscard]] bool is_closed() const noexcept;

private:
    int code_;
};

/// Call at the start of the program and before a library of an encoder is loaded; the program cannot execute itself
/// again afterwards. Does nothing the second time. Writing to a pipe that nobody reads, or more than a file may hold,
/// becomes an error instead of the end of the program (and ends the programs that this one starts, as before).
void claim_standard_output();

/// The descriptor of standard output; -1 where the program was started without.
int output_descriptor() noexcept;

/// Writes to standard output, at once. Throws OutputError. From any thread.
void write_output(std::string_view text);

/// Writes to the log. A log that cannot be written takes nothing from the results. From any thread.
void write_log(std::string_view text) noexcept;

/// Text in which nothing moves the cursor or changes the terminal, whatever names, messages and data it
/// was made of: as sdk::printable() shows it. What makes text bold stays, since the program itself writes it.
std::string printable(std::string_view text);

/// write_output() of a formatted text, made printable.
template <typename... Args>
void emit(fmt::format_string<Args...> format, Args&&... args)
{
    write_output(printable(fmt::format(format, std::forward<Args>(args)...)));
}

/// A JSON document, indented, and a line end. Characters that a terminal would obey stand in it as \u
/// escapes: it means the same, and may be shown.
std::string json_text(const base::Json& json);

inline void emit_json(const base::Json& json)
{
    write_output(json_text(json));
}

/// Writes a document for programs, such as CSV: as it is, but where a terminal shows it, printable.
void emit_data(std::string_view text);

/// `text` for the log: printable, and between words in lines of the terminal's width where there is one.
/// Lines that begin with a blank, such as commands to be copied, stay whole.
std::string log_text(std::string_view text);

/// write_log() of a formatted text, as log_text() makes it.
template <typename... Args>
void note(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_text(fmt::format(format, std::forward<Args>(args)...)));
}

/// Throws base::UsageError, with the option and the reason, where no file can be put at `path` in place
/// of what is there. Missing folders do not count: they are made.
void check_replaceable(std::string_view option, const std::filesystem::path& path);

/// A file, replaced as a whole; a device or pipe, written to; or "-", standard output. A relative
/// path starts from the folder in which this was made: libraries that are loaded later may change it.
class OutputFile {
public:
    /// `option` is what errors call it. With an empty target nothing is ever written.
    OutputFile(std::string option, const std::string& target);

    /// Call before the work begins. Throws base::UsageError with the reason, also where the folder is missing.
    void check_writable() const;

    /// Throws base::Error with the reason.
    void write(std::string_view text) const;

    [[nodiscard]] bool is_standard_output() const { return target_ == "-"; }

private:
    [[nodiscard]] bool is_special() const;

    std::string option_;
    std::string target_;
};

enum class Stream { out, err };

/// Whether a person looks at the stream.
bool is_terminal(Stream stream);

/// is_terminal, and neither NO_COLOR nor TERM=dumb speaks against escape sequences.
bool has_style(Stream stream);

/// Columns: of standard output those that COLUMNS asks for, else those of the terminal; 100 elsewhere.
std::size_t width(Stream stream);

/// How tables are written to standard output: folded to its columns where there is a terminal or COLUMNS.
report::TerminalStyle table_style();

/// base::wrapped() in those columns, for a list on standard output; as it is where nothing says how many.
std::string wrapped_for_reading(std::string_view text,
                                std::size_t indent,
                                base::LongWords long_words = base::LongWords::whole);

/// A line of such a list: `left` in its columns, and `text` beside it, or below where that leaves it no room.
std::string list_line(const std::string& left, std::string_view text);

} // namespace senteval::host
