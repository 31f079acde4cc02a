#include "host/output.hpp"

#include "core/descriptor.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <system_error>

namespace senteval::host {
namespace {

/// Set once, by claim_standard_output().
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

    // Not SIG_IGN, which the programs that an encoder starts would inherit.
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
}

int output_descriptor() noexcept
{
    return own_output;
}

void write_output(std::string_view text)
{
    if (const int problem = core::write_all(output_descriptor(), text); problem != 0)
        throw OutputError(problem);
}

void write_log(std::string_view text) noexcept
{
    (void)core::write_all(STDERR_FILENO, text);
}

} // namespace senteval::host
