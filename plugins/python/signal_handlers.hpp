// signal_handlers.hpp -- the signal handlers of scripts, which hold while their code runs.
#pragma once

#include <csignal>

#include <array>
#include <map>

namespace senteval::python {

/// The handlers of a process are not for a plugin to change: what scripts set is taken back when their code
/// returns, and set again when it runs again. SIGINT, SIGTERM and SIGHUP, which ask the process to stop, are
/// the host's then, too. On one thread only.
class ScriptSignals {
public:
    /// Before scripts run.
    void enter();
    /// After them.
    void leave();

private:
    using Handlers = std::array<struct sigaction, NSIG>;

    static Handlers handlers();

    Handlers of_host_{};
    std::map<int, struct sigaction> of_scripts_; ///< by signal
};

} // namespace senteval::python
