// hand.hpp -- a process of a run that is not the first: it asks for work and sends what it finds.
#pragma once

#include "learn/shared_jobs.hpp"
#include "run/evaluate.hpp"
#include "run/work.hpp"
#include "team/events.hpp"
#include "team/shared_run.hpp"
#include "team/transport.hpp"
#include "team/wire.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace senteval::team {

/// The other end of a Head. Results go to its store; nothing is written here but vectors.
class Hand final : private run::CellStore, private EventObserver, private learn::SharedJobs {
public:
    /// Says hello. `cache` is this process's cache folder, empty where there is none. Throws
    /// core::UsageError where the first process has another run before it.
    Hand(Transport& transport,
         const SharedRun& run,
         std::filesystem::path cache,
         std::stop_token stop);

    /// Where vectors are to be cached; empty where they need not be.
    [[nodiscard]] const std::filesystem::path& vectors() const { return vectors_; }

    /// Waits where the work depends on what another process is at.
    [[nodiscard]] std::optional<run::Unit> next();

    [[nodiscard]] const run::CellStore& store() const { return *this; }
    [[nodiscard]] run::Observer& observer() { return *this; }

    /// Of the units that next() returned.
    [[nodiscard]] learn::SharedJobs& jobs() { return *this; }

    /// Has the first process show a line.
    void line(std::string_view text);

private:
    void save(run::Cell& cell) const override;
    [[nodiscard]] std::optional<run::Cell> find(const core::Json& document) const override;
    void send(const core::Json& event) override;
    void encoded() override;

    std::optional<std::size_t> take(const learn::JobStage& stage) override;
    std::size_t
    give(const learn::JobStage& stage, std::size_t job, learn::JobResult result) override;
    Gathered gather(const learn::JobStage& stage) override;

    /// Throws core::Error with what the first process says is wrong, core::Cancelled where it wants no more.
    core::Json ask(const core::Json& request) const;

    Transport& transport_;
    const SharedRun& run_;
    std::stop_token stop_;
    mutable std::mutex asking_; ///< one request at a time
    std::filesystem::path vectors_;
    bool sees_folder_ = false; ///< the folder of vectors is the first process's
    bool shares_vectors_ = false;
    run::Folds folds_ = run::Folds::own; ///< of the unit at hand
    FolderChanges changes_{{}};
    std::mutex pacing_;
    std::chrono::steady_clock::time_point told_; ///< when progress was last sent
};

/// The last thing that a process says, whether or not it came to more: why it cannot go on, or nothing
/// where all is done.
void say_goodbye(Transport& transport, const std::string& problem);

} // namespace senteval::team
