// html.hpp -- the report as one file that needs nothing else.
#pragma once

#include "report/document.hpp"

#include <string>

namespace senteval::report {

/// A complete HTML page: style, script and plots are inside, nothing is fetched. The same document
/// gives the same bytes. Sections without content are left out. Throws core::Error where lists of
/// the document do not fit each other.
std::string to_html(const Document& document);

} // namespace senteval::report
