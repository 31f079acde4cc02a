// child.hpp -- a program that runs while the test goes on.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace senteval::test {

/// A running program, silent.
class Child {
public:
    explicit Child(const std::string& command) : pid_(fork())
    {
        if (pid_ == 0) {
            for (const int number : {SIGINT, SIGTERM}) // ignored where the tests are in background
                ::signal(number, SIG_DFL);
            const int null = open("/dev/null", O_RDWR);
            for (const int stream : {0, 1, 2})
                dup2(null, stream);
            const std::string replace = "exec " + command;
            execl("/bin/sh", "sh", "-c", replace.c_str(), nullptr);
            _exit(127);
        }
    }
    void signal(int number) const { ::kill(pid_, number); }

    /// To its process group, which it leads where the command is "setsid ...".
    void signal_group(int number) const { ::kill(-pid_, number); }

    /// Exit code; 1000 + the signal that ended it.
    [[nodiscard]] int wait() const
    {
        int status = 0;
        waitpid(pid_, &status, 0);
        return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t pid_;
};

inline void sleep_for(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

} // namespace senteval::test
