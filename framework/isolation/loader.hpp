// loader.hpp -- looking into libraries that nobody vouches for.
#pragma once

#include "core/error.hpp"
#include "encoder/find.hpp"
#include "isolation/limits.hpp"

#include <chrono>

namespace senteval::isolation {

/// A library of which it cannot be told what is in it: to load it, or its first function, ended the process or
/// took too long. Which is the library's fault, not that of the one who named it.
class UnloadableLibrary : public core::UsageError {
public:
    using core::UsageError::UsageError;
};

/// Loads what comes with this program as ever, and any other library in a process of its own, which
/// tells what is in it: such a plugin is only described. What the process dies of is what is wrong with
/// the library, an UnloadableLibrary beside the other core::UsageErrors of Plugin::load(); so is a look that
/// takes longer than `longest_look`, which is for what takes milliseconds on a machine that is not busy.
encoder::PluginLoader
careful_loader(Service service,
               std::chrono::milliseconds longest_look = std::chrono::milliseconds(30'000));

} // namespace senteval::isolation
