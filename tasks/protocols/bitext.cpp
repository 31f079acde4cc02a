#include "tasks/protocols/mteb.hpp"

#include "measures/labels.hpp"
#include "tasks/protocols/shared.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

/// The row whose second sentence is nearest to each first one.
std::vector<std::uint32_t> nearest(const EmbeddedPart& pairs, const task::Context& context)
{
    auto last_first = first_numbers(pairs.first.size()); // of equals the first row counts most
    std::ranges::reverse(last_first);
    std::vector<std::uint32_t> found;
    for (const auto& hits : Nearest(pairs.first, pairs.second, context).among_all(last_first, 1))
        found.push_back(hits.front().document);
    return found;
}

task::Result run_bitext(const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const EmbeddedPart pairs = embed(test, context);
    const auto phase = context.clock.phase("score");
    const auto found = nearest(pairs, context);
    const auto of_rows = measures::bitext_measures(found);
    task::Result result = untrained_result(context.settings, "value");
    result.metrics = {{"f1", mean_percent(of_rows.f1)},
                      {"precision", mean_percent(of_rows.precision)},
                      {"accuracy", mean_percent(of_rows.accuracy)},
                      {"ntest", test.size()}};
    result.outcomes.further = {{"precision", of_rows.precision}, {"accuracy", of_rows.accuracy}};
    add_group(result.outcomes, "", {}, of_rows.f1);
    return result;
}

} // namespace

Protocol bitext_protocol()
{
    return {"each first sentence finds the nearest second one, which should be its own",
            {mean_metric("f1", "F1"), mean_metric("precision", "precision", "precision"),
             mean_metric("accuracy", "accuracy", "accuracy")},
            run_bitext,
            [](const task::Settings& settings) { return mteb_settings(settings, "bitext", true); }};
}

} // namespace senteval::tasks
