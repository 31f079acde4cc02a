// linked_libraries.hpp -- the libraries that an encoder brings along.
#pragma once

#include <filesystem>
#include <vector>

namespace senteval::encoder {

/// What a library is linked with, as the system's `ldd` finds it, but for what lies in /lib* and /usr/lib*: a model
/// that is a library of its own changes vectors as the encoder does. What is opened at run time is not among
/// them. Sorted, each once; nothing where `ldd` finds nothing. Runs no code of the library.
/// Throws core::Error where there is no `ldd`.
std::vector<std::filesystem::path> linked_libraries(const std::filesystem::path& library);

} // namespace senteval::encoder
