// cells.hpp -- a cell as it is before it is stored.
#pragma once

#include "results/store.hpp"

#include <string>

namespace senteval::test {

/// Of one item.
inline results::Cell cell_of(const std::string& task, double accuracy)
{
    results::Cell cell;
    results::Result& result = cell.result;
    result.program = "senteval 0";
    result.encoder.label = "Fake";
    result.encoder.id = "test.fake";
    result.encoder.fingerprint = "0123456789abcdef";
    result.task = {task,
                   "adds up",
                   "acc",
                   {{"acc", "accuracy", results::percent, 2, true, {"accuracy", ""}}},
                   {}};
    result.protocol = {1, {{"seed", 1111}}, "0f" + task};
    result.metrics["acc"] = accuracy;
    result.run.seconds["total"] = 1.0;
    cell.items.outcomes.kind = "class";
    cell.items.outcomes.rows = {{0, 0, 1, 1, accuracy}};
    cell.items.traits = {{3, 0, 0, 0}};
    return cell;
}

} // namespace senteval::test
