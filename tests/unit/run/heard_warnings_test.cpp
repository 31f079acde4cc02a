#include "run/heard_warnings.hpp"
#include "support/support.hpp"

using senteval::run::HeardWarnings;
using Lines = std::vector<std::string>;

TEST_CASE("what an encoder says while it prepares for a task holds for that task alone")
{
    HeardWarnings heard;
    heard.add("3 malformed lines");
    heard.preparing();
    heard.add("task CR takes 2 GiB");
    heard.prepared();
    heard.add("the server is slow");
    CHECK(heard.lines() == Lines{"3 malformed lines", "task CR takes 2 GiB", "the server is slow"});
    heard.preparing();
    heard.prepared();
    CHECK(heard.lines() == Lines{"3 malformed lines", "the server is slow"});
}

TEST_CASE(
    "what is said again, or for every task, is one warning, and a talker does not fill a result")
{
    HeardWarnings heard;
    for (int task = 0; task < 2; ++task) {
        heard.preparing();
        heard.add("it is large");
        heard.add("it is large");
        heard.prepared();
        CHECK(heard.lines() == Lines{"it is large"});
    }
    for (int i = 0; i < 100; ++i)
        heard.add(std::string(1000, 'x') + std::to_string(i));
    CHECK(heard.lines().size() == 2);
    for (int i = 0; i < 100; ++i)
        heard.add(std::to_string(i));
    CHECK(heard.lines().size() == 10);
}
