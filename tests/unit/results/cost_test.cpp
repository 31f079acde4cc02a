#include "results/result.hpp"
#include "results/store.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;

namespace {

results::Cost some_cost()
{
    results::Cost cost;
    cost.encoder.id = "senteval.fake";
    cost.encoder.fingerprint = "0123456789abcdef";
    cost.where = "a computer";
    cost.threads = 2;
    cost.sentences_per_second = 7;
    return cost;
}

} // namespace

TEST_CASE("a store has one cost of an encoder on a computer by so many threads")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cost cost = some_cost();
    CHECK_FALSE(store.has_cost(cost));
    store.save_cost(cost);
    cost.sentences_per_second = 8;
    CHECK(store.has_cost(cost));
    store.save_cost(cost);
    std::vector<std::string> problems;
    REQUIRE(store.costs(problems).size() == 1);
    CHECK(results::to_json(store.costs(problems)[0]) == results::to_json(cost));
    cost.threads = 1;
    CHECK_FALSE(store.has_cost(cost));
    store.save_cost(cost);
    CHECK(store.costs(problems).size() == 2);
    CHECK(store.records().empty());
    CHECK(store.load_all(problems).empty());
    CHECK(problems.empty());
}

TEST_CASE("a damaged cost is as none, and told")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    const results::Cost cost = some_cost();
    const Json document = results::to_json(cost);
    store.save_cost(cost);
    const auto encoders = std::filesystem::directory_iterator(folder.path());
    const auto file = std::filesystem::directory_iterator(encoders->path())->path();
    const auto changed = [&](const char* key, const Json& value) {
        Json other = document;
        other[key] = value;
        return other.dump();
    };
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), document.dump().substr(0, 40),
          changed("sentences_per_second", -7), changed("sentences_per_second", 0),
          changed("sentences_per_second", 1e300), changed("sentences_per_second", "7"),
          changed("peak_bytes", -1), changed("more", 1), changed("schema", "senteval-cost/9"),
          changed("threads", 3), changed("computer", nullptr), changed("encoder", "fake"),
          changed("date", 1)}) {
        std::ofstream(file) << text;
        std::vector<std::string> problems;
        CHECK_MESSAGE(store.costs(problems).empty(), text);
        CHECK(problems.size() == 1);
        CHECK_FALSE(store.has_cost(cost));
    }
    store.save_cost(cost);
    CHECK(store.has_cost(cost));
}
