// crash_report.hpp -- what a dying process leaves behind: written by its signal handler into shared
// memory, read by the program when the process is gone.
#pragma once

#include "isolation/protocol.hpp"
#include "isolation/scarcity.hpp"
#include "isolation/shared_buffer.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace senteval::isolation {

/// Of the memory: this, and the text of /proc/self/maps in the rest.
struct CrashRecord {
    static constexpr std::size_t most_frames = 64;
    enum class State : std::uint32_t { none, begun, complete };
    enum class Place : std::uint32_t { unknown, past_rows, stack_end };

    std::atomic<State> state;
    std::int32_t signal;         ///< 0: exit() was called
    std::uint32_t is_own_thread; ///< one that the program gave the encoder, not one that it started
    Operation operation;         ///< that was at work on the thread
    Place place;
    std::uint32_t has_address;
    std::uint64_t address; ///< that could not be accessed, or of the instruction
    std::uint32_t frames;
    std::uint32_t maps; ///< bytes
    std::uint64_t frame[most_frames];
    std::uint32_t is_out_of_files; ///< it can open no more
    std::uint32_t status;          ///< bytes
    char status_text[4096];        ///< of /proc/self/status
};
static_assert(std::atomic<CrashRecord::State>::is_always_lock_free);

inline constexpr std::size_t crash_report_size = 1U << 18U;

// ---- In the process that may crash ------------------------------------------------------------------

/// What a thread is doing, for the record. One per thread, alive as long as the thread calls encoders.
/// Gives the thread a stack of its own for the handler, so that a full one can be told.
class WatchedThread {
public:
    WatchedThread();
    WatchedThread(const WatchedThread&) = delete;
    WatchedThread& operator=(const WatchedThread&) = delete;
    WatchedThread(WatchedThread&&) = delete;
    WatchedThread& operator=(WatchedThread&&) = delete;
    ~WatchedThread();

    /// From here on the thread runs this; memory from `guard` on belongs to nobody.
    static void begins(Operation operation, const std::byte* guard) noexcept;
    static void ends() noexcept;

private:
    std::vector<std::byte> stack_;
};

/// From here on, signals that mean a crash and exit() are recorded before they end the process. The
/// memory stays mapped until then. Once.
void record_crashes(SharedBuffer& memory);

/// exit() is what this process wants from here on.
void expect_exit() noexcept;

// ---- In the program ---------------------------------------------------------------------------------

/// A record as text; nothing where there is none.
struct CrashReport {
    int signal = 0; ///< 0: exit() was called
    bool is_own_thread = true;
    std::optional<Operation> operation;
    std::string place;     ///< "at address 0x0", "it wrote past its rows" or nothing
    std::string backtrace; ///< "first < second < third", innermost first; may be empty
    Taken taken;           ///< when it died

    /// What follows how the process ended: ", on a thread that the encoder had started: at address 0x0;
    /// backtrace: first < second", or as much of it as there is.
    [[nodiscard]] std::string text() const;
};
std::optional<CrashReport> read_crash_report(const SharedBuffer& memory);

/// Makes the memory ready for the next process.
void clear_crash_report(SharedBuffer& memory);

} // namespace senteval::isolation
