// page.hpp -- the frame around the sections: style sheet, script, and fills shared by the plots.
#pragma once

#include <string_view>

namespace senteval::report::page {

std::string_view style_sheet();
std::string_view script();

/// A hidden <svg> with the hatchings that tell bars apart without colour.
std::string_view shared_fills();

} // namespace senteval::report::page
