// fingerprint.hpp -- short content hashes, to tell files and settings apart in result files.
//
// XXH3, 128 bits, as 32 hexadecimal digits. It identifies, it does not authenticate: downloads are
// verified by SHA-256 elsewhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace senteval::core {

std::string fingerprint(std::string_view bytes);

/// Of a file's content. Throws Error naming the file.
std::string fingerprint_file(const std::filesystem::path& path);

} // namespace senteval::core
