// system_library.hpp -- libraries that are loaded by their first use. They bring many others along, which
// would be a good part of the start of a command that needs none of them.
#pragma once

namespace senteval::data {

/// Stays loaded to the end of the process: its threads may live.
class SystemLibrary {
public:
    /// `purpose` is who needs it, for messages. Throws core::Error where it is missing.
    SystemLibrary(const char* file, const char* purpose);

    /// Throws core::Error where it has no such function.
    template <typename Function>
    [[nodiscard]] Function function(const char* name) const
    {
        return reinterpret_cast<Function>(address(name));
    }

private:
    [[nodiscard]] void* address(const char* name) const;

    const char* file_;
    const char* purpose_;
    void* library_;
};

} // namespace senteval::data
