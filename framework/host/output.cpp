#include "host/output.hpp"

#include "core/descriptor.hpp"
#include "host/terminal.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <system_error>

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

/// What the program itself writes: "\x1b[1m" and "\x1b[0m"; 0 where another thing begins.
std::size_t style_size(std::string_view text)
{
    for (const std::string_view style : {"\x1b[1m", "\x1b[0m"})
        if (text.starts_with(style))
            return style.size();
    return 0;
}

} // namespace

OutputError::OutputError(int code)
    : core::Error("cannot write to standard output: {}", std::generic_category().message(code)),
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

void silence_log() noexcept
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (const int stream : {STDERR_FILENO, STDOUT_FILENO})
        dup2(nowhere, stream);
    close(nowhere);
}

int output_descriptor() noexcept
{
    return own_output;
}

void write_output(std::string_view text)
{
    const int problem = core::write_all(output_descriptor(), text);
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

std::string json_text(const core::Json& json)
{
    return core::to_text(json, 2) + "\n";
}

void emit_json(const core::Json& json)
{
    write_output(is_terminal(Stream::out)
                     ? json.dump(2, ' ', true, core::Json::error_handler_t::replace) + "\n"
                     : json_text(json));
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
        folded += line.starts_with(' ') ? line : report::wrapped(line, width(Stream::err), 0);
        folded += end < shown.size() ? "\n" : "";
        begin = end + 1;
    }
    return folded;
}

void write_log(std::string_view text) noexcept
{
    (void)core::write_all(STDERR_FILENO, text);
}

} // namespace senteval::host
