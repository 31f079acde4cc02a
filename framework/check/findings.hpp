// findings.hpp -- the rules of encoder.h, and what the trials of a library found out about each.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace senteval::check {

struct Rule {
    std::string number; ///< "4.2"
    std::string text;   ///< one paragraph
};

/// All rules, in the order of encoder.h.
std::span<const Rule> all_rules();

enum class Outcome { kept, skipped, broken };

struct Finding {
    std::string rule; ///< "11.2"
    Outcome outcome = Outcome::kept;
    std::string shown;  ///< what was done: batcher(["a"])
    std::string detail; ///< what came of it, or why it was not tried: element 1 of row 3 is nan
};

/// The findings about one encoder, or, without an id, about the library itself.
struct EncoderFindings {
    std::string id;
    std::string skipped;                  ///< why most was not tried, such as a missing model file
    std::map<std::string, Finding> rules; ///< a rule that is not here cannot be tried from outside

    /// Keeps the worst of each rule; of equal ones the first.
    void add(const Finding& finding);

    [[nodiscard]] bool is_broken(const std::string& rule) const;
    [[nodiscard]] bool any_broken() const;
};

/// `untried`: nothing is broken, but of some encoder nothing is known.
enum class Result { kept, untried, broken };

struct LibraryFindings {
    std::string library; ///< path
    std::vector<EncoderFindings> encoders;

    [[nodiscard]] Result result() const;
};

/// The findings for people, folded between words to so many columns; ends in a newline.
std::string to_text(const LibraryFindings& findings, std::size_t columns);

/// {"library", "outcome", "encoders": [{"id", "skipped", "rules": [{"rule", "outcome", "text", ...}]}]}
base::Json to_json(const LibraryFindings& findings);

} // namespace senteval::check
