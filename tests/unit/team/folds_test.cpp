// The folds of one cell among processes, which are threads here.
#include "core/error.hpp"
#include "encoder/cache.hpp"
#include "room.hpp"
#include "run/fakes/fakes.hpp"
#include "support/support.hpp"
#include "team/hand.hpp"
#include "team/head.hpp"
#include "team/job_board.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace senteval;
using learn::JobStage;
namespace fs = std::filesystem;

namespace {

/// What a job does, in the process of that rank.
using InJob = std::function<double(std::size_t rank, std::size_t job)>;

/// One cell of twelve jobs that takes long.
struct LongCell {
    LongCell(std::size_t rank, const InJob& in_job)
    {
        task.jobs = 12;
        task.in_job = [rank, in_job](std::size_t job) { return in_job(rank, job); };
        run.units = run::all_units(1, tasks, std::vector<task::Settings>(1));
        run.costs = {{100, true, 12}};
    }
    test::FakeTask task{"MR"};
    test::FakeSource source;
    std::vector<const task::Task*> tasks = {&task};
    team::SharedRun run;

    void compute(const run::NextUnit& next,
                 const run::CellStore& store,
                 const fs::path& cache_folder,
                 run::Observer& observer,
                 learn::SharedJobs* shared) const
    {
        const encoder::EmbeddingCache cache(cache_folder, 1U << 20U);
        run::EvaluateOptions options;
        options.store = &store;
        options.cache = &cache;
        options.shared = shared;
        run::evaluate({&source.source, 1}, tasks, next, options, observer);
    }
};

struct Outcome {
    test::Protocol protocol;
    double acc = 0; ///< 0 where the cell failed
};

void be_hand(test::Room& room, std::size_t rank, const fs::path& folder, const InJob& in_job)
{
    test::Room::Seat seat(room, rank);
    const LongCell cell(rank, in_job);
    team::Hand hand(seat, cell.run, folder / ("vectors" + std::to_string(rank)), {});
    cell.compute([&] { return hand.next(); }, hand.store(), hand.vectors(), hand.observer(),
                 &hand.jobs());
    team::say_goodbye(seat, "");
}

void compute(std::size_t processes, bool same_folder, const InJob& in_job, Outcome& outcome)
{
    const test::ScratchFolder folder;
    test::Room room(processes);
    test::Room::Seat seat(room, 0);
    const LongCell cell(0, in_job);
    const run::Store store(folder / "store");
    const fs::path vectors = folder / (same_folder ? "shared" : "vectors0");
    {
        std::vector<std::jthread> others;
        team::Head head(seat, cell.run, {&store, vectors, {}, [](const std::string&) {}},
                        outcome.protocol);
        for (std::size_t rank = 1; rank < processes; ++rank)
            others.emplace_back([&, rank] { be_hand(room, rank, folder.path(), in_job); });
        cell.compute([&] { return head.next(); }, store, vectors, head.observer(), &head.jobs());
        CHECK(head.finish().empty());
    }
    for (const run::Cell& one : outcome.protocol.cells)
        outcome.acc = one.document.at("metrics").at("acc").get<double>();
}

double third(std::size_t job)
{
    return static_cast<double>(job * job) / 3;
}

/// Waits, but not for ever, until that is so.
void wait_until(const std::function<bool()>& is_so)
{
    for (int tenths = 0; tenths < 600 && !is_so(); ++tenths)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(is_so());
}

std::size_t lines_with(const test::Protocol& protocol, const std::string& what)
{
    std::size_t count = 0;
    for (const std::string& line : protocol.lines)
        count += test::contains(line, what) ? 1U : 0U;
    return count;
}

} // namespace

