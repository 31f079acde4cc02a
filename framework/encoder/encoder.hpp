// encoder.hpp -- an encoder as the rest of the program sees it: text in, vectors out.
//
// A plugin behind the C ABI is one kind (PluginEncoder); a callback of a program that uses this
// library is another. Nothing outside this room knows which.
#pragma once

#include "base/error.hpp"
#include "results/result.hpp"
#include "text/sentence.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace senteval::encoder {

using results::Capabilities;
using results::Identity;

/// The context of a call: the threads that it may use, and how it is told to stop.
struct CallContext {
    unsigned thread_budget = 1;
    std::stop_token stop;
    std::function<void(std::uint64_t done, std::uint64_t total)> progress; ///< may be empty
    /// An encoder in a process of its own is ended where the call takes longer.
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

/// The process of an encoder has ended.
class ProcessEnded : public base::Error {
public:
    /// `is_by_call`: the call may be the cause, and fail again.
    ProcessEnded(const std::string& what, bool is_by_call)
        : base::Error("{}", what), is_by_call_(is_by_call)
    {
    }
    [[nodiscard]] bool is_by_call() const noexcept { return is_by_call_; }

private:
    bool is_by_call_;
};

/// One encoder at work. Errors are thrown as base::Error, cancellation as base::Cancelled.
class Encoder {
public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    [[nodiscard]] virtual const Identity& identity() const = 0;
    [[nodiscard]] virtual Capabilities capabilities() const = 0;

    /// Whether vectors may depend on what prepare() was shown.
    [[nodiscard]] virtual bool has_prepare() const = 0;

    /// Whether it is a ranker: see SENTEVAL_RANKER_EXTENSION of encoder.h.
    [[nodiscard]] virtual bool ranks() const { return false; }

    /// Shows every sentence of the task that comes next, a ranker the documents; replaces what an earlier call left.
    virtual void prepare(std::string_view task,
                         std::span<const text::Sentence> samples,
                         const CallContext& context) = 0;

    /// Length of the vectors, at least 1; constant until the next prepare().
    [[nodiscard]] virtual std::size_t dimension() = 0;

    /// Writes `dimension x batch.size()` floats to `out`, one sentence per column. Overlapping calls
    /// only where capabilities().concurrent.
    virtual void
    encode(std::span<const text::Sentence> batch, float* out, const CallContext& context) = 0;

    /// Number of tokens, and of tokens the encoder knows, of each sentence; false where the encoder
    /// has no notion of it.
    virtual bool count_known(std::span<const text::Sentence> batch,
                             std::span<std::uint32_t> tokens,
                             std::span<std::uint32_t> known)
    {
        (void)batch;
        (void)tokens;
        (void)known;
        return false;
    }
};

} // namespace senteval::encoder
