// sections.hpp -- the parts of the report, each appended to a page that has content for it.
#pragma once

#include "report/html.hpp"

#include <string>

namespace senteval::report::sections {

void verdict(const Page& page, std::string& out);
void leaderboard(const Page& page, std::string& out);
void scores(const Page& page, std::string& out);
void differences(const Page& page, std::string& out);
void heat_map(const Page& page, std::string& out);
void dimension_curves(const Page& page, std::string& out);
void task_correlations(const Page& page, std::string& out);
void seeds(const Page& page, std::string& out);
void slices(const Page& page, std::string& out);
void worst_errors(const Page& page, std::string& out);
void published(const Page& page, std::string& out);
void provenance(const Page& page, std::string& out);

} // namespace senteval::report::sections
