// gate.hpp -- may a new encoder take the place of the one in use? Not where it loses more than a margin on some task.
#pragma once

#include "base/nan.hpp"
#include "compare/comparison.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::compare {

enum class Answer { yes, no, open };

/// Values are in points, and more is better.
struct GateTask {
    std::string task;
    double difference = base::nan; ///< to the baseline
    double least = base::nan;      ///< one-sided 95 % bounds of it
    double most = base::nan;
    double p_loss =
        base::nan; ///< that it does not lose more than the margin, by Holm over the tasks
    std::size_t items = 0;
    std::size_t items_needed =
        0; ///< for an answer in 80 of 100 cases, if the difference is what it seems; 0: has one, or none would tell
    Answer answer = Answer::open;
    Open why = Open::no;   ///< why there can be no answer
    bool is_worse = false; ///< significantly, although within the margin
};

/// A row against the baseline.
struct Gate {
    std::string row;
    std::vector<GateTask> tasks;
    Answer answer = Answer::open; ///< yes: on every task; no: on one of them at least
};

/// Each row but the baseline. On a task the answer is yes where the lower bound is above the margin's loss (all must hold, so
/// nothing is adjusted: intersection-union, Berger 1982), no where a larger loss is significant by Holm. `comparison` has a
/// baseline and a margin. Throws base::Error where a row has no result of a task that another one has.
std::vector<Gate> gates_of(const Comparison& comparison);

} // namespace senteval::compare
