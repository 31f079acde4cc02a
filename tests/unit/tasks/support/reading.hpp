// reading.hpp -- reads a source from files that a test has written.
#pragma once

#include "base/error.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

namespace senteval::test {

inline tasks::Dataset read(const tasks::Source& source, const ScratchFolder& scratch)
{
    task::DataFolder data(scratch.path());
    return source.read(data);
}

/// The message of the error that `action` ends with, without the path of the scratch folder and "./"; empty
/// where there is none.
template <typename Action>
std::string error_of(const ScratchFolder& scratch, Action action)
{
    try {
        action();
    } catch (const base::Error& error) {
        std::string message = error.what();
        for (const std::string& prefix : {scratch.path().string() + "/", std::string("./")})
            for (std::size_t at = 0; (at = message.find(prefix)) != std::string::npos;)
                message.erase(at, prefix.size());
        return message;
    }
    return {};
}

inline std::string error_of(const tasks::Source& source, const ScratchFolder& scratch)
{
    return error_of(scratch, [&] { (void)read(source, scratch); });
}

} // namespace senteval::test
