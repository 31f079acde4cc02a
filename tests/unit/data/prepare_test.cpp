#include "base/error.hpp"
#include "base/files.hpp"
#include "data/prepare.hpp"
#include "data/sha256.hpp"
#include "support/support.hpp"

using namespace senteval;
using data::Outcome;

namespace {

/// Two sentences whose original has a known checksum and whose prepared form has one as well.
data::Manifest toy(std::string_view original, std::string_view prepared, std::size_t lines)
{
    return data::parse_manifest(fmt::format(R"(
[[dataset]]
name = "Toy"
group = "transfer"
licence = "CC0"
[[dataset.original]]
name = "toy.txt"
sha256 = "{}"
sources = ["https://host.example/toy.txt"]
[[dataset.original]]
name = "toy.tok"
sources = ["https://host.example/toy.tok"]
[[dataset.file]]
path = "downstream/Toy/toy"
conversion = "ptb"
from = ["toy.txt"]
or = [{{from = ["toy.tok"], prepared = true}}]
lines = {}
sha256 = "{}"
)",
                                            data::sha256(original), lines, data::sha256(prepared)),
                                "toy.toml");
}

data::Prepared prepare_one(const data::Manifest& manifest,
                           const test::ScratchFolder& scratch,
                           data::Wording wording = data::Wording::prepared)
{
    const auto results =
        data::prepare({manifest.select({"Toy"}), scratch / "raw", scratch / "out", wording, 1});
    REQUIRE(results.size() == 1);
    return results.front();
}

} // namespace

TEST_CASE("an original found by name becomes the file a task reads, and stays when it is right")
{
    const test::ScratchFolder scratch;
    scratch.write("raw/anywhere/toy.txt", "It's.\nNo.\n");
    const auto manifest = toy("It's.\nNo.\n", "It 's . \nNo . \n", 2);
    CHECK(prepare_one(manifest, scratch).outcome == Outcome::written);
    CHECK(base::read_file(scratch / "out/downstream/Toy/toy") == "It 's . \nNo . \n");
    CHECK(prepare_one(manifest, scratch).outcome == Outcome::present);
}

TEST_CASE("an original with another checksum is not taken, and it is said why")
{
    const test::ScratchFolder scratch;
    scratch.write("raw/toy.txt", "It's.\nYes.\n");
    const auto manifest = toy("It's.\nNo.\n", "It 's . \nNo . \n", 2);
    const auto result = prepare_one(manifest, scratch);
    CHECK(result.outcome == Outcome::missing);
    CHECK(test::contains(result.detail, "toy.txt' has a wrong checksum"));
    CHECK(!std::filesystem::exists(scratch / "out/downstream/Toy/toy"));
}

TEST_CASE("where the original is missing the prepared copy is taken, but not as original text")
{
    const test::ScratchFolder scratch;
    scratch.write("raw/host.example/toy.tok", "It 's . \nNo . \n");
    const auto manifest = toy("It's.\nNo.\n", "It 's . \nNo . \n", 2);
    CHECK(prepare_one(manifest, scratch).outcome == Outcome::written);
    CHECK(prepare_one(manifest, scratch, data::Wording::original).outcome == Outcome::missing);
}

TEST_CASE("wrong data is not written, unusual data is, and both are explained")
{
    const test::ScratchFolder scratch;
    scratch.write("raw/toy.tok", "It 's .\nNo .\n");
    const auto unusual = prepare_one(toy("x", "It 's . \nNo . \n", 2), scratch);
    CHECK(unusual.outcome == Outcome::unusual);
    CHECK(test::contains(unusual.detail, "not the published bytes"));
    std::filesystem::remove_all(scratch / "out");
    const auto refused = prepare_one(toy("x", "It 's . \nNo . \n", 3), scratch);
    CHECK(refused.outcome == Outcome::refused);
    CHECK(test::contains(refused.detail, "has 2 lines in place of 3"));
    CHECK(std::filesystem::is_empty(scratch / "out/downstream/Toy"));
}

TEST_CASE("originals that are no folder are the user's mistake")
{
    CHECK_THROWS_AS(prepare_one(toy("x", "y", 1), test::ScratchFolder()), base::UsageError);
}
