// loader.hpp -- loads libraries that are not trusted.
#pragma once

#include "base/error.hpp"
#include "encoder/find.hpp"
#include "isolation/limits.hpp"

#include <chrono>

namespace senteval::isolation {

/// A library whose table cannot be read: loading it, or its entry function, ended the process or took too long.
class UnloadableLibrary : public base::UsageError {
public:
    using base::UsageError::UsageError;
};

/// Loads bundled libraries in this process, and any other in a process of its own that sends its table: such a plugin
/// is only described. Throws as Plugin::load() does, and UnloadableLibrary where the process ends or takes longer than
/// `longest_look`; it takes milliseconds on an idle machine.
encoder::PluginLoader
careful_loader(Service service,
               std::chrono::milliseconds longest_look = std::chrono::milliseconds(30'000));

} // namespace senteval::isolation
