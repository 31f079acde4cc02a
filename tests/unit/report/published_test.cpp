#include "report/published.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

double value(const report::PublishedTable& table, const std::string& row, const std::string& column)
{
    for (const auto& r : table.rows)
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (r.name == row && table.columns[i].label == column)
                return r.values[i];
    FAIL("no such cell: " << row << ", " << column);
    return 0;
}

} // namespace

TEST_CASE("some published values, read from the papers again")
{
    const auto tables = report::published_tables();
    REQUIRE(tables.size() == 6);
    CHECK(value(tables[0], "InferSent", "SICK-E") == 86.3);
    CHECK(value(tables[0], "fastText MLP", "MRPC F1") == 82.3);
    CHECK(std::isnan(value(tables[0], "SkipThought", "SST-5")));
    CHECK(value(tables[1], "GloVe BoW", "STS '14") == 54.6);
    CHECK(value(tables[2], "paragram-phrase", "STS15 mean") == 75.8);
    CHECK(value(tables[2], "GloVe", "2015 Twitter") == 30.3);
    for (const std::size_t table : {2U, 3U}) {
        CHECK(tables[table].columns.back().task == "Twitter15");
        CHECK(tables[table].columns.back().metric == "pearson");
    }
    CHECK(value(tables[3], "paragram-phrase XXL", "belief '15") == 78.2);
    CHECK(value(tables[4], "Sent2Vec, 700", "normalised") == 0.71);
    CHECK(value(tables[5], "Best of the shared task", "all") == 0.778);
}
