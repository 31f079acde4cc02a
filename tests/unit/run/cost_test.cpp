#include "run/cost.hpp"
#include "support/support.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace senteval;

TEST_CASE("the sentences of a cost are a thousand, all different, and always the same")
{
    const auto& all = run::cost_sentences();
    REQUIRE(all.size() == 1000);
    CHECK(std::set<std::string>(all.begin(), all.end()).size() == 1000);
    for (const std::string& sentence : all) {
        const auto words = std::ranges::count(sentence, ' ') + 1;
        CHECK((words >= 5 && words <= 29));
    }
    CHECK(run::cost_sentences().front() == all.front());
}

TEST_CASE("what a child takes is seen, while it lives")
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1); // until the pipe is closed
    }
    const auto own = run::children();
    CHECK(std::ranges::find(own, child) != own.end());
    CHECK(run::usage_of({child}).peak_bytes > 0);
    close(ends[1]);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    CHECK(run::usage_of({child}).peak_bytes == 0);
}
