// head.hpp -- the first process of a run: it hands out work, and gathers what the others find.
#pragma once

#include "learn/shared_jobs.hpp"
#include "run/evaluate.hpp"
#include "run/work.hpp"
#include "team/events.hpp"
#include "team/job_board.hpp"
#include "team/scheduler.hpp"
#include "team/shared_run.hpp"
#include "team/transport.hpp"
#include "team/wire.hpp"

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace senteval::team {

struct HeadOptions {
    const run::CellStore* store = nullptr;
    std::filesystem::path
        vectors; ///< cache folder for vectors that several processes need; may be empty
    std::stop_token stop;
    std::function<void(const std::string&)> line; ///< shows a line that another process has to say
};

/// Serves the other processes on a thread of its own, while this process works as one of them.
class Head final : private EventObserver, private learn::SharedJobs {
public:
    /// `observer` is told what all processes do, one call at a time. What is passed must outlive the object.
    Head(Transport& transport, const SharedRun& run, HeadOptions options, run::Observer& observer);
    ~Head() override;
    Head(const Head&) = delete;
    Head& operator=(const Head&) = delete;
    Head(Head&&) = delete;
    Head& operator=(Head&&) = delete;

    /// Work for this process; waits where it depends on what another one is at.
    [[nodiscard]] std::optional<run::Unit> next();

    /// To be told what this process does.
    [[nodiscard]] run::Observer& observer() { return *this; }

    /// Of the units that next() returned.
    [[nodiscard]] learn::SharedJobs& jobs() { return *this; }

    /// Waits until no other process is at work. Returns what went wrong with processes rather than with
    /// cells, a line each.
    std::vector<std::string> finish();

    /// After finish(): whether a process gave up at a piece when this one had been told that there are no
    /// more. next() hands it out.
    [[nodiscard]] bool has_work();

private:
    void send(const core::Json& event) override;
    void encoded() override;

    std::optional<std::size_t> take(const learn::JobStage& stage) override;
    std::size_t
    give(const learn::JobStage& stage, std::size_t job, learn::JobResult result) override;
    Gathered gather(const learn::JobStage& stage) override;

    void serve(const std::stop_token& ended);
    [[nodiscard]] core::Json answer(std::size_t process, const core::Json& request);
    [[nodiscard]] core::Json hello(std::size_t process, const core::Json& request);
    [[nodiscard]] core::Json next_for(std::size_t process, bool sees_folder);
    [[nodiscard]] std::optional<core::Json> assign(std::size_t process);
    void end_work(std::size_t process);
    [[nodiscard]] core::Json answer_on_jobs(std::size_t process, const core::Json& request);
    void keep_vectors(std::size_t process, const core::Json& request);
    void goodbye(std::size_t process, const core::Json& request);
    void made(std::size_t process, const std::vector<std::filesystem::path>& files);

    Transport& transport_;
    const SharedRun& run_;
    HeadOptions options_;
    std::string token_; ///< a file in the folder of vectors: who finds it shares the folder
    run::Observer& observer_;
    std::mutex telling_; ///< one call of the observer at a time

    std::mutex mutex_; ///< of all that follows
    std::condition_variable changed_;
    Scheduler scheduler_;
    JobBoard board_;
    struct Work {
        std::size_t piece = 0;
        bool helps = false; ///< another process has the piece
    };
    std::map<std::size_t, Work> at_;                                    ///< of each process
    std::map<std::size_t, std::vector<std::filesystem::path>> vectors_; ///< files, by their number
    FolderChanges changes_;         ///< of the vectors, while this process makes some
    std::set<std::size_t> at_work_; ///< other processes that have not said goodbye
    std::vector<std::string> problems_;
    std::jthread server_; // last: it uses the others
};

} // namespace senteval::team
