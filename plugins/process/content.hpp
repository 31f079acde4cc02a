// content.hpp -- what lies in files and folders, as short hashes.
#pragma once

#include <filesystem>
#include <string>

namespace senteval::process {

/// XXH3, 128 bits, as 32 hexadecimal digits: of a file's bytes, or of the names and bytes of all files
/// below a folder, in the order of their names, wherever it lies. Links are followed to files, not to
/// folders. Throws sdk::Error naming what cannot be read.
std::string fingerprint(const std::filesystem::path& path);

} // namespace senteval::process
