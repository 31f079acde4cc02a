#include "host/team_run.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/parallel.hpp"
#include "encoder/plugin_encoder.hpp"
#include "run/cost.hpp"
#include "run/document.hpp"
#include "team/hand.hpp"
#include "team/head.hpp"
#include "team/scheduler.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

/// A folder of this process's own, for vectors that others need as well.
class VectorFolder {
public:
    explicit VectorFolder(const fs::path& parent)
        : path_(parent / fmt::format(".vectors-{}", getpid()))
    {
        fs::create_directories(path_);
    }
    ~VectorFolder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    VectorFolder(const VectorFolder&) = delete;
    VectorFolder& operator=(const VectorFolder&) = delete;
    VectorFolder(VectorFolder&&) = delete;
    VectorFolder& operator=(VectorFolder&&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// What a piece costs, for an encoder of which nothing is known yet. It orders pieces, no more.
double cost_of(const task::Task& task, const run::TaskSize& size, const run::Unit& unit)
{
    constexpr std::size_t usual_dimension = 1000;
    double seconds = run::usual_encode_seconds * static_cast<double>(size.distinct);
    for (const task::Settings& settings : unit.settings)
        seconds += run::fit_seconds(task.protocol_settings(settings), size.size,
                                    settings.projection ? settings.projection->dimension
                                                        : usual_dimension);
    return seconds;
}

/// Of all pieces; reads the data of their tasks.
std::vector<double> costs_of(const RunJob& job, const std::vector<run::Unit>& units)
{
    std::map<std::size_t, run::TaskSize> sizes;
    std::vector<double> costs;
    for (const run::Unit& unit : units) {
        const task::Task& task = *job.plan().tasks[unit.task];
        auto size = sizes.find(unit.task);
        if (size == sizes.end())
            size =
                sizes.emplace(unit.task, run::size_of(task, job.config().data, job.config().limit))
                    .first;
        costs.push_back(cost_of(task, size->second, unit));
    }
    return costs;
}

/// The whole run, cut where there are few pieces for the processes. What an encoder makes of a sentence
/// in one process is of use in another only where it does not depend on the batch.
team::SharedRun shared_run(const RunJob& job, std::size_t processes)
{
    const run::Plan& plan = job.plan();
    team::SharedRun shared;
    shared.units = run::cut(job.units(), team::pieces_for(processes), [&](const run::Unit& unit) {
        return encoder::capabilities_of(*plan.encoders[unit.encoder].found.encoder).batch_invariant;
    });
    std::string all = fmt::format("{} {}", processes, job.config().limit);
    for (const run::PlannedEncoder& encoder : plan.encoders)
        all += fmt::format("\n{} {}", encoder.found.encoder->id, encoder.label);
    for (const run::Unit& unit : shared.units) {
        const task::Task& task = *plan.tasks[unit.task];
        all += fmt::format("\n{} {}", unit.encoder, task.info().name);
        for (const task::Settings& settings : unit.settings)
            all += " " + run::protocol_of(task, settings).at("fingerprint").get<std::string>();
    }
    shared.fingerprint = core::fingerprint(all);
    return shared;
}

bool shares_vectors(const RunJob& job, const team::SharedRun& shared)
{
    return shared.units.size() > job.units().size();
}

void compute_share(const RunArguments& arguments,
                   const std::stop_token& stop,
                   team::Transport& transport)
{
    const RunJob job(arguments, stop);
    const team::SharedRun shared = shared_run(job, transport.size());
    fs::path cache = job.config().cache;
    std::optional<VectorFolder> folder;
    if (cache.empty() && shares_vectors(job, shared))
        cache = folder.emplace(fs::temp_directory_path()).path();
    team::Hand hand(transport, shared, cache, stop);
    job.compute({[&] { return hand.next(); }, hand.store(), hand.vectors(), hand.observer(),
                 [&](std::string_view text) { hand.line(text); },
                 threads_for(job.config(), transport, shared.units.size())});
}

} // namespace

unsigned
threads_for(const run::Config& config, const team::Transport& transport, std::size_t pieces)
{
    if (config.threads > 0)
        return config.threads;
    const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    const std::size_t at_work = std::min(transport.processes_here(), pieces);
    const auto share = static_cast<unsigned>(processors) /
                       static_cast<unsigned>(std::max<std::size_t>(1, at_work));
    return std::max(1U, std::min(core::available_threads(), share)); // bound to fewer, perhaps
}

TeamOutcome compute_with_others(const RunJob& job,
                                team::Transport& transport,
                                const run::Store& store,
                                RunProgress& progress)
{
    team::SharedRun shared = shared_run(job, transport.size());
    shared.costs = costs_of(job, shared.units);
    fs::path cache = job.config().cache;
    std::optional<VectorFolder> folder;
    if (cache.empty() && shares_vectors(job, shared))
        cache = folder.emplace(store.folder()).path();
    team::Head head(
        transport, shared,
        {&store, cache, job.stop(), [&](const std::string& text) { progress.line(text); }},
        progress);
    TeamOutcome outcome;
    outcome.is_stopped = job.compute({[&] { return head.next(); }, store, cache, head.observer(),
                                      [&](std::string_view text) { progress.line(text); },
                                      threads_for(job.config(), transport, shared.units.size())});
    outcome.problems = head.finish();
    outcome.is_stopped |= job.stop().stop_requested();
    return outcome;
}

void compute_for_first(const RunArguments& arguments,
                       const std::stop_token& stop,
                       team::Transport& transport)
{
    std::string problem;
    try {
        compute_share(arguments, stop, transport);
    } catch (const std::exception& e) {
        problem = e.what();
    }
    team::say_goodbye(transport, problem);
}

} // namespace senteval::host
