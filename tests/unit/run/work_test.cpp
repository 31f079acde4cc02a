#include "fakes/fakes.hpp"
#include "run/work.hpp"
#include "support/support.hpp"

using namespace senteval;
using run::Unit;

namespace {

/// So many encoders on so many tasks under so many seeds.
std::vector<Unit> grid(std::size_t encoders, std::size_t tasks, std::uint32_t seeds)
{
    std::vector<task::Settings> settings;
    for (std::uint32_t seed = 0; seed < seeds; ++seed)
        settings.emplace_back().seed = seed;
    std::vector<Unit> units;
    for (std::size_t encoder = 0; encoder < encoders; ++encoder)
        for (std::size_t task = 0; task < tasks; ++task)
            units.push_back({encoder, task, settings});
    return units;
}

using CellName = std::tuple<std::size_t, std::size_t, std::uint32_t>;

std::multiset<CellName> cells(const std::vector<Unit>& units)
{
    std::multiset<CellName> all;
    for (const Unit& unit : units)
        for (const task::Settings& settings : unit.settings)
            all.insert({unit.encoder, unit.task, settings.seed});
    return all;
}

} // namespace

TEST_CASE("a run is every encoder on every task, under the settings that differ for it")
{
    const test::FakeTask seeded("MR");
    const test::FakeTask seedless("STS14", false);
    const std::vector<const task::Task*> tasks = {&seeded, &seedless};
    std::vector<task::Settings> settings(2);
    settings[1].seed = 7;
    const auto units = run::all_units(2, tasks, settings);
    REQUIRE(units.size() == 4);
    CHECK(units[0].settings.size() == 2);
    CHECK(units[1].settings.size() == 1);
    CHECK(units[3].encoder == 1);
    CHECK(units[3].task == 1);
    CHECK(run::cells_of(units) == 6);
}

TEST_CASE("what is cut holds the same cells in as many units as are asked for, or one for each")
{
    const auto whole = grid(2, 3, 5);
    const auto parts = run::cut(whole, 13);
    CHECK(parts.size() == 13);
    CHECK(cells(parts) == cells(whole));
    CHECK(run::cut(whole, 1000).size() == 30);
    CHECK(run::cut(whole, 2).size() == 6);
    CHECK(run::cut({}, 4).empty());
}

TEST_CASE("every cell belongs to one shard, and shards get as many units")
{
    for (const auto& grouping :
         std::vector<std::tuple<std::size_t, std::size_t, std::uint32_t, std::size_t>>{
             {4, 8, 1, 3}, {4, 8, 5, 32}, {4, 8, 5, 64}, {1, 1, 3, 7}, {5, 9, 1, 8}}) {
        const auto& [encoders, tasks, seeds, count] = grouping;
        CAPTURE(std::get<3>(grouping));
        const auto units = run::cut(grid(encoders, tasks, seeds), count);
        std::multiset<CellName> all;
        for (std::size_t index = 0; index < count; ++index) {
            const auto part = run::units_of(units, {index, count});
            CHECK(part.size() >= units.size() / count);
            CHECK(part.size() <= units.size() / count + 1);
            all.merge(cells(part));
        }
        CHECK(all == cells(grid(encoders, tasks, seeds)));
    }
}

TEST_CASE("no shard gets one task of every encoder")
{
    for (const std::size_t tasks : {7U, 8U, 9U}) {
        CAPTURE(tasks);
        const auto units = grid(16, tasks, 1);
        for (std::size_t index = 0; index < 8; ++index) {
            std::map<std::size_t, int> of_task;
            for (const Unit& unit : run::units_of(units, {index, 8}))
                ++of_task[unit.task];
            for (const auto& [task, often] : of_task)
                CHECK(often <= 8);
        }
    }
}
