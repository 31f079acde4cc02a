#include "core/home.hpp"

#include <cstdlib>

namespace senteval::core {

std::filesystem::path expand_home(const std::filesystem::path& path)
{
    const char* home = std::getenv("HOME");
    if (home == nullptr || path.empty() || *path.begin() != "~")
        return path;
    return home / path.lexically_relative("~");
}

} // namespace senteval::core
