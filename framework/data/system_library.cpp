#include "data/system_library.hpp"

#include "core/error.hpp"

#include <dlfcn.h>

namespace senteval::data {

SystemLibrary::SystemLibrary(const char* file, const char* purpose)
    : file_(file), purpose_(purpose), library_(dlopen(file, RTLD_NOW | RTLD_LOCAL))
{
    if (library_ == nullptr)
        throw core::Error("{} need {}: {}", purpose_, file_, dlerror());
}

void* SystemLibrary::address(const char* name) const
{
    void* const found = dlsym(library_, name);
    if (found == nullptr)
        throw core::Error("{} need another {}: {}", purpose_, file_, dlerror());
    return found;
}

} // namespace senteval::data
