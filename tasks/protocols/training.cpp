#include "tasks/protocols/training.hpp"

#include "core/error.hpp"
#include "learn/optimizer.hpp"

#include <algorithm>

namespace senteval::tasks {
namespace {

/// By how much one step can move a weight; 0 where the gradient alone decides.
double reach_of_step(const learn::Optimizer& optimizer)
{
    switch (optimizer.method()) {
    case learn::Method::adam:
    case learn::Method::adamax:
    case learn::Method::rmsprop: {
        constexpr std::size_t late = 1'000'000; // past the bias correction of the first steps
        return static_cast<double>(optimizer.constants(late).rate);
    }
    case learn::Method::adadelta:
    case learn::Method::adagrad:
    case learn::Method::asgd:
    case learn::Method::rprop:
    case learn::Method::sgd:
        break;
    }
    return 0;
}

/// Of the tested model that took the fewest.
std::size_t steps_of(const learn::Validation& found, std::size_t items, std::size_t batch_size)
{
    std::size_t passes = found.searches.front().passes;
    for (const learn::Search& search : found.searches)
        passes = std::min(passes, search.passes);
    return passes * ((items + batch_size - 1) / batch_size);
}

} // namespace

std::vector<std::string> training_warnings(const learn::Validation& found,
                                           const learn::Settings& settings,
                                           std::size_t items)
{
    std::size_t unconverged = 0;
    for (const learn::Search& search : found.searches)
        unconverged += search.unconverged;
    if (unconverged > 0)
        return {fmt::format("{} fits of {} ended short of the minimum; max_iterations is {}",
                            unconverged, settings.classifier, settings.max_iterations)};
    if (settings.classifier != "softmax" && settings.classifier != "mlp")
        return {};
    const double reach = reach_of_step(learn::Optimizer(settings.optim));
    const std::size_t steps = steps_of(found, items, settings.batch_size);
    if (reach == 0 || static_cast<double>(steps) * reach >= 1)
        return {};
    return {fmt::format("{} took only {} steps on {} items, too few to learn what can be learned; "
                        "classifier logreg-newton is solved to its minimum",
                        settings.classifier, steps, items)};
}

} // namespace senteval::tasks
