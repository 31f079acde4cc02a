// library.hpp -- a library on trial: loaded as it is, its table read with all caution.
#pragma once

#include "check/bench.hpp"
#include "check/report.hpp"

#include <senteval/encoder.h>

#include <filesystem>
#include <string>
#include <vector>

namespace senteval::check {

/// Loads the library and asks for its table; rules 1.1 to 1.3 and 1.6. Null where there is no table to
/// go on with.
const senteval_plugin* load_table(const std::filesystem::path& library, Report& report);

/// Tries the table: rules of groups 1, 7 and 8. Its result names the encoders: [{"id", "index",
/// "missing"}], where "missing" says which required parameters `settings` does not give.
void try_table(const std::filesystem::path& library,
               const std::vector<std::string>& settings,
               Report& report);

/// The settings "key=value" of the user, as the encoder declares them. Throws core::UsageError.
std::vector<encoder::Parameter> settings_of(const senteval_encoder& encoder,
                                            const std::vector<std::string>& settings);

} // namespace senteval::check
