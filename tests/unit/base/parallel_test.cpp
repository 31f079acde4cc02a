#include "base/parallel.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("every job runs once, on any number of threads")
{
    for (const unsigned threads : {0U, 1U, 2U, 7U}) {
        std::vector<std::atomic<int>> runs(100);
        base::parallel_for(runs.size(), threads, [&](std::size_t job) { ++runs[job]; });
        for (const auto& count : runs)
            CHECK(count == 1);
    }
}

TEST_CASE("the exception of a job is thrown to the caller and stops later jobs")
{
    using namespace std::chrono_literals;
    std::atomic<int> started{0};
    CHECK_ERROR(std::runtime_error, "job three", base::parallel_for(1000, 2, [&](std::size_t job) {
                    ++started;
                    if (job == 3)
                        throw std::runtime_error("job three");
                    if (job > 3) // long enough to hear of it
                        std::this_thread::sleep_for(1ms);
                }));
    CHECK(started < 1000);
}

TEST_CASE("no jobs, no work")
{
    base::parallel_for(0, 4, [](std::size_t) { FAIL("called"); });
    CHECK(base::available_threads() >= 1);
}
