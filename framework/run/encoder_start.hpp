// encoder_start.hpp -- an encoder on its way.
#pragma once

#include "encoder/encoder.hpp"
#include "run/evaluate.hpp"

#include <exception>
#include <future>
#include <memory>

namespace senteval::run {

/// Makes an encoder once; one that needs nothing of this process, beside other work. For one thread.
class EncoderStart {
public:
    /// The source must outlive it.
    explicit EncoderStart(const EncoderSource& source) : source_(source) {}

    /// Says that take() will follow, so that what can be done beside other work begins.
    void begin();

    /// The encoder. Throws what its making threw, as often as it is asked for: it is not tried again.
    [[nodiscard]] std::unique_ptr<encoder::Encoder> take();

private:
    const EncoderSource& source_;
    std::future<std::unique_ptr<encoder::Encoder>> coming_;
    std::exception_ptr failure_;
};

} // namespace senteval::run
