#include "host/output.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/home.hpp"

#include <senteval/printable.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace senteval::host {
namespace {

// Set once, by claim_standard_output().
std::atomic<int> own_output{STDOUT_FILENO};

/// A standard stream that is closed would be given to the next file that is opened.
void fill_closed_streams()
{
    for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR))
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

/// Length of a style of the program's own, "\x1b[1m" or "\x1b[0m", at the start of the text; else 0.
std::size_t style_size(std::string_view text)
{
    for (const std::string_view style : {"\x1b[1m", "\x1b[0m"})
        if (text.starts_with(style))
            return style.size();
    return 0;
}

namespace fs = std::filesystem;

/// The target whatever becomes of the working directory and of descriptor 1.
std::string resolved(const std::string& target)
{
    constexpr std::array<std::string_view, 3> standard_output = {"/dev/stdout", "/dev/fd/1",
                                                                 "/proc/self/fd/1"};
    if (std::ranges::find(standard_output, target) != standard_output.end())
        return "-";
    return target.empty() || target == "-" ? target
                                           : fs::absolute(base::expand_home(target)).string();
}

int descriptor(Stream stream)
{
    return stream == Stream::out ? output_descriptor() : STDERR_FILENO;
}

/// The width that the user set; 0: none.
std::size_t wanted_columns(Stream stream)
{
    const char* columns = std::getenv("COLUMNS");
    if (stream == Stream::err || columns == nullptr)
        return 0;
    constexpr unsigned long fewest = 20;
    const unsigned long wanted = std::strtoul(columns, nullptr, 10);
    return wanted >= fewest ? wanted : 0;
}

} // namespace

OutputError::OutputError(int code)
    : base::Error("cannot write to standard output: {}", std::generic_category().message(code)),
      code_(code)
{
}

bool OutputError::is_closed() const noexcept
{
    return code_ == EPIPE;
}

void claim_standard_output()
{
    constexpr int first = STDERR_FILENO + 1;
    if (own_output >= first)
        return;
    std::fflush(stdout);
    const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, first);
    fill_closed_streams();
    dup2(STDERR_FILENO, STDOUT_FILENO);
    own_output = own;

    // A reader who has gone, and a file that may not grow (ulimit -f), are errors of write(). Not
    // SIG_IGN, which the programs that an encoder starts would inherit.
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGPIPE, SIGXFSZ})
        sigaction(number, &action, nullptr);
}

int output_descriptor() noexcept
{
    return own_output;
}

void write_output(std::string_view text)
{
    const int problem = base::write_all(output_descriptor(), text);
    if (problem != 0)
        throw OutputError(problem);
}

std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size =
            text.front() == '\n' || text.front() == '\t' ? 1 : style_size(text);
        if (size == 0) {
            result += sdk::take_shown(text);
            continue;
        }
        result += text.substr(0, size);
        text.remove_prefix(size);
    }
    return result;
}

std::string json_text(const base::Json& json)
{
    const std::string text = base::to_text(json, 2);
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view character = std::string_view(text).substr(
            at, sdk::character_length(std::string_view(text).substr(at)));
        at += character.size();
        const char32_t code = sdk::code_point(character);
        if (code == U'\n' || !sdk::is_unseen(code))
            shown += character;
        else if (code <= 0xFFFF)
            shown += fmt::format("\\u{:04x}", unsigned{code});
        else // as two surrogates
            shown += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((unsigned{code} - 0x10000) >> 10U),
                                 0xDC00 + (unsigned{code} & 0x3FFU));
    }
    return shown + "\n";
}

void emit_data(std::string_view text)
{
    write_output(is_terminal(Stream::out) ? printable(text) : text);
}

std::string log_text(std::string_view text)
{
    std::string shown = printable(text);
    if (!is_terminal(Stream::err))
        return shown;
    std::string folded;
    for (std::size_t begin = 0; begin < shown.size();) {
        const std::size_t end = std::min(shown.find('\n', begin), shown.size());
        const std::string line = shown.substr(begin, end - begin);
        folded += line.starts_with(' ') ? line : base::wrapped(line, width(Stream::err), 0);
        folded += end < shown.size() ? "\n" : "";
        begin = end + 1;
    }
    return folded;
}

void write_log(std::string_view text) noexcept
{
    (void)base::write_all(STDERR_FILENO, text);
}

void check_replaceable(std::string_view option, const fs::path& path)
{
    try {
        base::check_replaceable(path);
    } catch (const base::Error& e) {
        throw base::UsageError("{}: {}", option, e.what());
    }
}

OutputFile::OutputFile(std::string option, const std::string& target)
    : option_(std::move(option)), target_(resolved(target))
{
}

/// A device or pipe must not be replaced by a file.
bool OutputFile::is_special() const
{
    std::error_code error;
    return fs::is_other(fs::status(target_, error));
}

void OutputFile::check_writable() const
{
    if (target_.empty() || target_ == "-" || is_special())
        return;
    std::error_code error;
    const fs::path folder =
        fs::weakly_canonical(target_, error).parent_path(); // of what a link names
    if (!fs::is_directory(folder))
        throw base::UsageError("{}: there is no folder '{}'", option_, folder.string());
    check_replaceable(option_, target_);
}

void OutputFile::write(std::string_view text) const
{
    if (target_.empty())
        return;
    if (target_ == "-") {
        write_output(text);
        return;
    }
    if (!is_special()) {
        base::write_file_atomically(target_, text);
        return;
    }
    std::ofstream file(target_, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
    if (!file)
        throw base::Error("{}: cannot write to '{}'", option_, target_);
}

bool is_terminal(Stream stream)
{
    return isatty(descriptor(stream)) != 0;
}

bool has_style(Stream stream)
{
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return is_terminal(stream) && !refused &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t width(Stream stream)
{
    if (const std::size_t wanted = wanted_columns(stream); wanted > 0)
        return wanted;
    winsize size{};
    if (is_terminal(stream) && ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

report::TerminalStyle table_style()
{
    return {has_style(Stream::out), width(Stream::out),
            is_terminal(Stream::out) || wanted_columns(Stream::out) > 0};
}

std::string
wrapped_for_reading(std::string_view text, std::size_t indent, base::LongWords long_words)
{
    const report::TerminalStyle style = table_style();
    return style.folds ? base::wrapped(text, style.width, indent, long_words) : std::string(text);
}

std::string list_line(const std::string& left, std::string_view text)
{
    constexpr std::size_t readable = 28;
    constexpr std::size_t below = 4;
    const std::size_t used = base::display_width(left);
    const report::TerminalStyle style = table_style();
    if (!style.folds || used + std::min(readable, text.size()) <= style.width)
        return left + wrapped_for_reading(text, used) + '\n';
    return left.substr(0, left.find_last_not_of(' ') + 1) + '\n' + std::string(below, ' ') +
           wrapped_for_reading(text, below) + '\n';
}

} // namespace senteval::host
