// catalog_rows.hpp -- a row of the catalogue, and those of the protocols after MTEB.
#pragma once

#include "tasks/protocols/protocol.hpp"
#include "tasks/readers/readers.hpp"

#include <string>
#include <vector>

namespace senteval::tasks {

struct Row {
    std::string name;
    std::vector<std::string> aliases; ///< what else it is called, '-' and capitals aside
    std::vector<std::string> groups;
    Source source;
    Protocol protocol;
    std::string headline;
    std::string reference = {}; ///< published figures to read the headline by
};

/// Retrieval, reranking, clustering, pairs, few training items, several labels, translations, summaries.
std::vector<Row> modern_rows();

} // namespace senteval::tasks
