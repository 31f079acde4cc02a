// compound_file.hpp -- finding the cabinet inside a Windows Installer file.
//
// An .msi is a compound file (Microsoft's [MS-CFB]): a small file system in a file, whose streams
// are chains of sectors. One of its streams is the .cab with the installed files.
#pragma once

#include <string>
#include <string_view>

namespace senteval::data {

bool is_compound_file(std::string_view bytes);

/// The bytes of the first stream that is a cabinet. Throws core::Error where there is none, or
/// where a chain is damaged.
std::string cabinet_of(std::string_view bytes);

} // namespace senteval::data
