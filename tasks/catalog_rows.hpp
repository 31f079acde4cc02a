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

Row row(const std::string& name,
        std::vector<std::string> groups,
        Source source,
        Protocol protocol,
        const std::string& headline,
        std::vector<std::string> aliases = {});

/// The tasks whose protocols are MTEB's, in the group "mteb".
std::vector<Row> rows_after_mteb();

} // namespace senteval::tasks
