#include "base/error.hpp"
#include "base/files.hpp"
#include "cells.hpp"
#include "results/merge.hpp"
#include "support/support.hpp"

using namespace senteval;
namespace fs = std::filesystem;

namespace {

void save(const fs::path& store, const std::string& task, double accuracy, double seconds = 1)
{
    results::Cell cell = test::cell_of(task, accuracy);
    cell.result.run.seconds["total"] = seconds;
    results::Store(store).save(cell);
}

double accuracy_in(const fs::path& store, const std::string& task)
{
    const auto stored = results::Store(store).find(test::cell_of(task, 0).result);
    REQUIRE(stored);
    return stored->result.metrics.at("acc").get<double>();
}

} // namespace

TEST_CASE("the cells of all stores come together, byte for byte")
{
    const test::ScratchFolder folder;
    save(folder / "a", "MR", 70);
    save(folder / "b", "CR", 80);
    fs::create_directory(folder / "idle");
    const std::vector<fs::path> stores = {folder / "a", folder / "b", folder / "idle"};
    const results::Store into(folder / "c");
    const auto merged = results::merge(stores, into);
    CHECK(merged.added == 2);
    CHECK(merged.conflicts.empty());
    CHECK(merged.problems.empty());
    CHECK(merged.empty == std::vector<fs::path>{folder / "idle"});
    for (const fs::path& store : {stores[0], stores[1]})
        for (const auto& entry : fs::recursive_directory_iterator(store))
            if (entry.is_regular_file()) {
                const fs::path copy = into.folder() / fs::relative(entry.path(), store);
                REQUIRE(fs::exists(copy));
                CHECK(base::MappedFile(copy).bytes() == base::MappedFile(entry.path()).bytes());
            }
}

TEST_CASE(
    "the same result computed twice is one, and another one is a conflict that changes nothing")
{
    const test::ScratchFolder folder;
    save(folder / "a", "MR", 70, 1);
    save(folder / "b", "MR", 70, 9); // slower
    save(folder / "b", "CR", 80);
    save(folder / "other", "CR", 81);
    const results::Store into(folder / "a");
    const std::vector<fs::path> stores = {folder / "b", folder / "other"};
    const auto merged = results::merge(stores, into);
    CHECK(merged.added == 1);
    CHECK(merged.same == 1);
    REQUIRE(merged.conflicts.size() == 1);
    CHECK(test::contains(merged.conflicts[0],
                         {(folder / "other").string(), "differ in /metrics/acc"}));
    CHECK(accuracy_in(folder / "a", "CR") == 80);
}

TEST_CASE("what is no store is refused, and what is damaged is named")
{
    const test::ScratchFolder folder;
    const results::Store into(folder / "c");
    CHECK_THROWS_AS(results::merge(std::vector{folder / "missing"}, into), base::UsageError);
    base::write_file_atomically(folder / "texts" / "notes.txt", "not a result");
    CHECK_THROWS_AS(results::merge(std::vector{folder / "texts"}, into), base::UsageError);
    save(folder / "a", "MR", 70);
    results::Cell cell = test::cell_of("MR", 70);
    base::write_file_atomically(results::Store(folder / "a").path_of(cell.result), "{");
    const auto merged = results::merge(std::vector{folder / "a"}, into);
    CHECK(merged.added == 0);
    CHECK(merged.problems.size() == 1);
}
