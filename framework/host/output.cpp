#include "host/output.hpp"

#include "core/descriptor.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace senteval::host {
namespace {

/// Set once, by claim_standard_output().
std::atomic<int> own_output{STDOUT_FILENO};
struct stat own_file {};

/// Whether the program's descriptor still leads to what was standard output: foreign code that closes
/// descriptors, or replaces them, may have made it another file.
bool is_still_ours()
{
    struct stat now {};
    if (own_output == STDOUT_FILENO)
        return true; // not claimed yet
    return fstat(own_output, &now) == 0 && now.st_dev == own_file.st_dev &&
           now.st_ino == own_file.st_ino && now.st_rdev == own_file.st_rdev;
}

/// A standard stream that is closed would be given to the next file that is opened.
void fill_closed_streams()
{
    for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR))
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

/// Bytes that may be shown as they are at the begin of a text; 0: the first one may not.
std::size_t shown_size(std::string_view text)
{
    for (const std::string_view style : {"\x1b[1m", "\x1b[0m"})
        if (text.starts_with(style))
            return style.size();
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80)
        return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f ? 0 : 1;
    const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const bool is_control = first == 0xc2 && text.size() > 1 &&
                            static_cast<unsigned char>(text[1]) < 0xa0; // U+0080 to U+009F
    return !is_control && text.size() >= size &&
                   text::find_invalid_utf8(text.substr(0, size)) == std::string_view::npos
               ? size
               : 0;
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
    std::fflush(stdout);
    constexpr int first = STDERR_FILENO + 1;
    const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, first);
    fill_closed_streams();
    dup2(STDERR_FILENO, STDOUT_FILENO);
    own_output = own;
    (void)fstat(own, &own_file);

    // Not SIG_IGN, which the programs that an encoder starts would inherit.
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
}

void silence_log() noexcept
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

int output_descriptor() noexcept
{
    return own_output;
}

void write_output(std::string_view text)
{
    const int problem = is_still_ours() ? core::write_all(output_descriptor(), text) : EBADF;
    if (problem != 0)
        throw OutputError(problem);
}

std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = shown_size(text);
        if (size > 0)
            result += text.substr(0, size);
        else
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

void write_log(std::string_view text) noexcept
{
    (void)core::write_all(STDERR_FILENO, text);
}

} // namespace senteval::host
