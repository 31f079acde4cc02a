// system_error.hpp -- what the system refuses, although nothing is wrong with what it was asked for.
#pragma once

#include "core/error.hpp"

#include <string_view>

namespace senteval::core {

/// Descriptors or memory are used up, a permission is missing, a device fails: another file, or the same once
/// more from elsewhere, would not help. Says what the system says, and what to do where that is known.
class SystemError : public Error {
public:
    /// `what` could not be done: "cannot read 'x'". `code`: errno.
    SystemError(std::string_view what, int code);
};

} // namespace senteval::core
