// protocol.hpp -- an evaluation protocol: what is done with the embeddings of a dataset.
#pragma once

#include "task/task.hpp"
#include "tasks/dataset.hpp"

#include <functional>
#include <string>
#include <vector>

namespace senteval::tasks {

struct Protocol {
    std::string summary; ///< one line, for lists of tasks
    /// The metrics by which encoders can be compared. The statistics recompute each
    /// metric from the outcomes of run().
    std::vector<results::Metric> metrics;
    /// Embeds through the context's session, in the phases "embed", "fit" and "score".
    std::function<task::Result(const Dataset&, task::Context&)> run;
    /// All that the numbers depend on beside the embeddings and the data.
    std::function<base::Json(const task::Settings&)> settings;
    /// Judges rankings that were made elsewhere; only a search can.
    std::function<task::Result(const Dataset&, const results::Rankings&)> judge = {};
};

} // namespace senteval::tasks
