// system_error.hpp -- what the system refuses, although nothing is wrong with what it was asked for.
#pragma once

#include "base/error.hpp"

#include <string_view>
#include <system_error>

namespace senteval::base {

/// Descriptors or memory are used up, a permission is missing, a device fails: another file, or the same once
/// more from elsewhere, would not help.
class SystemError : public Error {
public:
    /// `what` could not be done: "cannot read 'x'". `code`: errno.
    SystemError(std::string_view what, int code)
        : Error("{}: {}", what, std::generic_category().message(code))
    {
    }
};

} // namespace senteval::base
