#include "team/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

using senteval::team::Piece;
using senteval::team::Scheduler;

namespace {

/// When the last of so many processes is done, if each piece takes its cost and vectors a tenth of it.
double makespan(const std::vector<Piece>& pieces, std::size_t processes, std::vector<int>& done)
{
    struct Process {
        double free_at = 0;
        double vectors_at = -1; ///< when it will have made the vectors of its piece; -1: it has
    };
    Scheduler scheduler(pieces, processes);
    std::vector<Process> all(processes);
    done.assign(pieces.size(), 0);
    double now = 0;
    double last = 0;
    while (true) {
        bool is_idle = true;
        for (std::size_t at = 0; at < processes; ++at) {
            if (all[at].vectors_at >= 0 && all[at].vectors_at <= now) {
                scheduler.vectors_ready(at);
                all[at].vectors_at = -1;
            }
            if (all[at].free_at > now)
                continue;
            if (const auto piece = scheduler.next(at)) {
                ++done[*piece];
                all[at] = {now + pieces[*piece].cost, now + pieces[*piece].cost / 10};
                last = std::max(last, all[at].free_at);
                is_idle = false;
            }
        }
        if (!is_idle)
            continue;
        double next = -1;
        for (const Process& one : all)
            for (const double time : {one.free_at, one.vectors_at})
                if (time > now && (next < 0 || time < next))
                    next = time;
        if (next < 0)
            return last;
        now = next;
    }
}

} // namespace

TEST_CASE("every piece is handed out once, and the run is near the best division")
{
    std::vector<Piece> pieces;
    for (std::size_t encoder = 0; encoder < 6; ++encoder)
        for (std::size_t task = 0; task < 10; ++task)
            pieces.push_back({encoder, encoder * 10 + task, static_cast<double>(1 + task * task)});
    const double work =
        std::accumulate(pieces.begin(), pieces.end(), 0.0,
                        [](double sum, const Piece& one) { return sum + one.cost; });
    for (const std::size_t processes : {1U, 2U, 3U, 8U, 16U}) {
        CAPTURE(processes);
        std::vector<int> done;
        const double time = makespan(pieces, processes, done);
        CHECK(std::all_of(done.begin(), done.end(), [](int often) { return often == 1; }));
        const double best = std::max(work / static_cast<double>(processes), 82.0);
        CHECK(time >= best);
        CHECK(time <= best + 82.0); // list scheduling: at most one longest piece more
    }
}

TEST_CASE(
    "a process keeps to its encoder, the dearest piece first, and then helps where most is left")
{
    Scheduler scheduler({{0, 0, 5}, {0, 1, 9}, {1, 2, 3}, {1, 3, 4}, {2, 4, 6}}, 2);
    CHECK(scheduler.next(0) == 1); // encoder 0 has most work
    CHECK(scheduler.next(1) == 3); // encoder 1 has 7 for one process, encoder 0 has 5 for two
    CHECK(scheduler.next(1) == 2);
    CHECK(scheduler.next(1) == 4);
    CHECK(scheduler.next(0) == 0);
    CHECK_FALSE(scheduler.next(0));
    CHECK_FALSE(scheduler.is_waiting());
}

TEST_CASE("pieces wait for vectors that another process makes, and not for those it cannot make")
{
    Scheduler scheduler({{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, 3);
    CHECK(scheduler.shares_vectors(0));
    CHECK(scheduler.next(0));
    CHECK_FALSE(scheduler.next(1));
    CHECK(scheduler.is_waiting());
    scheduler.vectors_ready(0);
    CHECK(scheduler.next(1));
    CHECK(scheduler.next(2));
    CHECK_FALSE(scheduler.is_waiting());

    Scheduler failing({{0, 0, 1}, {0, 0, 1}}, 2);
    const auto first = failing.next(0);
    CHECK_FALSE(failing.next(1));
    const auto second = failing.next(0); // the first failed before it had vectors
    CHECK(std::set{first, second}.size() == 2);
}

TEST_CASE("what a process leaves is done by another")
{
    Scheduler scheduler({{0, 0, 1}, {0, 1, 2}}, 2);
    CHECK(scheduler.next(0) == 1);
    scheduler.leave(0);
    CHECK(scheduler.next(1) == 1);
    CHECK(scheduler.next(1) == 0);
    CHECK_FALSE(scheduler.next(1));
}
