// document.hpp -- the result file of one cell, as it is read; its schema is result.schema.json.
#pragma once

#include "base/json.hpp"
#include "results/metric.hpp"

#include <string>
#include <string_view>

namespace senteval::results {

/// "senteval-result/2": version 1 did not describe its metrics.
inline constexpr std::string_view result_schema = "senteval-result/2";
inline constexpr std::string_view imported_schema = "senteval-imported-result/2";

inline constexpr std::string_view cost_schema = "senteval-cost/1";

/// The description of the metric that tables show. Throws where the document has none.
Metric headline_of(const base::Json& document);

/// Whether two documents were made from the same encoder, protocol and data, show the same metric, and in the same batches
/// where these matter.
bool same_input(const base::Json& a, const base::Json& b);

/// What is lost where the document takes the place of the stored one, which has the same path; empty where that is but an
/// earlier run on the same data.
std::string lost_with(const base::Json& stored, const base::Json& document);

/// Whether it is the whole document of a measurement, with numbers that can be. Throws where a value is of another kind.
bool is_cost(const base::Json& cost);

} // namespace senteval::results
