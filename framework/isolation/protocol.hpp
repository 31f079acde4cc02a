// protocol.hpp -- requests and answers between the program and the process of an encoder.
//
// The program starts itself with `serve-encoder LANES` and passes the descriptors below. On each lane
// it sends a Request and waits for its Answer, both of fixed size, over a socket that keeps messages
// apart; a lane's text and vectors lie in two pieces of shared memory that the program makes as large as
// they have to be. Both sides are the same executable, so there are no versions.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace senteval::isolation {

inline constexpr std::string_view serve_command = "serve-encoder";

/// Number of lanes; more threads than these share them.
inline constexpr unsigned most_lanes = 64;

/// Numbers of the descriptors in the child. Each lane has three in a row, from first_lane on: socket,
/// input (which the child only reads), output.
namespace passed {
inline constexpr int status = 3;
inline constexpr int log = 4;
inline constexpr int samples = 5;
inline constexpr int first_lane = 6;
} // namespace passed

/// The calls, in the order of an encoder's life.
enum class Operation : std::uint32_t {
    describe = 1, ///< input: path of a library; output: its table (see messages.hpp)
    create,  ///< input: library, encoder, parameters (see messages.hpp); output: what it states
    prepare, ///< input: the task's name; the sentences lie in `samples`
    dimension,
    encode,      ///< output: rows, which end where the output does
    count_known, ///< output: numbers of tokens, then of known ones, which end where the output does
    destroy
};

/// "in batcher()": when something happened, for messages.
constexpr std::string_view phase_of(Operation operation)
{
    switch (operation) {
    case Operation::describe:
        return "while its library was loaded";
    case Operation::create:
        return "in create()";
    case Operation::prepare:
        return "in prepare()";
    case Operation::dimension:
        return "in dimension()";
    case Operation::encode:
        return "in batcher()";
    case Operation::count_known:
        return "in count_known()";
    case Operation::destroy:
        return "in destroy()";
    }
    return "in an unknown call";
}

inline constexpr std::uint32_t request_mark = 0x53455251;
inline constexpr std::uint32_t answer_mark = 0x53454153;

struct Request {
    std::uint32_t mark = request_mark;
    Operation operation{};
    std::uint64_t number = 0; ///< the answer repeats it
    std::uint32_t thread_budget = 1;
    std::uint32_t reserved = 0;
    std::uint64_t sentences = 0;
    std::uint64_t columns = 0;
    std::uint64_t input_used = 0; ///< bytes
    std::uint64_t input_size = 0; ///< of the file
    std::uint64_t output_size = 0;
    std::uint64_t samples_used = 0;
    std::uint64_t samples_size = 0;
};

struct Answer {
    std::uint32_t mark = answer_mark;
    Operation operation{};
    std::uint64_t number = 0;
    std::uint32_t status = 0; ///< senteval_status
    std::uint32_t lanes = 0;  ///< of create: how many there are
    std::uint64_t value = 0;  ///< bits of `made`; the dimension; whether known words are counted
    std::uint64_t text = 0;   ///< bytes at the start of the output: a message, a table
};

/// Bits of the value that answers create: what holds for this instance.
namespace made {
inline constexpr std::uint64_t prepare_matters = 1U;
inline constexpr std::uint64_t concurrent = 2U;
inline constexpr std::uint64_t batch_invariant = 4U;
inline constexpr std::uint64_t deterministic = 8U;
inline constexpr std::uint64_t ranks = 16U;
} // namespace made

/// The state that may change while a call runs. It lies in shared memory.
struct Status {
    struct Progress {
        std::atomic<std::uint64_t> done;
        std::atomic<std::uint64_t> total;
    };
    Progress progress[most_lanes]; ///< of each lane
};

/// Exit code of a process that has lost its connection to the program.
inline constexpr int lost_connection = 113;

/// A line of an encoder's log is a message of this and its text, on the socket `log`. The other way, any
/// message on it is the request to stop.
struct LogHead {
    std::uint32_t level = 0;
};

inline constexpr std::size_t status_size = sizeof(Status);
inline constexpr std::size_t longest_log_line = 60'000;
inline constexpr std::size_t longest_text = 1U << 20U; ///< of a failure

/// First sizes of a lane's input, its output and the samples. Large, since mapping anew is slow; pages that are not
/// written take no memory.
inline constexpr std::size_t input_size = 1U << 20U;
inline constexpr std::size_t output_size = 4U << 20U;
inline constexpr std::size_t samples_size = 4U << 20U;

} // namespace senteval::isolation
