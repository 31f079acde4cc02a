#include "results/document.hpp"
#include "results/store.hpp"
#include "run/cost.hpp"
#include "run/options.hpp"
#include "support/support.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace senteval;
using base::Json;

namespace {

const Json some_cost = {{"schema", results::cost_schema},
                        {"encoder", {{"id", "senteval.fake"}, {"fingerprint", "0123456789abcdef"}}},
                        {"computer", "a computer"},
                        {"threads", 2},
                        {"sentences_per_second", 7}};

} // namespace

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

TEST_CASE("a store has one cost of an encoder on a computer by so many threads")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    Json cost = some_cost;
    CHECK_FALSE(store.has_cost(cost));
    store.save_cost(cost);
    cost["sentences_per_second"] = 8;
    CHECK(store.has_cost(cost));
    store.save_cost(cost);
    CHECK(store.costs() == std::vector<Json>{cost});
    cost["threads"] = 1;
    CHECK_FALSE(store.has_cost(cost));
    store.save_cost(cost);
    CHECK(store.costs().size() == 2);
    CHECK(results::damaged_costs(folder.path()).empty());
    CHECK(store.documents().empty());
    std::vector<std::string> problems;
    CHECK(store.load_all(problems).empty());
    CHECK(problems.empty());
}

TEST_CASE("a damaged cost is as none, and told")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    store.save_cost(some_cost);
    const auto encoders = std::filesystem::directory_iterator(folder.path());
    const auto file = std::filesystem::directory_iterator(encoders->path())->path();
    const auto changed = [&](const char* key, const Json& value) {
        Json other = some_cost;
        other[key] = value;
        return other.dump();
    };
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), some_cost.dump().substr(0, 40),
          changed("sentences_per_second", -7), changed("sentences_per_second", 0),
          changed("sentences_per_second", 1e300), changed("sentences_per_second", "7"),
          changed("peak_bytes", -1), changed("schema", "senteval-cost/9"), changed("threads", 3),
          changed("computer", nullptr), changed("encoder", "fake"), changed("date", 1)}) {
        std::ofstream(file) << text;
        CHECK_MESSAGE(store.costs().empty(), text);
        CHECK_FALSE(store.has_cost(some_cost));
        CHECK(results::damaged_costs(folder.path()).size() == 1);
    }
    store.save_cost(some_cost);
    CHECK(store.has_cost(some_cost));
}

TEST_CASE("a cost is asked for by an option, of which the last counts")
{
    const run::Option& option = *run::find_option("run", "cost");
    run::Config config;
    CHECK_FALSE(run::asks_cost(config));
    config.given.push_back({&option, core::Value::of_text("true", "cost", "")});
    CHECK(run::asks_cost(config));
    config.given.push_back({&option, core::Value::of_text("false", "cost", "")});
    CHECK_FALSE(run::asks_cost(config));
}
