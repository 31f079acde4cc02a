#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "cells.hpp"
#include "results/store.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Json;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> stored(const fs::path& folder, const std::string& extension)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == extension)
            files.push_back(entry.path());
    return files;
}

} // namespace

TEST_CASE("a stored cell is found, with its items, under a readable name")
{
    const test::ScratchFolder folder;
    const results::Store store(folder / "results");
    results::Cell mr = test::cell_of("MR", 70);
    CHECK(!store.find(mr.result).has_value());
    store.save(mr);
    CHECK(mr.result.outcomes.count == 1);
    CHECK(results::to_json(store.find(mr.result)->result) == results::to_json(mr.result));
    CHECK(store.find(mr.result)->items.outcomes.rows.size() == 1);
    CHECK(!store.find(test::cell_of("CR", 70).result).has_value());

    const auto documents = stored(folder.path(), ".json");
    REQUIRE(documents.size() == 1);
    CHECK(documents[0].parent_path().filename() == "fake-0123456789ab");
    CHECK(documents[0].filename().string().find("MR-") == 0);

    results::Cell again = test::cell_of("MR", 80);
    store.save(again);
    CHECK(store.find(mr.result)->result.metrics.at("acc") == 80);
    CHECK(stored(folder.path(), ".json").size() == 1);
}

TEST_CASE("all cells are loaded in the order of their paths, damaged ones are reported")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    for (const char* task : {"MR", "CR", "TREC"}) {
        results::Cell one = test::cell_of(task, 70);
        store.save(one);
    }
    std::vector<std::string> problems;
    const auto cells = store.load_all(problems);
    CHECK(problems.empty());
    REQUIRE(cells.size() == 3);
    CHECK(cells[0].result.task.name == "CR");
    CHECK(cells[2].result.task.name == "TREC");
    CHECK(cells[0].items.outcomes.rows.at(0).score == 70);
    CHECK(cells[0].items.traits.at(0).tokens_first == 3);

    folder.write("fake-0123456789ab/A-0123456789ab.json", "{\"no\": \"result\"}");
    folder.write("fake-0123456789ab/B-0123456789ab.json", "{\"schema\": ");
    Json old = results::to_json(cells[0].result);
    old["schema"] = "senteval-result/1";
    folder.write("fake-0123456789ab/C-0123456789ab.json", old.dump());
    CHECK(store.load_all(problems).size() == 3);
    REQUIRE(problems.size() == 3);
    CHECK(problems[0].find("A-0123456789ab.json' cannot be used") != std::string::npos);
    CHECK(problems[2].find(
              "a 'senteval-result/1', made by another version of this program: run it") !=
          std::string::npos);
    problems.clear();
    CHECK(results::Store(folder / "none").load_all(problems).empty());
    CHECK(problems.empty());
}

TEST_CASE("a store is its own two levels: what else lies there is not looked at")
{
    const test::ScratchFolder folder;
    for (const char* name : {"a", "b", "deep/er/c"}) {
        results::Cell one = test::cell_of("MR", 70);
        results::Store(folder / name).save(one);
    }
    folder.write("a/copy/of/MR-0123456789ab.json", "{");
    std::vector<std::string> problems;
    CHECK(results::Store(folder / "a").load_all(problems).size() == 1);
    CHECK(results::Store(folder.path()).load_all(problems).empty());
    CHECK(problems.empty());
}

TEST_CASE("a result counts under any name, and what is none is told")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell one = test::cell_of("MR", 70);
    store.save(one);
    fs::path path;
    for (const char* extension : {".json", ".items"}) {
        path = stored(folder.path(), extension).at(0);
        fs::rename(path, path.parent_path() / (std::string("MR-first") + extension));
    }
    std::vector<std::string> problems;
    CHECK(store.load_all(problems).size() == 1);
    CHECK(problems.empty());
    base::write_file_atomically(path.parent_path() / "notes.json", "{");
    CHECK(store.load_all(problems).size() == 1);
    CHECK(problems.size() == 1);
}

TEST_CASE("a document without its own items does not count as a result")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell one = test::cell_of("MR", 70);
    store.save(one);
    const fs::path items = stored(folder.path(), ".items").at(0);
    const std::string bytes = base::read_file(items);
    const auto found = [&] { return store.find(one.result).has_value(); };
    CHECK(found());
    fs::remove(items);
    CHECK(!found());
    base::write_file_atomically(items, bytes.substr(0, bytes.size() / 2));
    CHECK(!found());
    results::Cell other = test::cell_of("MR", 71);
    base::write_file_atomically(items, results::encode_items(other.items));
    CHECK(!found());
    base::write_file_atomically(items, bytes);
    CHECK(found());
}

TEST_CASE("a document that lacks what readers need does not count as a result")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell one = test::cell_of("MR", 70);
    store.save(one);
    const fs::path path = stored(folder.path(), ".json").at(0);
    for (const char* member : {"metrics", "data", "run", "outcomes"}) {
        Json less = results::to_json(one.result);
        less.erase(member);
        base::write_file_atomically(path, less.dump());
        CAPTURE(member);
        CHECK(!store.find(one.result).has_value());
        std::vector<std::string> problems;
        CHECK(store.load_all(problems).empty());
        REQUIRE(problems.size() == 1);
    }
    base::write_file_atomically(path, results::to_json(one.result).dump(2).substr(0, 100));
    std::vector<std::string> problems;
    CHECK(store.load_all(problems).empty());
    REQUIRE(problems.size() == 1);
    CHECK(test::contains(problems[0], "it ends too early, in line "));
}

