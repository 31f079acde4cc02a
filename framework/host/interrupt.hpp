// interrupt.hpp -- Ctrl-C and SIGTERM as a stop request.
#pragma once

#include <stop_token>

namespace senteval::host {

/// Makes SIGINT and SIGTERM request a stop of the returned token. Where that is not answered within
/// two seconds the program ends after its last words (see ending.hpp), at the second signal at once, and at
/// the third without them. A signal that is ignored when the program starts stays ignored. Call once.
std::stop_token stop_on_interrupt();

} // namespace senteval::host
