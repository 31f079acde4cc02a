#include "python/signal_handlers.hpp"

#include <cstddef>

namespace senteval::python {
namespace {

bool asks_to_stop(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

bool is_same(const struct sigaction& a, const struct sigaction& b)
{
    // The two are members of a union.
    return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags;
}

} // namespace

ScriptSignals::Handlers ScriptSignals::handlers()
{
    Handlers handlers{};
    for (int signal = 1; signal < NSIG; ++signal)
        sigaction(signal, nullptr, &handlers[static_cast<std::size_t>(signal)]);
    return handlers;
}

void ScriptSignals::enter()
{
    of_host_ = handlers();
    for (const auto& [signal, handler] : of_scripts_)
        sigaction(signal, &handler, nullptr);
}

void ScriptSignals::leave()
{
    const Handlers left = handlers();
    of_scripts_.clear();
    for (int signal = 1; signal < NSIG; ++signal) {
        const auto at = static_cast<std::size_t>(signal);
        if (is_same(left[at], of_host_[at]))
            continue;
        if (!asks_to_stop(signal))
            of_scripts_[signal] = left[at];
        sigaction(signal, &of_host_[at], nullptr);
    }
}

} // namespace senteval::python