TEST_CASE(
    "documents with names that are none, impossible counts or no bottom do not count as results")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell one = test::cell_of("MR", 70);
    store.save(one);
    const fs::path path = stored(folder.path(), ".json").at(0);
    const auto problem = [&](const std::string& text) {
        base::write_file_atomically(path, text);
        std::vector<std::string> problems;
        CHECK(store.load_all(problems).empty());
        REQUIRE(problems.size() == 1);
        return problems[0];
    };
    const auto with = [&](const char* pointer, const Json& value) {
        Json changed = results::to_json(one.result);
        changed[Json::json_pointer(pointer)] = value;
        return problem(changed.dump());
    };
    for (const auto& [pointer, value] :
         {std::pair<const char*, Json>{"/task/name", "../../elsewhere"},
          {"/metrics", 3},
          {"/coverage", {{"tokens", 3}, {"tokens_known", 4}}},
          {"/encoder/label", 3},
          {"/run/seconds", {{"total", -1}}},
          {"/run/seconds/embed", "x"},
          {"/run/threads", "many"},
          {"/run/warnings", "none"},
          {"/run/machine", 5},
          {"/norm", -1}})
        (void)with(pointer, value);
    CHECK(test::contains(problem(std::string(100'000, '[') + std::string(100'000, ']')),
                         "levels deep"));
}

TEST_CASE("a store that cannot be written is refused before anything is computed")
{
    const test::ScratchFolder folder;
    const results::Store good(folder / "new/results");
    CHECK_NOTHROW(good.check_writable());
    CHECK(fs::is_empty(folder / "new/results"));
    const results::Store bad(folder.write("file", "x") / "results");
    CHECK_THROWS_WITH_AS(bad.check_writable(),
                         doctest::Contains("Choose another folder as output (--output DIR)"),
                         base::UsageError);
}

TEST_CASE("text that is not UTF-8 can be stored")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell one = test::cell_of("MR", 70);
    one.result.encoder.parameters["path"] = "/\xff";
    store.save(one);
    CHECK(store.find(one.result)->result.encoder.parameters.at("path") == "/\xef\xbf\xbd");
}

TEST_CASE("a document whose findings were edited is refused, and one that another program wrote "
          "anew is not")
{
    const test::ScratchFolder folder;
    const results::Store store(folder.path());
    results::Cell cell = test::cell_of("MR", 70);
    store.save(cell);
    const fs::path path = stored(folder.path(), ".json").front();
    const auto problems_after = [&](const char* pointer, const Json& value) {
        Json edited = results::to_json(cell.result);
        edited[Json::json_pointer(pointer)] = value;
        base::write_file_atomically(path, edited.dump());
        std::vector<std::string> problems;
        CHECK(store.load_all(problems).size() + problems.size() == 1);
        return problems;
    };
    for (const auto& [pointer, value] : {std::pair<const char*, Json>{"/metrics/acc", 71},
                                         {"/data/doubts", {"none"}},
                                         {"/task/metrics/0/higher_is_better", false},
                                         {"/protocol/settings/seed", 7},
                                         {"/encoder/version", "2"},
                                         {"/details/warnings", Json::array()},
                                         {"/dimension", 3}}) {
        const auto problems = problems_after(pointer, value);
        REQUIRE(problems.size() == 1);
        CHECK(test::contains(problems.front(), "was edited or damaged"));
        CHECK(!store.find(cell.result).has_value()); // --resume computes it again
    }
    CHECK(problems_after("/encoder/label", "another").empty());
    CHECK(problems_after("/metrics/acc", 70).empty()); // for 70.0
    base::write_file_atomically(
        path, nlohmann::json(results::to_json(cell.result)).dump()); // in another order
    std::vector<std::string> problems;
    CHECK(store.load_all(problems).size() == 1);
    CHECK(problems_after("/run/date", "2001-01-01T00:00:00Z").empty());
}

TEST_CASE(
    "rankings are kept with what they are made of, as deep as they were, and go with their cell")
{
    const test::ScratchFolder folder;
    const results::Store store(folder / "results");
    results::Cell cell = test::cell_of("Search", 70);
    CHECK(!store.rankings(cell.result, 0));
    const results::Rankings rankings{{"q 1", {{"b", 2.5F}, {"a", 2.5F}, {"\xc3\xa9", -1.0F}}},
                                     {"q2", {}}};
    store.save_rankings(cell.result, rankings, 2);
    store.save(cell);
    CHECK(*store.rankings(cell.result, 2) ==
          results::Rankings{{"q 1", {{"b", 2.5F}, {"a", 2.5F}}}, {"q2", {}}});
    CHECK(!store.rankings(cell.result, 3));

    results::Result other = cell.result;
    other.data.files["corpus"] = "changed";
    CHECK(!store.rankings(other, 1));

    const fs::path file = stored(folder.path(), ".ranking").at(0);
    const std::string whole = base::read_file(file);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        base::write_file_atomically(file, whole.substr(0, size));
        CHECK(!store.rankings(cell.result, 0));
    }
    store.remove(cell.result);
    CHECK(!fs::exists(file));
}
