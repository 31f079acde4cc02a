// same_report.hpp -- the verdict of `senteval same`, for reading and for programs.
#pragma once

#include "base/json.hpp"
#include "same/verdict.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace senteval::host {

/// All that `senteval same` found out about vectors.
struct SameFindings {
    const std::vector<std::string>& texts;
    std::vector<std::size_t> lengths; ///< of the texts
    bool in_tokens = false;           ///< else in characters
    std::array<same::Side, 2> sides;
    std::size_t changed = 0; ///< the side whose changes were tried
    same::Verdict verdict = {};
};

/// Sentences, in lines of a width.
std::string same_to_text(const SameFindings& found, std::size_t width);
base::Json same_to_json(const SameFindings& found);

} // namespace senteval::host
