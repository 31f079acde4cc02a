// process_state.hpp -- what a plugin must leave as it is (rule 6 of encoder.h), compared and put back.
#pragma once

#include "core/descriptor.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace senteval::encoder {

/// Something that was changed, and how it stood when it was found: {"6.1", "the locale was 'de_DE.UTF-8' in
/// place of 'C'"}.
struct Disturbance {
    std::string_view rule;
    std::string what;
};

/// What belongs to the calling thread: floating-point control words, signal mask, its own locale.
class ThreadState {
public:
    /// As it is now.
    ThreadState();

    /// Puts back what is different by now, on the thread it was taken on, and says what that was.
    void restore(std::vector<Disturbance>& found) const;

private:
    struct FloatingPoint {
        int rounding = 0;
        unsigned sse = 0; ///< control bits of MXCSR; 0 on other processors
        unsigned x87 = 0;
        bool operator==(const FloatingPoint&) const = default;
    };
    static FloatingPoint floating_point() noexcept;
    static void set(const FloatingPoint& state) noexcept;

    FloatingPoint floating_point_;
    sigset_t mask_;
    locale_t locale_;
};

/// What all threads share: locale, signal handlers, working directory, mask of new files, standard streams.
class ProcessState {
public:
    /// As it is now.
    ProcessState();

    /// Puts back what is different by now, and says what that was.
    void restore(std::vector<Disturbance>& found) const;

    /// The same of the locale alone: no system call.
    void restore_locale(std::vector<Disturbance>& found) const;

    /// The same of the standard streams: a closed one would be given to the next file that is opened,
    /// such as a result that is being written, and an open one take what is meant for the log.
    void restore_streams(std::vector<Disturbance>& found) const;

private:
    static constexpr std::size_t signals = 65;

    /// A standard stream as it was: the file behind it, and a descriptor to put it back from.
    struct Stream {
        struct stat file {};
        core::Descriptor copy;
        explicit Stream(int number);
    };
    using Streams = std::array<Stream, 3>;

    void restore_handlers(std::vector<Disturbance>& found) const;
    void restore_folder(std::vector<Disturbance>& found) const;
    void restore_file_mask(std::vector<Disturbance>& found) const;

    std::string locale_;
    std::locale cpp_locale_;
    std::array<std::optional<struct sigaction>, signals> handlers_;
    std::shared_ptr<const core::Descriptor> folder_;
    std::string folder_name_;
    std::optional<mode_t> file_mask_;
    std::shared_ptr<const Streams> streams_;
};

/// Watches over the calls of one plugin. Thread-safe.
class StateWatch {
public:
    /// `tell` hears of each rule once, with the function that broke it; on the thread of the call.
    using Tell = std::function<void(const Disturbance& found, std::string_view function)>;
    explicit StateWatch(Tell tell) : tell_(std::move(tell)) {}

    /// How often a function is called. After one that is called for every batch or list, what the thread
    /// has, the locale and the standard streams are compared at once, the rest, which takes a hundred
    /// system calls, every few milliseconds and before another function is called.
    enum class Often { rarely, for_every_batch };

    /// One call, from construction to destruction.
    class Call {
    public:
        /// `function` is a literal.
        Call(StateWatch& watch, std::string_view function, Often often = Often::rarely);
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        Call(Call&&) = delete;
        Call& operator=(Call&&) = delete;
        ~Call();

        /// Ends a process that the plugin forked and in which the call returns as well: the run is not its to
        /// go on with. Done at the end of the call in any case.
        void end_other_process() const noexcept;

    private:
        const pid_t process_ = getpid();
        StateWatch& watch_;
        std::string_view function_;
        Often often_;
        ThreadState thread_;
    };

private:
    void begin_call(std::string_view function, Often often);
    void end_call(const ThreadState& thread, std::string_view function, Often often);
    void tell(std::vector<Disturbance> found, std::string_view function);

    Tell tell_;
    std::mutex mutex_;
    ProcessState known_;
    std::chrono::steady_clock::time_point compared_ = std::chrono::steady_clock::now();
    std::string_view
        not_compared_; ///< the function after which not everything was; empty where none
    std::set<std::string_view> told_;
};

} // namespace senteval::encoder
