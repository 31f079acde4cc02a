// sections.hpp -- the parts of the report, each appended to a page where the document has content
// for it.
#pragma once

#include "report/document.hpp"

#include <string>

namespace senteval::report::sections {

void warnings(const Document& document, std::string& out);
void verdict(const Document& document, std::string& out);
void leaderboard(const Document& document, std::string& out);
void forest_plots(const Document& document, std::string& out);
void differences(const Document& document, std::string& out);
void heat_map(const Document& document, std::string& out);
void dimension_curves(const Document& document, std::string& out);
void task_correlations(const Document& document, std::string& out);
void side_by_side(const Document& document, std::string& out);
void seeds(const Document& document, std::string& out);
void slices(const Document& document, std::string& out);
void worst_errors(const Document& document, std::string& out);
void timing(const Document& document, std::string& out);
void published(const Document& document, std::string& out);
void provenance(const Document& document, std::string& out);

} // namespace senteval::report::sections
