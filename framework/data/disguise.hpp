// disguise.hpp -- something else in the place of a data file.
#pragma once

#include <optional>
#include <string_view>

namespace senteval::data {

struct Disguise {
    std::string_view problem; ///< "is an HTML page"
    std::string_view meaning;
    std::string_view advice; ///< empty: fetch it again
    bool archive = false;    ///< which is no disguise where an archive is expected
};

/// Recognised by the first bytes: an empty file, an error page, an archive that was not unpacked, a
/// reference of Git LFS.
std::optional<Disguise> disguise_of(std::string_view bytes);

} // namespace senteval::data
