#include "core/error.hpp"
#include "encoder/cache.hpp"
#include "room.hpp"
#include "run/fakes/fakes.hpp"
#include "support/support.hpp"
#include "team/hand.hpp"
#include "team/head.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <latch>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace senteval;
using test::FakeSource;
using test::FakeTask;
using test::Room;
namespace fs = std::filesystem;

namespace {

/// Two encoders on two tasks under three seeds.
struct Grid {
    FakeTask mr{"MR"};
    FakeTask cr{"CR"};
    FakeSource first{"first"};
    FakeSource second{"second", "ffff"};
    std::vector<const task::Task*> tasks = {&mr, &cr};
    std::vector<run::EncoderSource> sources = {first.source, second.source};

    [[nodiscard]] std::vector<run::Unit> units() const
    {
        std::vector<task::Settings> settings(3);
        settings[1].seed = 7;
        settings[2].seed = 8;
        return run::all_units(sources.size(), tasks, settings);
    }
};

team::SharedRun shared(const Grid& grid)
{
    team::SharedRun shared;
    shared.units = grid.units();
    shared.costs.resize(shared.units.size());
    shared.fingerprint = "this run";
    return shared;
}

void evaluate(const Grid& grid,
              const run::NextUnit& next,
              const run::CellStore& store,
              const encoder::EmbeddingCache* cache,
              run::Observer& observer)
{
    run::EvaluateOptions options;
    options.store = &store;
    options.cache = cache;
    run::evaluate(grid.sources, grid.tasks, next, options, observer);
}

/// What the process of that rank does. Grids are its own, as everything is in a real process.
void be_hand(Room& room, std::size_t rank, const fs::path& folder)
{
    Room::Seat seat(room, rank);
    const Grid grid;
    const team::SharedRun run = shared(grid);
    team::Hand hand(seat, run, folder / ("vectors" + std::to_string(rank)), {});
    const encoder::EmbeddingCache cache(hand.vectors(), 1U << 20U);
    evaluate(
        grid, [&] { return hand.next(); }, hand.store(), &cache, hand.observer());
    team::say_goodbye(seat, "");
}

std::map<std::string, core::Json> metrics_in(const fs::path& store)
{
    std::vector<std::string> problems;
    std::map<std::string, core::Json> all;
    for (const run::Cell& cell : run::Store(store).load_all(problems))
        all[cell.document.at("encoder").at("label").get<std::string>() + " " +
            cell.document.at("task").at("name").get<std::string>() + " " +
            cell.document.at("protocol").at("settings").dump()] = cell.document.at("metrics");
    CHECK(problems.empty());
    return all;
}

void compute_together(std::size_t processes, const fs::path& folder, bool same_folder)
{
    const Grid grid;
    Room room(processes);
    Room::Seat seat(room, 0);
    const team::SharedRun run = shared(grid);
    const run::Store store(folder / "together");
    test::Protocol protocol;
    const fs::path vectors = folder / (same_folder ? "shared" : "vectors0");
    team::HeadOptions options{&store, vectors, {}, [](const std::string&) {}};
    std::vector<std::jthread> others;
    team::Head head(seat, run, options, protocol);
    for (std::size_t rank = 1; rank < processes; ++rank)
        others.emplace_back([&, rank] { be_hand(room, rank, folder); });
    const encoder::EmbeddingCache cache(vectors, 1U << 20U);
    evaluate(
        grid, [&] { return head.next(); }, store, &cache, head.observer());
    CHECK(head.finish().empty());
    CHECK(protocol.cells.size() == 12);
    CHECK(protocol.cells_started == 12);
}

} // namespace

