// error.hpp -- the exceptions of the program, by what the person at the keyboard can do about them.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace senteval::base {

/// Something failed: a dataset that cannot be read, an encoder that reports an error. Where a task
/// raises it, that cell fails and the run goes on (exit code 1).
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    template <typename... Args>
    requires(sizeof...(Args) > 0) explicit Error(fmt::format_string<Args...> format, Args&&... args)
        : std::runtime_error(fmt::format(format, std::forward<Args>(args)...))
    {
    }
};

/// The command line, a run file or the installation is wrong: nothing is computed (exit code 2).
class UsageError : public Error {
public:
    using Error::Error;
};

/// The user asked to stop. Not a failure: what is finished is kept.
class Cancelled : public Error {
public:
    Cancelled() : Error("stopped on request") {}
};

} // namespace senteval::base
