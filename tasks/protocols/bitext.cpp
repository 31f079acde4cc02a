#include "tasks/protocols/bitext.hpp"

#include "core/names.hpp"
#include "measures/labels.hpp"
#include "measures/search.hpp"
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
    const auto normaliser = fit_on_all(context.settings.normalise, {&pairs.first, &pairs.second});
    const std::size_t dimension = pairs.first.dimension();
    const std::size_t count = pairs.first.size();
    std::vector<float> asked(count * dimension);
    for (std::size_t i = 0; i < count; ++i)
        normaliser.apply({pairs.first.vector(i), dimension}, &asked[i * dimension]);
    const auto copy = [&](std::size_t first, std::size_t number, float* vectors) {
        for (std::size_t i = 0; i < number; ++i)
            normaliser.apply({pairs.second.vector(first + i), dimension}, vectors + i * dimension);
    };
    std::vector<std::uint32_t> last_first(count); // of equals the first row counts most
    for (std::size_t i = 0; i < count; ++i)
        last_first[i] = static_cast<std::uint32_t>(count - 1 - i);
    std::vector<std::uint32_t> found;
    for (const auto& hits : measures::search(asked, dimension, {count, copy, last_first}, 1,
                                             search_similarity(context.settings), context.threads))
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
    task::Result result;
    result.details = details_of_untrained(context.settings);
    result.metrics = {{"f1", mean_percent(of_rows.f1)},
                      {"precision", mean_percent(of_rows.precision)},
                      {"accuracy", mean_percent(of_rows.accuracy)},
                      {"ntest", test.size()}};
    result.outcomes = {
        "value", {}, {""}, {}, {{"precision", of_rows.precision}, {"accuracy", of_rows.accuracy}}};
    for (std::uint32_t row = 0; row < test.size(); ++row)
        result.outcomes.rows.push_back({row, 0, 0, of_rows.f1[row], of_rows.f1[row]});
    return result;
}

core::Json bitext_settings(const task::Settings& settings)
{
    return {{"protocol", "bitext"},
            {"similarity", core::name_in(task::similarity_names, settings.similarity)},
            {"normalise", embedding::name(settings.normalise)}};
}

} // namespace

Protocol bitext_protocol()
{
    return {"each first sentence finds the nearest second one, which should be its own",
            {mean_metric("f1", "F1"), mean_metric("precision", "precision", "precision"),
             mean_metric("accuracy", "accuracy", "accuracy")},
            run_bitext,
            bitext_settings};
}

} // namespace senteval::tasks
