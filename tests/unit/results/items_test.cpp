#include "base/error.hpp"
#include "results/items.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

results::Items example()
{
    results::Items items;
    items.outcomes.kind = "class";
    items.outcomes.classes = {"negative", "positive"};
    items.outcomes.groups = {"fold 1", "fold 2"};
    items.outcomes.rows = {{0, 0, 1, 0, 0.75}, {2, 0, 0, 0, 0.5}, {1, 1, 1, 1, 1.0 / 3}};
    items.outcomes.further = {{"second", {0.25, -1, 7}}, {"third", {0, 0, 1.0 / 7}}};
    items.traits = {{3, 0, std::numeric_limits<float>::quiet_NaN(), 0.5F},
                    {4, 5, 0.25F, std::numeric_limits<float>::quiet_NaN()},
                    {0, 0, 1, 0}};
    return items;
}

} // namespace

TEST_CASE("items come back as they were written")
{
    const std::string bytes = results::encode_items(example());
    const results::Items items = results::decode_items(bytes);
    CHECK(items.outcomes.kind == "class");
    CHECK(items.outcomes.classes == std::vector<std::string>{"negative", "positive"});
    CHECK(items.outcomes.groups == std::vector<std::string>{"fold 1", "fold 2"});
    REQUIRE(items.outcomes.rows.size() == 3);
    CHECK(items.outcomes.rows[1].item == 2);
    CHECK(items.outcomes.rows[2].group == 1);
    CHECK(items.outcomes.rows[0].gold == 1);
    CHECK(items.outcomes.rows[2].prediction == 1);
    CHECK(items.outcomes.rows[2].score == 1.0 / 3);
    REQUIRE(items.outcomes.further.size() == 2);
    CHECK(items.outcomes.further[0].name == "second");
    CHECK(items.outcomes.further[1].predictions == std::vector<double>{0, 0, 1.0 / 7});
    CHECK(items.traits[1].tokens_first == 4);
    CHECK(items.traits[1].tokens_second == 5);
    CHECK(items.traits[1].overlap == 0.25F);
    CHECK(std::isnan(items.traits[0].overlap));
    CHECK(items.traits[0].unknown == 0.5F);
    CHECK(results::encode_items(items) == bytes);
    CHECK(results::decode_items(results::encode_items({})).outcomes.rows.empty());
}

TEST_CASE("a file of items that is cut short or changed anywhere is refused")
{
    const std::string bytes = results::encode_items(example());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_THROWS_AS(results::decode_items(bytes.substr(0, size)), base::Error);
    CHECK_THROWS_AS(results::decode_items(bytes + "x"), base::Error);
    for (std::size_t at = 0; at < bytes.size(); ++at)
        for (const int bit : {1, 128}) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ bit);
            CAPTURE(at);
            CHECK_THROWS_AS(results::decode_items(changed), base::Error);
        }
}

TEST_CASE("what is wrong with a file of items is said")
{
    std::string bytes = results::encode_items(example());
    CHECK_ERROR(base::Error, "this is not a file of item outcomes",
                results::decode_items("NOITEMS1rest"));
    CHECK_ERROR(base::Error, "the file ends too early", results::decode_items(bytes.substr(0, 11)));
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    CHECK_ERROR(base::Error, "its checksum is wrong: it is damaged", results::decode_items(bytes));
}

TEST_CASE("sources come back")
{
    results::Items items = example();
    items.traits[0].source_first = 4;
    items.traits[0].source_second = 7;
    const results::Items again = results::decode_items(results::encode_items(items));
    CHECK(again.traits[0].source_first == 4);
    CHECK(again.traits[0].source_second == 7);
    CHECK(again.traits[1].source_first == results::ItemTraits::alone);
}
