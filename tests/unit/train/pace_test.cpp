#include "train/pace.hpp"
#include "train/team.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace senteval;
using std::chrono::milliseconds;
using train::Pace;

namespace {

/// How many of `pieces` all threads did, where one takes so long alone and so long with all.
int with_all(Pace& pace, int pieces, milliseconds alone, milliseconds all)
{
    int count = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        const bool is_alone = pace.members() == 1;
        count += is_alone ? 0 : 1;
        pace.took(is_alone ? alone : all);
    }
    return count;
}

} // namespace

TEST_CASE("all threads work where that is faster, and one alone where they wait for one another")
{
    Pace pace(4);
    CHECK(pace.members() == 4);
    CHECK(with_all(pace, 10000, milliseconds(10), milliseconds(3)) > 9900);
    CHECK(with_all(pace, 10000, milliseconds(10), milliseconds(200)) < 60);
    CHECK(with_all(pace, 10000, milliseconds(10), milliseconds(3)) > 8900);
    Pace single(1);
    CHECK(with_all(single, 100, milliseconds(10), milliseconds(3)) == 0);
}

TEST_CASE("single interruptions do not decide between one thread and all")
{
    Pace pace(2);
    int count = 0;
    for (int piece = 0; piece < 10000; ++piece) {
        const bool is_alone = pace.members() == 1;
        count += is_alone ? 0 : 1;
        pace.took(milliseconds(piece % 7 == 0 ? 60 : is_alone ? 10 : 7));
    }
    CHECK(count > 9500);
}

TEST_CASE("those of a team take part who are to, each once a run")
{
    train::Team team(3);
    std::vector<std::atomic<int>> calls(3);
    for (unsigned round = 0; round < 300; ++round) {
        team.use(1 + round % 3);
        team.run([&](unsigned member) {
            ++calls[member];
            team.sync();
        });
    }
    CHECK(team.capacity() == 3);
    CHECK(calls[0] == 300);
    CHECK(calls[1] == 200);
    CHECK(calls[2] == 100);
}
