#include "base/error.hpp"
#include "base/files.hpp"
#include "data/originals.hpp"
#include "data/sha256.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

data::Original original(std::string_view bytes)
{
    return {
        "corpus.txt",
        bytes.size(),
        data::sha256(bytes),
        {{"https://one.example/d/corpus.txt", ""}, {"https://two.example/all.zip", "in/a.txt"}}};
}

} // namespace

TEST_CASE("originals are found by mirror path and by name, and only with the right bytes")
{
    const test::ScratchFolder scratch;
    scratch.write("x/corpus.txt", "other");
    CHECK(!data::Originals(scratch.path()).find(original("right")));
    scratch.write("y/corpus.txt", "right");
    CHECK(data::Originals(scratch.path()).find(original("right"))->path ==
          scratch / "y/corpus.txt");
    scratch.write("one.example/d/corpus.txt", "right");
    CHECK(data::Originals(scratch.path()).find(original("right"))->path ==
          scratch / "one.example/d/corpus.txt");
    const test::ScratchFolder unpacked;
    unpacked.write("unpacked/in/a.txt", "right"); // a member by its own name
    CHECK(data::Originals(unpacked.path()).find(original("right")).has_value());
}

TEST_CASE("what was looked at and not taken is reported")
{
    const test::ScratchFolder scratch;
    scratch.write("corpus.txt", "longer");
    scratch.write("all.zip", "no zip");
    scratch.write("z/corpus.txt", "wrong");
    std::vector<std::string> rejected;
    CHECK(!data::Originals(scratch.path()).find(original("right"), &rejected));
    REQUIRE(rejected.size() == 3);
    CHECK(test::contains(rejected[0], "6 bytes in place of 5"));
    CHECK(test::contains(rejected[1], "checksum"));
    CHECK(test::contains(rejected[2], "archive"));
}

TEST_CASE("an empty archive among the downloads is found, and an error page in its place")
{
    const test::ScratchFolder scratch;
    data::Dataset dataset;
    dataset.name = "Toy";
    dataset.originals = {original("right")};
    scratch.write("one.example/d/corpus.txt", "right");
    CHECK(data::inspect_originals(scratch.path(), dataset).empty());
    scratch.write("two.example/all.zip", "");
    const auto empty = data::inspect_originals(scratch.path(), dataset);
    REQUIRE(empty.size() == 1);
    CHECK(test::contains(empty[0].text(),
                         {"two.example/all.zip is empty", "senteval data fetch Toy"}));
    scratch.write("two.example/all.zip", "<html>404</html>");
    CHECK(data::inspect_originals(scratch.path(), dataset).at(0).problem.starts_with("is an HTML"));
}

TEST_CASE("an empty file is never an original, whatever is known of it")
{
    const test::ScratchFolder scratch;
    const auto empty = scratch.write("corpus.txt", "");
    CHECK(data::mismatch({empty, ""}, {"corpus.txt", 0, "", {}}) == "is empty");
}

TEST_CASE("the checksum is the standard's")
{
    CHECK(data::sha256("abc") ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(data::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("a member that is larger than the manifest allows is not unpacked to its end")
{
    const test::ScratchFolder scratch;
    scratch.write("in/a.txt", std::string(3'000'000, 'x'));
    test::shell(0, "cd " + test::quoted(scratch.path()) + " && tar czf all.zip in");
    data::Original unknown = original("");
    unknown.bytes = 0;
    unknown.sha256.clear();
    unknown.at_most = 1'000'000;
    const data::Location packed{scratch / "all.zip", "in/a.txt"};
    std::uint64_t bytes = 0;
    CHECK_ERROR(base::Error, "has more than the 1000000 bytes that 'corpus.txt' may have",
                data::read_original(packed, unknown,
                                    [&](std::string_view piece) { bytes += piece.size(); }));
    CHECK(bytes <= 1'000'000);
    CHECK(test::contains(data::mismatch({scratch / "in/a.txt", ""}, unknown),
                         "has more than 1000000 bytes"));
    unknown.at_most = 3'000'000;
    CHECK(data::read_original(packed, unknown).size() == 3'000'000);

    data::Original known = original("right");
    CHECK(test::contains(data::mismatch(packed, known), "has more than the 5 bytes"));
}
