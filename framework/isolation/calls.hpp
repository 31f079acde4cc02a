// calls.hpp -- the calls of an encoder in another process, one function each.
//
// Each throws what an encoder of this process would: base::UsageError, encoder::OutOfMemory,
// base::Error, base::Cancelled; and encoder::ProcessEnded.
#pragma once

#include "encoder/encoder.hpp"
#include "isolation/encoder_process.hpp"
#include "isolation/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace senteval::isolation {

/// A lane of a process, for one call at a time.
struct Channel {
    EncoderProcess& process;
    Lane& lane;
    std::size_t number;
    unsigned thread_budget = 1;
};

/// The answer to create().
struct Made {
    bool prepare_matters = false;
    bool ranks = false;
    encoder::Capabilities capabilities;
    std::string stated; ///< JSON; empty where it states nothing
    std::size_t lanes = 0;
};

/// The argument of prepare(): a task's sentences, which lie in the samples of the process.
struct Prepared {
    std::string task;
    std::size_t sentences = 0;
    std::size_t used = 0; ///< bytes
};

/// The table of a library as bytes.
std::string describe(const Channel& channel, const std::string& library, const Waiting& waiting);

Made make(const Channel& channel, const Order& order, const Waiting& waiting);
void prepare(const Channel& channel, const Prepared& prepared, const Waiting& waiting);
std::size_t dimension(const Channel& channel, const Waiting& waiting);

/// The rows lie in the lane's output until its next call.
std::span<const float> encode(const Channel& channel,
                              std::span<const text::Sentence> batch,
                              std::size_t columns,
                              const Waiting& waiting);

/// The numbers of tokens, then those of known tokens, likewise; nothing where it counts none.
std::optional<std::span<const std::uint32_t>>
count_known(const Channel& channel, std::span<const text::Sentence> batch, const Waiting& waiting);

void destroy(const Channel& channel, const Waiting& waiting);

} // namespace senteval::isolation
