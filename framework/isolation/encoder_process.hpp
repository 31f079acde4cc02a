// encoder_process.hpp -- the program's side of the process of an encoder: requests, answers, and its end.
#pragma once

#include "base/descriptor.hpp"
#include "encoder/encoder.hpp"
#include "isolation/limits.hpp"
#include "isolation/protocol.hpp"
#include "isolation/shared_buffer.hpp"

#include <senteval/child.hpp>
#include <senteval/encoder.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace senteval::isolation {

/// Shared memory that calls of one thread go through. Outlives the processes that see it.
struct Lane {
    SharedBuffer input{input_size};
    SharedBuffer output{output_size};
};

/// How long a call is waited for, and what happens meanwhile.
struct Waiting {
    std::stop_token stop;
    std::function<void(std::uint64_t done, std::uint64_t total)> progress; ///< may be empty
    std::chrono::milliseconds limit{0};                                    ///< 0: none
};

/// The log level of text that an encoder prints.
inline constexpr std::uint32_t printed = SENTEVAL_LOG_ERROR + 1;

/// Hears the lines that are logged, and, with the level `printed`, bytes that are printed, as they come.
using LogSink = std::function<void(std::uint32_t level, std::string_view text)>;

class EncoderProcess {
public:
    /// Starts the process. `lanes`, `samples` and `log` must outlive it. Throws base::Error.
    EncoderProcess(const Service& service,
                   std::span<const std::unique_ptr<Lane>> lanes,
                   const SharedBuffer& samples,
                   LogSink log);
    EncoderProcess(const EncoderProcess&) = delete;
    EncoderProcess& operator=(const EncoderProcess&) = delete;
    ~EncoderProcess();

    /// Sends a request on a lane and waits. Calls may overlap on different lanes. Throws
    /// encoder::ProcessEnded, and base::Cancelled where a stop was requested and not answered within a
    /// second: then the process is ended.
    Answer call(std::size_t lane, Request request, const Waiting& waiting);

    /// The text of an answer; views the lane's output.
    [[nodiscard]] std::string_view text_of(std::size_t lane, const Answer& answer) const;

    /// Waits until the process has ended after `destroy`. Throws encoder::ProcessEnded where it fails or
    /// takes longer.
    void leave(std::chrono::milliseconds at_most);

    /// False once its end has been noticed.
    [[nodiscard]] bool is_alive();

    [[nodiscard]] Status& status() const noexcept;
    [[nodiscard]] const Limits& limits() const noexcept { return limits_; }

private:
    enum class Cause {
        ended, ///< by itself or from outside
        call_limit,
        closed,    ///< it closed its connection, and was ended for it
        bad_answer ///< it sent an invalid answer, and was ended for it
    };
    struct Death {
        Cause cause = Cause::ended;
        sdk::ChildEnding ending;
    };
    struct Watch;

    [[nodiscard]] std::optional<Answer>
    receive(std::size_t lane, const Request& request, const Waiting& waiting);
    void look(std::size_t lane, Watch& watch, const Waiting& waiting, Operation operation);
    void show_progress(std::size_t lane, Watch& watch, const Waiting& waiting) const;
    void kill();
    /// Ends the process if need be, and throws. The first cause counts.
    [[noreturn]] void died(Cause cause, Operation operation, const Waiting& waiting);
    [[nodiscard]] encoder::ProcessEnded death_in(Operation operation) const; ///< with mutex_
    void drain_log();
    void drain_prints(); ///< with log_mutex_
    [[nodiscard]] int prints_end();

    std::span<const std::unique_ptr<Lane>> lanes_;
    const SharedBuffer& samples_;
    const Limits limits_;
    LogSink log_;
    SharedBuffer status_{status_size};
    std::vector<base::Descriptor> sockets_; ///< of the lanes
    base::Descriptor log_socket_;
    std::optional<base::Descriptor>
        prints_; ///< reads what it prints; none once all ends are closed
    std::optional<sdk::Child> child_;
    std::mutex log_mutex_;
    std::mutex mutex_; ///< of what follows, and of the child
    std::uint64_t requests_ = 0;
    bool is_stop_told_ = false;
    std::optional<Death> death_;
};

} // namespace senteval::isolation
