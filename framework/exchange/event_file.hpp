// event_file.hpp -- scalars over steps as TensorBoard reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace senteval::exchange {

struct Scalar {
    std::string tag;
    std::int64_t step = 0;
    double value = 0;
    double seconds = 0; ///< since 1970
};

/// The bytes of an event file (version "brain.Event:2"): records of a length, its masked CRC-32C, an Event in Protocol
/// Buffers' encoding, and the masked CRC-32C of that (TensorFlow's record_writer.h and event.proto). More scalars make a longer
/// file that begins the same.
std::string event_file(std::span<const Scalar> scalars);

} // namespace senteval::exchange
