#include "host/interrupt.hpp"

#include <csignal>
#include <thread>
#include <unistd.h>
#include <utility>

namespace senteval::host {

std::stop_token stop_on_interrupt()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);

    std::stop_source source;
    std::stop_token token = source.get_token();
    // Lives as long as the process: it only ever waits.
    std::thread([signals, source = std::move(source)]() mutable {
        for (int received = 0;; ++received) {
            int signal = 0;
            sigwait(&signals, &signal);
            if (received > 0)
                _exit(interrupted_exit_code);
            source.request_stop();
        }
    }).detach();
    return token;
}

} // namespace senteval::host
