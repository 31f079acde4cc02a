#include "run/encoder_start.hpp"

#include "core/error.hpp"

#include <system_error>

namespace senteval::run {

void EncoderStart::begin()
{
    if (!source_.starts_apart || coming_.valid() || failure_)
        return;
    try {
        coming_ = std::async(std::launch::async, source_.create);
    } catch (const std::system_error&) { // no thread can be had: then it is made when it is needed
    }
}

std::unique_ptr<encoder::Encoder> EncoderStart::take()
{
    if (failure_)
        std::rethrow_exception(failure_);
    try {
        return coming_.valid() ? coming_.get() : source_.create();
    } catch (const core::Cancelled&) {
        throw;
    } catch (const std::exception&) {
        failure_ = std::current_exception();
        throw;
    }
}

} // namespace senteval::run
