// report.hpp -- reports of a trial to the process that waits for it, line by line: the trial may crash.
#pragma once

#include "base/descriptor.hpp"
#include "base/json.hpp"
#include "check/findings.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace senteval::check {

/// Writes one JSON line per message to a descriptor. Thread-safe.
class Report {
public:
    explicit Report(int descriptor) : descriptor_(descriptor) {}

    /// The trial of this number begins.
    void begin(std::size_t trial) { send({{"begin", trial}}); }

    /// From now on all is about this, which keeps the rules of text and vectors as a rule of its own; empty: about
    /// what it is without.
    void about(std::string_view what) { about_ = what; }

    /// The next step. A crash until the next message breaks `rule`; else it is kept.
    void doing(std::string_view rule, std::string_view shown)
    {
        send({{"doing", own(rule)}, {"shown", about_ + std::string(shown)}});
    }

    void kept(std::string_view rule) { found(rule, Outcome::kept, "", ""); }
    void skipped(std::string_view rule, std::string_view why)
    {
        found(rule, Outcome::skipped, "", why);
    }
    void broken(std::string_view rule, std::string_view shown, std::string_view detail)
    {
        ++broken_;
        found(rule, Outcome::broken, shown, detail);
    }

    /// Says why no further trial makes sense.
    void stop(std::string_view why) { send({{"stop", why}}); }

    /// The settings are not the encoder's: nothing is judged.
    void usage(std::string_view what) { send({{"usage", what}}); }

    /// A value that the process that waits needs.
    void result(base::Json value) { send({{"result", std::move(value)}}); }

    /// The trials are over, and nothing has ended this process.
    void done() { send({{"done", true}}); }

    /// Ends a process that the plugin has forked and in which its call returns as well.
    void end_if_forked(std::string_view shown)
    {
        if (getpid() == process_)
            return;
        broken("6.8", shown, "a process that it forked returned into the host");
        _exit(0);
    }

    /// The number of broken rules that were reported.
    [[nodiscard]] std::size_t count_broken() const noexcept { return broken_; }

private:
    void
    found(std::string_view rule, Outcome outcome, std::string_view shown, std::string_view detail)
    {
        send({{"found", own(rule)},
              {"outcome", static_cast<int>(outcome)},
              {"shown", about_ + std::string(shown)},
              {"detail", detail}});
    }

    [[nodiscard]] std::string_view own(std::string_view rule) const
    {
        const bool is_other = rule.starts_with("10.") || rule.starts_with("11.");
        return !about_.empty() && is_other ? "13.4" : rule;
    }

    void send(const base::Json& message)
    {
        const std::lock_guard lock(mutex_);
        (void)base::write_all(descriptor_, base::to_text(message) + "\n");
    }

    int descriptor_;
    std::string about_;
    pid_t process_ = getpid();
    std::mutex mutex_;
    std::atomic<std::size_t> broken_{0};
};

} // namespace senteval::check
