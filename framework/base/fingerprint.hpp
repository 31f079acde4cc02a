// fingerprint.hpp -- short content hashes, to tell files and settings apart in result files.
//
// XXH3, 128 bits, as 32 hexadecimal digits. It identifies, it does not authenticate: downloads are
// verified by SHA-256 elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace senteval::base {

std::string fingerprint(std::string_view bytes);

/// Told of every piece of a file that has been read: its bytes. May throw, to stop.
using BytesRead = std::function<void(std::uint64_t bytes)>;

/// Fingerprint of a file's content. Throws Error naming the file.
std::string fingerprint_file(const std::filesystem::path& path, const BytesRead& read = {});

} // namespace senteval::base
