// disguise.hpp -- files that are something else than their reader wants, known by their bytes, and what to type then.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace senteval::base {

/// What a reader takes.
enum class Wanted {
    anything, ///< a dataset as it is downloaded; arrays are right
    text,     ///< lines of UTF-8
    vectors,  ///< an array of NumPy, or text
    model     ///< safetensors, JSON, pieces of a tokenizer
};

struct Disguise {
    std::string_view problem; ///< "is an HTML page"
    std::string_view meaning;
    std::string advice;   ///< what to type; empty: fetch it again
    bool archive = false; ///< which is no disguise where an archive is expected

    /// "is Parquet: another form is read here. In Python: ..."
    [[nodiscard]] std::string message() const;
};

/// What else the file is, by its first bytes, and by the names at the end of an archive.
std::optional<Disguise> disguise_of(std::string_view bytes, Wanted wanted);

/// What to type where a file should have columns parted by TAB and this line of it has no TAB: it may be JSON or CSV.
/// Empty where it looks like neither.
std::string_view disguise_of_line(std::string_view line);

} // namespace senteval::base
