// geometry.hpp -- how the vectors of a task's texts lie in their space.
#pragma once

#include "encoder/session.hpp"
#include "results/outcomes.hpp"
#include "results/store.hpp"
#include "task/task.hpp"

#include "base/json.hpp"

namespace senteval::run {

/// Of the first 2000 different texts of the task (embedding/geometry.hpp). Alike are the pairs among the test items whose gold
/// score is in the upper fifth of the scale that occurs, as labels of 1 are.
base::Json geometry_of(const task::LoadedTask& loaded,
                       const results::Outcomes& outcomes,
                       encoder::Session& session);

/// What the stored result of the same vectors knows of it; null where there is none.
base::Json known_geometry(const results::Store* store, const results::Result& record);

} // namespace senteval::run
