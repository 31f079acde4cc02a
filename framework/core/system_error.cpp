#include "core/system_error.hpp"

#include <cerrno>
#include <system_error>

namespace senteval::core {
namespace {

std::string_view advice(int code)
{
    switch (code) {
    case EMFILE:
        return ": raise the limit of this process with 'ulimit -n'";
    case ENFILE:
        return ": other programs have them open";
    case ENOMEM:
    case EAGAIN:
        return ": the machine has no more memory, or a limit of this process ('ulimit -v', 'ulimit "
               "-u') is too low";
    default:
        return "";
    }
}

} // namespace

SystemError::SystemError(std::string_view what, int code)
    : Error("{}: {}{}", what, std::generic_category().message(code), advice(code))
{
}

} // namespace senteval::core
