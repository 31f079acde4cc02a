// reporter.hpp -- what a trial tells the process that supervises it, while it runs: the trial may crash.
#pragma once

#include "check/measure.hpp"
#include "core/json.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace senteval::check {

/// Writes one JSON line per message to a descriptor. Thread-safe.
class Reporter {
public:
    explicit Reporter(int descriptor) : descriptor_(descriptor) {}

    /// What is done next. A crash until the next message is blamed on `rule`.
    void doing(std::string_view rule, std::string_view shown);

    // Of the last doing().
    [[nodiscard]] std::string rule();
    [[nodiscard]] std::string shown();

    /// A rule that was looked at: kept, unless it is broken as well.
    void tried(std::string_view rule);

    void broken(std::string_view rule, std::string_view shown, std::string_view detail);
    void not_tried(std::string_view rule, std::string_view why);

    /// Why no further trial makes sense.
    void stop(std::string_view why);

    /// The settings are not the encoder's: nothing is judged.
    void usage(std::string_view what);

    /// Something for the supervisor.
    void result(core::Json value);

    /// The process ends here; why has been said.
    void give_up();

    /// The trial has come to its end.
    void done();

    /// A part of a trial begins, after so much own time of the process.
    void part(std::size_t number, Seconds spent);

    /// Own time of the process until now.
    void spent(Seconds seconds);

    /// What an instance says that it keeps, and whether it takes long to make.
    void known(std::uint32_t claims, bool is_slow);

    /// How often something was broken so far.
    [[nodiscard]] std::size_t found() const noexcept { return found_; }
    [[nodiscard]] bool has_stopped() const noexcept { return stopped_; }

private:
    void send(const core::Json& message);

    int descriptor_;
    std::mutex mutex_;
    std::string rule_;
    std::string shown_;
    std::atomic<std::size_t> found_{0};
    std::atomic<bool> stopped_{false};
};

} // namespace senteval::check
