// watchdog.hpp -- ends a trial that takes too long, and knows whom to blame for it.
#pragma once

#include "check/measure.hpp"
#include "check/reporter.hpp"

#include <atomic>
#include <thread>

namespace senteval::check {

/// After `limit` of the process's own time every call is cancelled; where the one at work does not
/// return even then, a rule is broken and the process ends: 12.2 where calls on one instance overlap, 5.1 where
/// there is more than one instance, 5.5 otherwise. Functions that nobody can cancel have
/// the same time; a crash is then what the supervisor takes it for.
class Watchdog {
public:
    Watchdog(Reporter& reporter, Seconds limit);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    Watchdog(Watchdog&&) = delete;
    Watchdog& operator=(Watchdog&&) = delete;
    ~Watchdog();

    /// A function of the plugin is at work on this thread while it lives; a crash within is put down to it.
    class Running {
    public:
        explicit Running(const char* function) noexcept;
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        Running(Running&&) = delete;
        Running& operator=(Running&&) = delete;
        ~Running();
    };

    /// There is an instance while it lives.
    class Alive {
    public:
        Alive() noexcept;
        Alive(const Alive&) = delete;
        Alive& operator=(const Alive&) = delete;
        Alive(Alive&&) = delete;
        Alive& operator=(Alive&&) = delete;
        ~Alive();
    };

private:
    void watch(Seconds limit, const OwnTime& time);

    Reporter& reporter_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace senteval::check
