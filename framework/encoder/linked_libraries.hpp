// linked_libraries.hpp -- the libraries that an encoder brings along.
#pragma once

#include <filesystem>
#include <vector>

namespace senteval::encoder {

/// What an ELF library is linked with, and what that is linked with in turn, as far as it lies in the
/// library's own folder or on a run path that was linked into it: a model that is a library of its own
/// changes vectors as the encoder does. The system's libraries are not among them, nor what is opened
/// at run time. Sorted, each once; nothing of a file that is no ELF library. Loads nothing.
std::vector<std::filesystem::path> linked_libraries(const std::filesystem::path& library);

} // namespace senteval::encoder
