// evaluate.hpp -- runs a protocol on a dataset with the WordsEncoder.
#pragma once

#include "compare/scoring.hpp"
#include "encoder/session.hpp"
#include "support/support.hpp"
#include "tasks/dataset_task.hpp"
#include "words_encoder.hpp"

namespace senteval::test {

/// What a protocol says of its metrics is true: each can be found, and its statistic of the outcomes is
/// the number that was computed (accuracies over folds but for rounding).
inline void check_description(const task::Info& info, const task::Result& result)
{
    CHECK(results::find_metric(info.metrics, info.headline) != nullptr);
    results::Items items;
    items.outcomes = result.outcomes;
    for (const results::Metric& metric : info.metrics) {
        CAPTURE(metric.path);
        const auto value = metric.value_in(result.metrics);
        double statistic = 0;
        const auto fits = compare::by_fit(metric);
        for (const results::Metric& fit : fits)
            statistic += compare::statistic_of(items, fit).value / static_cast<double>(fits.size());
        if (metric.source.statistic.empty())
            CHECK(std::isnan(statistic));
        else if (value)
            CHECK(std::abs(statistic - *value) < 0.006 * metric.scale());
    }
}

inline task::Result evaluate(const task::Task& task,
                             const std::filesystem::path& data_folder,
                             const task::Settings& settings = {},
                             unsigned threads = 1)
{
    task::DataFolder data(data_folder);
    const auto loaded = task.load(data);
    WordsEncoder words;
    encoder::SessionOptions options;
    options.threads = threads;
    encoder::Session session(words, std::move(options));
    session.prepare(task.info().name, loaded->samples());
    task::PhaseClock clock;
    task::Context context{session, settings, threads, {}, clock, {}};
    task::Result result = loaded->run(context);
    check_description(task.info(), result);
    return result;
}

} // namespace senteval::test
