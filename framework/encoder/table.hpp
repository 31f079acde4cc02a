// table.hpp -- the rules of encoder.h for the table of a plugin.
#pragma once

#include <senteval/encoder.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// What breaks a rule.
struct TableFault {
    std::string_view rule;              ///< "1.5"
    std::string where;                  ///< "encoders[0].create"
    std::string what;                   ///< "is NULL"
    std::optional<std::size_t> encoder; ///< none: the table itself
    bool is_fatal = true;               ///< the encoder, or the table, cannot be used
};

/// Of a table of version 1.
std::vector<TableFault> table_faults(const senteval_plugin& table);

} // namespace senteval::encoder
