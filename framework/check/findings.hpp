// findings.hpp -- what came out of the trials of a library.
#pragma once

#include "core/json.hpp"

#include <string>
#include <vector>

namespace senteval::check {

/// One broken rule, by the shortest case that shows it.
struct Finding {
    std::string rule;   ///< "11.2"
    std::string shown;  ///< what was done: batcher(["a"])
    std::string detail; ///< what came of it: element 1 of 3 is nan
};

struct NotTried {
    std::string rule;
    std::string why;
};

/// What is known of one encoder, or, where it has no id, of the library itself. Each rule is in one
/// list at most, in the order of encoder.h; what is in none cannot be tried from outside.
struct EncoderFindings {
    std::string id;
    std::string skipped; ///< why most was not tried, such as a missing model file; may be empty
    std::vector<Finding> broken;
    std::vector<std::string> kept;
    std::vector<NotTried> not_tried;

    /// Nothing is known of it.
    [[nodiscard]] bool is_untried() const { return !skipped.empty() && broken.empty(); }
};

/// `untried`: nothing is broken, but of some encoder nothing is known.
enum class Result { kept, untried, broken };

struct LibraryFindings {
    std::string library; ///< path
    std::vector<EncoderFindings> encoders;

    [[nodiscard]] Result result() const;
};

/// For people, folded between words to so many columns; ends in a newline.
std::string to_text(const LibraryFindings& findings, std::size_t columns);

/// {"library", "outcome", "encoders": [{"id", "skipped", "rules": [{"rule", "outcome", "text", ...}]}]}
core::Json to_json(const LibraryFindings& findings);

} // namespace senteval::check