TEST_CASE("processes that have no cell of their own do folds of the one there is")
{
    Outcome alone;
    compute(
        1, true, [](std::size_t, std::size_t job) { return third(job); }, alone);
    CHECK(alone.acc > 100);
    for (const std::size_t processes : {2U, 3U, 4U})
        for (const bool same_folder : {true, false}) {
            CAPTURE(processes);
            CAPTURE(same_folder);
            std::vector<std::atomic<int>> jobs(processes);
            const auto all_work = [&] {
                return std::all_of(jobs.begin(), jobs.end(), [](const auto& n) { return n > 0; });
            };
            Outcome together;
            compute(
                processes, same_folder,
                [&](std::size_t rank, std::size_t job) {
                    ++jobs[rank];
                    wait_until(
                        all_work); // each process gets its first job before any gets a second
                    return third(job);
                },
                together);
            CHECK(together.acc == alone.acc);
            CHECK(together.protocol.cells.size() == 1);
            CHECK(lines_with(together.protocol, "started") == 1);
            int done = 0;
            for (const auto& of_process : jobs)
                done += of_process;
            CHECK(done == 12);
        }
}

TEST_CASE("a fold that fails in the process that helps is done by the one that has the cell")
{
    std::atomic<int> owner = -1; // the process that got the first job
    std::atomic<bool> helped = false;
    Outcome outcome;
    compute(
        2, true,
        [&](std::size_t rank, std::size_t job) {
            int nobody = -1;
            owner.compare_exchange_strong(nobody, static_cast<int>(rank));
            if (static_cast<int>(rank) != owner) {
                helped = true;
                throw core::Error("no room for fold {}", job);
            }
            wait_until([&] { return helped.load(); });
            return third(job);
        },
        outcome);
    Outcome alone;
    compute(
        1, true, [](std::size_t, std::size_t job) { return third(job); }, alone);
    CHECK(outcome.acc == alone.acc);
    CHECK(lines_with(outcome.protocol, "failed") == 0);
    CHECK(lines_with(outcome.protocol, "cannot help with its folds: no room for fold") == 1);
}

TEST_CASE("a fold that fails everywhere fails its cell, once")
{
    Outcome outcome;
    compute(
        3, true,
        [](std::size_t, std::size_t job) -> double {
            if (job == 5)
                throw core::Error("fold {} cannot be", job);
            return third(job);
        },
        outcome);
    CHECK(outcome.protocol.cells.empty());
    CHECK(lines_with(outcome.protocol, "failed fake MR: fold 5 cannot be") == 1);
}

TEST_CASE("jobs are taken once, and again where their process left")
{
    team::JobBoard board;
    const JobStage stage{0, 3};
    board.open(7, 100);
    CHECK_FALSE(board.invite(2)); // its folds have not begun
    CHECK(board.take(7, 1, stage) == 0);
    CHECK(board.invite(2) == 7);
    CHECK_FALSE(board.invite(2)); // once
    CHECK(board.take(7, 2, stage) == 1);
    CHECK(board.take(7, 1, stage) == 2);
    CHECK_FALSE(board.take(7, 1, stage));
    CHECK_FALSE(board.invite(3)); // nothing is left to take
    CHECK(board.give(7, stage, 2, {2.5}) == 1);
    CHECK(board.gather(7, stage).results.empty());
    board.leave(2);
    CHECK(board.take(7, 1, stage) == 1);
    CHECK(board.give(7, stage, 1, {1.5}) == 2);
    CHECK(board.give(7, stage, 0, {0.5}) == 3);
    CHECK(board.gather(7, stage).results == std::vector<learn::JobResult>{{0.5}, {1.5}, {2.5}});
    CHECK(board.take(7, 1, {1, 1}) == 0); // the next stage
    CHECK_THROWS_AS(board.take(7, 2, {1, 2}), core::Error);
    board.close(7);
    CHECK_THROWS_AS(board.take(7, 1, stage), core::Cancelled);
}

TEST_CASE("nobody is called to what is nearly done")
{
    team::JobBoard board;
    board.open(0, 1.5);
    CHECK(board.take(0, 0, {0, 10}) == 0);
    CHECK_FALSE(board.invite(1));
    board.open(1, 30);
    CHECK(board.take(1, 0, {0, 10}) == 0);
    board.open(2, 22);
    CHECK(board.take(2, 1, {0, 10}) == 0);
    CHECK(board.invite(2) == 1);
    CHECK(board.invite(3) == 2); // two are at the first already
    CHECK(board.invite(4) == 1);
}
