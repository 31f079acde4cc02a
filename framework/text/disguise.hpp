// disguise.hpp -- files that are something else than the text they should be, and what to type then.
#pragma once

#include <optional>
#include <string_view>

namespace senteval::text {

struct Disguise {
    std::string_view problem; ///< "is an HTML page"
    std::string_view meaning;
    std::string_view advice; ///< a command; empty: fetch it again
    bool archive = false;    ///< which is no disguise where an archive is expected
};

/// Recognised by the first bytes: an error page, an archive or a compressed file that was not unpacked, UTF-16,
/// Parquet, a reference of Git LFS.
std::optional<Disguise> disguise_of(std::string_view bytes);

/// The same, and what may be right where no text is asked for: UTF-16 without a mark, a list in JSON.
std::optional<Disguise> disguise_of_text(std::string_view bytes);

/// The key that reads the file of a line without a TAB, where columns should be, and that it looks like JSON or CSV;
/// empty where it looks like neither.
std::string_view disguise_of_line(std::string_view line);

} // namespace senteval::text
