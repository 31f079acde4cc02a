// dry_run_table.hpp -- what is told of each encoder on each task before a run, as text and as JSON.
#pragma once

#include "core/json.hpp"
#include "run/forecast.hpp"

#include <span>
#include <string>

namespace senteval::host {

/// "2 min 05 s"
std::string in_words(double seconds);

std::string as_columns(std::span<const run::Prospect> prospects);
std::string as_markdown(std::span<const run::Prospect> prospects);

/// Numbers alone: seconds and bytes.
std::string as_csv(std::span<const run::Prospect> prospects);

core::Json to_json(const run::Prospect& prospect);

} // namespace senteval::host
