// published.hpp -- results of the literature, as reference rows.
#pragma once

#include "report/document.hpp"

#include <vector>

namespace senteval::report {

/// Conneau & Kiela 2018, tables 3 and 4; Wieting et al. 2016, tables 2 and 4; Eger et al. 2019, table
/// 2; the best system of STS 2016. Values as printed; columns say which task and metric they are of.
std::vector<PublishedTable> published_tables();

} // namespace senteval::report
