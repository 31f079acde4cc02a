#include "core/error.hpp"
#include "core/files.hpp"
#include "support/support.hpp"
#include "team/wire.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace senteval;
using core::Json;

TEST_CASE("a message arrives as it was sent, to the bit of a number and the order of keys")
{
    const Json message = {{"z", 0.1 + 0.2},
                          {"a", {1, -2, 3.5F, true, nullptr}},
                          {"text", "ärger\n"},
                          {"large", std::numeric_limits<std::uint64_t>::max()},
                          {"small", 5e-324}};
    const Json arrived = team::from_bytes(team::to_bytes(message));
    CHECK(arrived == message);
    CHECK(core::to_text(arrived) == core::to_text(message));
    CHECK_THROWS_AS((void)team::from_bytes("\xff nothing"), core::Error);
}

TEST_CASE("a cell arrives with its items")
{
    run::Cell cell;
    cell.document = {{"metrics", {{"acc", 71.25}}}};
    cell.items.outcomes.kind = "class";
    cell.items.outcomes.groups = {""};
    cell.items.outcomes.rows = {{0, 0, 1, 1, 0.5}};
    cell.items.traits = {{3, 0, 0.25F, 0}};
    const run::Cell arrived =
        team::cell_from(team::from_bytes(team::to_bytes(team::to_message(cell))));
    CHECK(arrived.document == cell.document);
    CHECK(run::encode_items(arrived.items) == run::encode_items(cell.items));
}

TEST_CASE("files that came into a folder are sent, and stay inside the folder where they arrive")
{
    const test::ScratchFolder folder;
    core::write_file_atomically(folder / "from" / "old", "1");
    team::FolderChanges changes(folder / "from");
    changes.begin();
    core::write_file_atomically(folder / "from" / "key" / "new", std::string("2\0\xff", 3));
    const auto made = changes.made();
    REQUIRE(made.size() == 1);
    team::write_files(folder / "to", team::files_message(folder / "from", made));
    CHECK(core::MappedFile(folder / "to" / "key" / "new").bytes() ==
          std::string_view("2\0\xff", 3));
    for (const char* path : {"../out", "/tmp/out", "a/../../out", ""})
        CHECK_THROWS_AS(team::write_files(folder / "to", Json{{path, Json::binary({1})}}),
                        core::Error);
}
