// open_file.hpp -- the files that an encoder's parameters name.
#pragma once

#include "base/files.hpp"

#include <filesystem>

namespace senteval::word_vectors {

/// The file, mapped. Throws sdk::Error naming it: SENTEVAL_NOT_FOUND where it is missing or not readable,
/// SENTEVAL_INVALID_ARGUMENT where it is not a regular file.
base::MappedFile open_file(const std::filesystem::path& path);

} // namespace senteval::word_vectors
