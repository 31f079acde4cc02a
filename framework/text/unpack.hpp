// unpack.hpp -- text that is stored in another form than UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace senteval::text {

/// The text of a file that is compressed with gzip, in UTF-16 with a byte-order mark, or both; empty where it is
/// neither. `name` is what errors call the file. Throws base::Error where it is damaged.
std::string unpacked(const std::string& name, std::string_view bytes);

/// Text in an encoding that ICU knows by that name. Throws base::Error where it is not valid, or of 2 GiB and more.
std::string to_utf8(const std::string& name, std::string_view bytes, const char* encoding);

} // namespace senteval::text
