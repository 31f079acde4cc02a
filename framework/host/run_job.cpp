#include "host/run_job.hpp"

#include "core/error.hpp"
#include "core/printed_text.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin_encoder.hpp"
#include "host/data_needed.hpp"
#include "isolation/isolated_encoder.hpp"
#include "tasks/custom/custom.hpp"
#include "train/training_record.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

/// A file that cannot be read is the encoder's to complain of.
bool is_readable_file(const encoder::Parameter& parameter)
{
    if (parameter.type != SENTEVAL_TYPE_PATH || !parameter.value.is_string())
        return false;
    const auto file = parameter.value.get<std::string>();
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && access(file.c_str(), R_OK) == 0;
}

std::function<bool(std::string_view sentence)>
trained_on(const std::vector<encoder::Parameter>& parameters)
{
    auto records = std::make_shared<std::vector<train::TrainingRecord>>();
    for (const encoder::Parameter& parameter : parameters) {
        if (!is_readable_file(parameter))
            continue;
        try {
            if (auto record = train::training_record_of(parameter.value.get<std::string>()))
                records->push_back(std::move(*record));
        } catch (const core::Error& error) {
            throw core::Error("what '{}' was trained on cannot be told: {}", parameter.key,
                              error.what());
        }
    }
    if (records->empty())
        return {};
    return [records](std::string_view sentence) {
        for (const train::TrainingRecord& record : *records)
            if (record.has(sentence))
                return true;
        return false;
    };
}

/// What an encoder logs is bounded, as what it prints is where it is printed.
encoder::Logger logger_for(const std::function<void(std::string_view)>& show,
                           const RunArguments& arguments)
{
    const senteval_log_level least = arguments.quiet     ? SENTEVAL_LOG_ERROR
                                     : arguments.verbose ? SENTEVAL_LOG_DEBUG
                                                         : SENTEVAL_LOG_INFO;
    struct Bounded {
        explicit Bounded(const std::function<void(std::string_view)>& show) : text(show) {}
        std::mutex mutex;
        core::PrintedText text;
    };
    return [show, least, log = std::make_shared<Bounded>(show)](
               senteval_log_level level, std::string_view encoder, std::string_view line) {
        if (level == isolation::printed)
            return show(fmt::format("{}: {}", encoder, line));
        if (level < least)
            return;
        const std::lock_guard lock(log->mutex);
        log->text.add(fmt::format("{}{}: {}\n", encoder,
                                  level >= SENTEVAL_LOG_WARNING ? ": warning" : "", line));
    };
}

/// An encoder of which it cannot be told what it was trained on, though its file should tell, gives no results:
/// they would pass for those of one that never saw the test items.
void look_at_training(const run::PlannedEncoder& planned, run::EncoderSource& source)
{
    try {
        source.was_trained_on = trained_on(planned.parameters);
    } catch (const core::Error& error) {
        source.create = [why = std::string(error.what())]() -> std::unique_ptr<encoder::Encoder> {
            throw core::Error("{}", why);
        };
    }
}

} // namespace

RunJob::RunJob(const RunArguments& arguments, std::stop_token stop)
    : arguments_(arguments),
      config_(configure(arguments)),
      catalog_(tasks::all_tasks(config_.custom_tasks)),
      plan_(run::make_plan(config_, catalog_)),
      units_(run::units(config_, plan_)),
      stop_(std::move(stop))
{
    require_data(plan_.tasks, config_.data);
}

bool RunJob::compute(const RunShare& share) const
{
    const encoder::EmbeddingCache cache(share.cache, config_.cache_bytes);
    run::EvaluateOptions options = run::evaluate_options(config_);
    if (share.threads > 0)
        options.threads = share.threads;
    options.stop = stop_;
    options.store = &share.store;
    options.cache = share.cache.empty() ? nullptr : &cache;
    options.inspect_data = run::doctor(config_.data, arguments_.allow_unverified);
    std::string identified; // no piece of work has begun that would name the encoder
    const encoder::CallContext loading{
        options.threads, stop_, [&](std::uint64_t done, std::uint64_t total) {
            share.observer.progress(
                identified.empty() ? "load model" : "load model of " + identified, done, total);
        }};
    try {
        std::vector<run::EncoderSource> sources;
        for (const run::PlannedEncoder& planned : plan_.encoders) {
            identified = planned.label;
            sources.push_back(run::source_of(planned, logger_for(share.line, arguments_), loading));
            look_at_training(planned, sources.back());
        }
        identified.clear();
        run::evaluate(sources, plan_.tasks, share.next, options, share.observer);
    } catch (const core::Cancelled&) {
        return true;
    }
    return false;
}

} // namespace senteval::host
