#include "host/team_run.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/parallel.hpp"
#include "encoder/plugin_encoder.hpp"
#include "host/vector_folder.hpp"
#include "run/cost.hpp"
#include "run/document.hpp"
#include "team/hand.hpp"
#include "team/head.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

/// Of all cells of a unit, for an encoder of which nothing is known yet.
double seconds_of(const task::Task& task, const run::TaskSize& size, const run::Unit& unit)
{
    constexpr std::size_t usual_dimension = 1000;
    double seconds = run::usual_encode_seconds * static_cast<double>(size.distinct);
    for (const task::Settings& settings : unit.settings)
        seconds += run::fit_seconds(task.protocol_settings(settings), size.size,
                                    settings.projection ? settings.projection->dimension
                                                        : usual_dimension);
    return seconds;
}

/// What an encoder makes of a sentence in one process is of use in another only where it does not depend on
/// the batch.
bool is_divisible(const RunJob& job, const run::Unit& unit)
{
    const senteval_encoder* table = job.plan().encoders[unit.encoder].found.encoder;
    if (table == nullptr)
        return false;
    const auto claims = encoder::capabilities_of(*table);
    return claims.batch_invariant && claims.deterministic;
}

/// That the fit of a cell can be divided among.
std::size_t fit_processes(const RunJob& job, const run::Unit& unit)
{
    return unit.settings.empty()
               ? 1
               : run::fit_processes(
                     job.plan().tasks[unit.task]->protocol_settings(unit.settings.front()));
}

/// Of all units; reads the data of their tasks.
std::vector<team::UnitCost> costs_of(const RunJob& job)
{
    std::map<std::size_t, run::TaskSize> sizes;
    std::vector<team::UnitCost> costs;
    for (const run::Unit& unit : job.units()) {
        const task::Task& task = *job.plan().tasks[unit.task];
        auto size = sizes.find(unit.task);
        if (size == sizes.end())
            size =
                sizes.emplace(unit.task, run::size_of(task, job.config().data, job.config().limit))
                    .first;
        costs.push_back(
            unit_cost(job, unit, unit.settings.size(), seconds_of(task, size->second, unit)));
    }
    return costs;
}

team::SharedRun shared_run(const RunJob& job, std::size_t processes)
{
    const run::Plan& plan = job.plan();
    team::SharedRun shared;
    shared.units = job.units();
    shared.caches_all = !job.config().cache.empty();
    std::string all = fmt::format("{} {}", processes, job.config().limit);
    for (const run::PlannedEncoder& encoder : plan.encoders)
        all +=
            fmt::format("\n{} {}", encoder.found.encoder ? encoder.found.encoder->id : "unloadable",
                        encoder.label);
    for (const run::Unit& unit : shared.units) {
        const task::Task& task = *plan.tasks[unit.task];
        all += fmt::format("\n{} {}", unit.encoder, task.info().name);
        for (const task::Settings& settings : unit.settings)
            all += " " + run::protocol_of(task, settings).at("fingerprint").get<std::string>();
    }
    shared.fingerprint = core::fingerprint(all);
    return shared;
}

/// Where processes may need vectors that others made, and the configuration has no cache.
bool needs_vector_folder(const RunJob& job, const team::Transport& transport)
{
    return job.config().cache.empty() && transport.size() > 1 &&
           std::any_of(job.units().begin(), job.units().end(), [&](const run::Unit& unit) {
               return is_divisible(job, unit) &&
                      (unit.settings.size() > 1 || fit_processes(job, unit) > 1);
           });
}

void compute_share(const RunArguments& arguments,
                   const std::stop_token& stop,
                   team::Transport& transport)
{
    const RunJob job(arguments, stop);
    const team::SharedRun shared = shared_run(job, transport.size());
    fs::path cache = job.config().cache;
    std::optional<VectorFolder> folder;
    if (needs_vector_folder(job, transport))
        cache = folder.emplace(fs::temp_directory_path()).path();
    team::Hand hand(transport, shared, cache, stop);
    const auto next = [&] { return hand.next(); };
    (void)job.compute({next, hand.store(), hand.vectors(), hand.observer(),
                       [&](std::string_view text) { hand.line(text); }, threads_for(job, transport),
                       &hand.jobs()});
}

} // namespace

unsigned threads_for(const RunJob& job, const team::Transport& transport)
{
    if (job.config().threads > 0)
        return job.config().threads;
    std::size_t places = 0; // where a process can work
    for (const run::Unit& unit : job.units())
        places += is_divisible(job, unit) ? unit.settings.size() * fit_processes(job, unit) : 1;
    const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    const std::size_t at_work = std::min(transport.processes_here(), places);
    const auto share = static_cast<unsigned>(processors) /
                       static_cast<unsigned>(std::max<std::size_t>(1, at_work));
    return std::max(1U, std::min(core::available_threads(), share)); // bound to fewer, perhaps
}

team::UnitCost
unit_cost(const RunJob& job, const run::Unit& unit, std::size_t cells, double seconds)
{
    const bool is_long = seconds >= run::long_cell_seconds * static_cast<double>(cells);
    return {seconds, is_divisible(job, unit), is_long ? fit_processes(job, unit) : 1};
}

TeamOutcome compute_with_others(const RunJob& job,
                                team::Transport& transport,
                                const run::Store& store,
                                RunProgress& progress)
{
    team::SharedRun shared = shared_run(job, transport.size());
    shared.costs = costs_of(job);
    fs::path cache = job.config().cache;
    std::optional<VectorFolder> folder;
    if (needs_vector_folder(job, transport))
        cache = folder.emplace(store.folder()).path();
    team::Head head(
        transport, shared,
        {&store, cache, job.stop(), [&](const std::string& text) { progress.line(text); }},
        progress);
    TeamOutcome outcome;
    const auto compute = [&] {
        return job.compute({[&] { return head.next(); }, store, cache, head.observer(),
                            [&](std::string_view text) { progress.line(text); },
                            threads_for(job, transport), &head.jobs()});
    };
    outcome.is_stopped = compute();
    outcome.problems = head.finish();
    if (!outcome.is_stopped && head.has_work())
        outcome.is_stopped = compute();
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
