#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "word_vectors/parallel.hpp"

using namespace senteval;
using word_vectors::for_each_chunk;

TEST_CASE("every chunk is done once, on any number of threads")
{
    for (const unsigned threads : {1U, 2U, 7U}) {
        const test::FakeCall call(threads);
        std::vector<std::atomic<int>> done(100);
        for_each_chunk(call.sdk(), done.size(), [&](std::size_t i) { ++done[i]; });
        for (const auto& times : done)
            CHECK(times == 1);
    }
    const test::FakeCall call(2);
    for_each_chunk(call.sdk(), 0, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("an exception in a chunk ends the work and comes out")
{
    const test::FakeCall call(3);
    CHECK_ERROR(std::runtime_error, "seven", for_each_chunk(call.sdk(), 50, [](std::size_t i) {
                    if (i == 7)
                        throw std::runtime_error("seven");
                }));
}

TEST_CASE("a cancelled call does no chunk more")
{
    test::FakeCall call(1);
    call.cancel();
    int done = 0;
    CHECK_THROWS_AS(for_each_chunk(call.sdk(), 5, [&](std::size_t) { ++done; }), sdk::Cancelled);
    CHECK(done == 0);
}
