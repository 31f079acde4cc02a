#include "support/support.hpp"
#include "tasks/protocols/shared.hpp"

using namespace senteval;

TEST_CASE("a half is half of the items, the same each time, and another one for another number")
{
    const auto half = tasks::half_of(101, 1);
    CHECK(half.size() == 101);
    CHECK(std::count(half.begin(), half.end(), true) == 50);
    CHECK(half == tasks::half_of(101, 1));
    CHECK(half != tasks::half_of(101, 3));
    const auto other = tasks::half_of(101, 2); // its complement, but for one item
    int both = 0;
    int either = 0;
    for (std::size_t item = 0; item < 101; ++item) {
        both += half[item] && other[item] ? 1 : 0;
        either += half[item] || other[item] ? 1 : 0;
    }
    CHECK(both == 0);
    CHECK(either == 100);
}

TEST_CASE("what is learned from keeps its order, and is the whole where nothing is resampled")
{
    tasks::Part part;
    part.name = "train";
    part.first.resize(10);
    part.order = {3, 1, 4, 0, 5, 9, 2, 6, 8, 7};
    task::Settings settings;
    CHECK(&*tasks::TrainingPart(part, settings) == &part);
    settings.resample = 3;
    const tasks::TrainingPart half(part, settings);
    REQUIRE((*half).order.size() == 5);
    auto at = part.order.begin();
    for (const std::uint32_t item : (*half).order) {
        at = std::find(at, part.order.end(), item);
        CHECK(at != part.order.end());
    }
    base::Json json = base::Json::object();
    tasks::add_resample(json, {});
    CHECK(json.empty());
    tasks::add_resample(json, settings);
    CHECK(json.at("resample") == 3);
}
