#include "team/makespan.hpp"
#include "team/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

using senteval::team::Piece;
using senteval::team::Scheduler;
using senteval::team::simulate;
using senteval::team::TimedPiece;

TEST_CASE("every piece is handed out once, and the run is near the best division")
{
    std::vector<TimedPiece> pieces;
    double work = 0;
    for (std::size_t encoder = 0; encoder < 6; ++encoder)
        for (std::size_t task = 0; task < 10; ++task) {
            const auto cost = static_cast<double>(1 + task * task);
            pieces.push_back({{encoder, encoder * 10 + task, cost}, cost / 10, cost * 9 / 10});
            work += cost;
        }
    for (const std::size_t processes : {1U, 2U, 3U, 8U, 16U}) {
        CAPTURE(processes);
        const auto found = simulate(pieces, std::vector<double>(6), processes);
        CHECK(found.busy == doctest::Approx(work)); // each piece once
        const double best = std::max(work / static_cast<double>(processes), 82.0);
        CHECK(found.seconds >= best * 0.999);
        CHECK(found.seconds <= best + 82.0); // list scheduling: at most one longest piece more
    }
}

TEST_CASE("vectors that pieces share are made once, and encoders are loaded by who turns to them")
{
    // One encoder and task in four pieces: one makes the vectors in 10 s, the others wait for them.
    const std::vector<TimedPiece> pieces(4, {{0, 0, 1}, 10, 5});
    const auto found = simulate(pieces, {3}, 4);
    CHECK(found.seconds == doctest::Approx(3 + 10 + 3 + 5)); // the others load when they begin
    CHECK(found.busy == doctest::Approx(4 * 3 + 10 + 4 * 5));
    CHECK(simulate(pieces, {3}, 1).seconds == doctest::Approx(3 + 10 + 4 * 5));
    CHECK(simulate({}, {}, 3).seconds == 0);
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

TEST_CASE(
    "a piece that is dear beside what is left is divided, into its cells and then for its folds")
{
    const Piece twenty_cells{0, 0, 50, 0, 0, 20, true, 10};
    Scheduler scheduler({twenty_cells, {0, 1, 200, 1, 0, 1, true, 10}}, 2);
    REQUIRE(scheduler.next(0) == 1); // 200 of 250
    CHECK(scheduler.is_open(1));
    REQUIRE(scheduler.next(1) == 0); // 50 of 50
    CHECK(scheduler.piece(0).cells == 1);
    CHECK(scheduler.piece(0).cost == 2.5);
    CHECK_FALSE(scheduler.is_open(0)); // there is enough left
    CHECK(scheduler.shares_vectors(0));
    std::size_t cells = 1;
    std::optional<std::size_t> piece;
    while ((piece = scheduler.next(1))) {
        CHECK(scheduler.piece(*piece).unit == 0);
        CHECK(scheduler.piece(*piece).first == cells);
        cells += scheduler.piece(*piece).cells;
    }
    CHECK(cells == 20);
    CHECK(scheduler.is_waiting()); // the first is open still
    CHECK_FALSE(scheduler.next(0));
    CHECK_FALSE(scheduler.is_waiting());
}

TEST_CASE("what is not dear, may not be divided or has nobody to share with stays whole")
{
    const Piece cells{0, 0, 10, 0, 0, 5, true, 10};
    Scheduler many(std::vector<Piece>(20, cells), 2);
    CHECK(many.piece(*many.next(0)).cells == 5);
    Scheduler alone({cells}, 1);
    CHECK(alone.piece(*alone.next(0)).cells == 5);
    CHECK_FALSE(alone.shares_vectors(0));
    Scheduler tied({{0, 0, 10, 0, 0, 5, false, 10}}, 3);
    CHECK(tied.piece(*tied.next(0)).cells == 5);
    CHECK_FALSE(tied.is_open(0));
}

TEST_CASE("idle processes shorten what has folds, and what has none is not waited for")
{
    const std::vector<TimedPiece> folds = {{{0, 0, 41, 0, 0, 1, true, 100}, 1, 40}};
    CHECK(simulate(folds, {0}, 4).seconds == doctest::Approx(1 + 10));
    CHECK(simulate(folds, {0}, 4).busy == doctest::Approx(1 + 40));
    CHECK(simulate(folds, {5}, 2).seconds == doctest::Approx(5 + 1 + (40 + 5) / 2.0));
    const std::vector<TimedPiece> few = {{{0, 0, 41, 0, 0, 1, true, 2}, 1, 40}};
    CHECK(simulate(few, {0}, 4).seconds == doctest::Approx(1 + 20));
    const std::vector<TimedPiece> none = {{{0, 0, 41, 0, 0, 1, true, 1}, 1, 40}};
    CHECK(simulate(none, {0}, 4).seconds == doctest::Approx(1 + 40));
    CHECK(simulate({{{0, 0, 41, 0, 0, 4, true, 1}, 1, 40}}, {0}, 4).seconds ==
          doctest::Approx(1 + 10)); // four cells
}
