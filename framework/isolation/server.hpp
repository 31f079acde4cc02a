// server.hpp -- the process of an encoder: what `senteval serve-encoder` does.
#pragma once

#include <span>

namespace senteval::isolation {

/// Serves one encoder to the program that started this process, by protocol.hpp, until it says goodbye
/// or is gone. `arguments` is what follows the command. Returns the exit code.
int serve(std::span<char* const> arguments);

} // namespace senteval::isolation
