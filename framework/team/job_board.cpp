#include "team/job_board.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <utility>

namespace senteval::team {

using learn::JobStage;

void JobBoard::open(std::size_t piece, double cost)
{
    cells_[piece] = {cost, {}, {}};
}

/// Seconds of the first stage that nobody has taken, for each process and one more. Later stages are short.
double JobBoard::left_for_each(const Cell& cell)
{
    if (cell.stages.empty())
        return 0;
    const Jobs& jobs = cell.stages.front();
    const auto free = std::count_if(jobs.begin(), jobs.end(),
                                    [](const Job& job) { return !job.process.has_value(); });
    return cell.cost * static_cast<double>(free) / static_cast<double>(jobs.size()) /
           static_cast<double>(cell.help.size() + 2);
}

std::optional<std::size_t> JobBoard::invite(std::size_t process)
{
    double most = 1; // second: a helper reads the data and loads the encoder first
    std::optional<std::size_t> best;
    for (const auto& [piece, cell] : cells_)
        if (!cell.help.contains(process) && left_for_each(cell) > most) {
            most = left_for_each(cell);
            best = piece;
        }
    if (best)
        cells_[*best].help.insert(process);
    return best;
}

void JobBoard::leave(std::size_t process)
{
    for (auto& [piece, cell] : cells_)
        for (Jobs& jobs : cell.stages)
            for (Job& job : jobs)
                if (job.process == process && !job.result)
                    job.process.reset();
}

JobBoard::Jobs& JobBoard::jobs_of(std::size_t piece, const JobStage& stage)
{
    const auto cell = cells_.find(piece);
    if (cell == cells_.end())
        throw core::Cancelled();
    auto& stages = cell->second.stages;
    if (stage.number == stages.size())
        stages.emplace_back(stage.count);
    if (stage.number > stages.size() || stages[stage.number].size() != stage.count)
        throw core::Error("processes do not agree on the folds of a cell: have all the same data "
                          "and the same program before them?");
    return stages[stage.number];
}

std::optional<std::size_t>
JobBoard::take(std::size_t piece, std::size_t process, const JobStage& stage)
{
    Jobs& jobs = jobs_of(piece, stage);
    const auto free =
        std::find_if(jobs.begin(), jobs.end(), [](const Job& job) { return !job.process; });
    if (free == jobs.end())
        return std::nullopt;
    free->process = process;
    return static_cast<std::size_t>(free - jobs.begin());
}

std::size_t
JobBoard::give(std::size_t piece, const JobStage& stage, std::size_t job, learn::JobResult result)
{
    Jobs& jobs = jobs_of(piece, stage);
    jobs.at(job).result = std::move(result);
    return static_cast<std::size_t>(std::count_if(
        jobs.begin(), jobs.end(), [](const Job& one) { return one.result.has_value(); }));
}

learn::SharedJobs::Gathered JobBoard::gather(std::size_t piece, const JobStage& stage)
{
    learn::SharedJobs::Gathered gathered;
    const Jobs& jobs = jobs_of(piece, stage);
    for (const Job& job : jobs)
        if (job.result) {
            ++gathered.done;
            gathered.results.push_back(*job.result);
        }
    if (gathered.done < jobs.size())
        gathered.results.clear();
    return gathered;
}

} // namespace senteval::team
