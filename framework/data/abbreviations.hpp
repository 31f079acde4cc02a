// abbreviations.hpp -- English words that keep the period written after them.
#pragma once

#include <string_view>

namespace senteval::data {

enum class Abbreviation {
    none,
    always,        ///< "Dr. Smith"
    before_number, ///< "No. 5", but "No . Never"
};

/// `stem` is the word without its period, in its own case.
Abbreviation abbreviation(std::string_view stem);

} // namespace senteval::data