TEST_CASE("several processes fill one store as one process does")
{
    const test::ScratchFolder alone;
    const Grid grid;
    const run::Store store(alone / "store");
    test::Protocol protocol;
    evaluate(grid, run::in_order(grid.units()), store, nullptr, protocol);
    const auto expected = metrics_in(alone / "store");
    CHECK(expected.size() == 12);
    for (const std::size_t processes : {1U, 2U, 3U, 9U})
        for (const bool same_folder : {true, false}) {
            CAPTURE(processes);
            CAPTURE(same_folder);
            const test::ScratchFolder folder;
            compute_together(processes, folder.path(), same_folder);
            CHECK(metrics_in(folder / "together") == expected);
        }
}

TEST_CASE("a process with another run before it is told so, and the others do its work")
{
    const test::ScratchFolder folder;
    const Grid grid;
    Room room(2);
    Room::Seat seat(room, 0);
    const team::SharedRun run = shared(grid);
    const run::Store store(folder / "store");
    test::Protocol protocol;
    team::Head head(seat, run, {&store, {}, {}, [](const std::string&) {}}, protocol);
    std::jthread other([&] {
        Room::Seat mine(room, 1);
        team::SharedRun another = run;
        another.fingerprint = "another run";
        try {
            const team::Hand hand(mine, another, {}, {});
        } catch (const core::Error& e) {
            team::say_goodbye(mine, e.what());
        }
    });
    evaluate(
        grid, [&] { return head.next(); }, store, nullptr, head.observer());
    const auto problems = head.finish();
    REQUIRE(problems.size() == 1);
    CHECK(test::contains(problems[0], "process 1 took no further part"));
    CHECK(test::contains(problems[0], "another run"));
    CHECK(metrics_in(folder / "store").size() == 12);
}

TEST_CASE(
    "what a process was at when it gave up is there for the first, who had found nothing more")
{
    const test::ScratchFolder folder;
    const Grid grid;
    Room room(2);
    Room::Seat seat(room, 0);
    team::SharedRun run = shared(grid);
    for (team::UnitCost& cost : run.costs)
        cost.divisible = false; // nothing waits for vectors of the other
    const run::Store store(folder / "store");
    test::Protocol protocol;
    team::Head head(seat, run, {&store, {}, {}, [](const std::string&) {}}, protocol);
    std::latch has_piece(1);
    std::latch no_more(1);
    std::jthread other([&] {
        Room::Seat mine(room, 1);
        team::Hand hand(mine, run, {}, {});
        CHECK(hand.next().has_value());
        has_piece.count_down();
        no_more.wait();
        team::say_goodbye(mine, "its disk is full");
    });
    has_piece.wait();
    const auto compute = [&] {
        evaluate(
            grid, [&] { return head.next(); }, store, nullptr, head.observer());
    };
    compute();
    CHECK(metrics_in(folder / "store").size() < 12);
    no_more.count_down();
    CHECK(head.finish().size() == 1);
    CHECK(head.has_work());
    compute();
    CHECK_FALSE(head.has_work());
    CHECK(metrics_in(folder / "store").size() == 12);
}

TEST_CASE("what one process fails at is reported by the first, and costs no other cell")
{
    const test::ScratchFolder folder;
    Grid grid;
    grid.cr.in_run = [] { throw core::Error("no memory"); };
    Room room(2);
    Room::Seat seat(room, 0);
    const team::SharedRun run = shared(grid);
    const run::Store store(folder / "store");
    test::Protocol protocol;
    team::Head head(seat, run, {&store, {}, {}, [](const std::string&) {}}, protocol);
    std::jthread other([&] {
        Room::Seat mine(room, 1);
        team::Hand hand(mine, run, {}, {});
        evaluate(
            grid, [&] { return hand.next(); }, hand.store(), nullptr, hand.observer());
        team::say_goodbye(mine, "");
    });
    evaluate(
        grid, [&] { return head.next(); }, store, nullptr, head.observer());
    CHECK(head.finish().empty());
    CHECK(metrics_in(folder / "store").size() == 6);
    std::set<std::string>
        failed; // once for each encoder, or more often where its seeds were divided
    for (const std::string& line : protocol.lines)
        if (test::contains(line, "CR: no memory"))
            failed.insert(line);
    CHECK(failed.size() == 2);
}
