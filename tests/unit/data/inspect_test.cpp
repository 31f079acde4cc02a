#include "base/error.hpp"
#include "data/inspect.hpp"
#include "data/sha256.hpp"
#include "support/support.hpp"

using namespace senteval;
using data::Severity;

namespace {

data::File file_of(std::string path, std::uint64_t lines)
{
    data::File file;
    file.path = std::move(path);
    file.lines = lines;
    file.sha256 = std::string(64, '0');
    return file;
}

/// What the doctor says of `bytes` in the place of `file`, and of what their reader found; one
/// finding per line.
std::string
diagnosis(const data::File& file, std::string_view bytes, const text::Counts* read = nullptr)
{
    const test::ScratchFolder scratch;
    scratch.write(file.path, bytes);
    data::Dataset dataset;
    dataset.name = "Toy";
    std::string text;
    for (const auto& finding :
         data::inspect_file(scratch.path(), dataset, file, scratch / file.path, read))
        text += std::string(data::name(finding.severity)) + ": " + finding.text() + '\n';
    return text;
}

std::string repeated(std::string_view line, std::size_t times)
{
    std::string text;
    for (std::size_t i = 0; i < times; ++i)
        text += line;
    return text;
}

} // namespace

TEST_CASE("a file with the known checksum is healthy")
{
    data::File file = file_of("a", 1);
    file.sha256 = data::sha256("right\n");
    CHECK(diagnosis(file, "right\n").empty());
    CHECK(test::contains(diagnosis(file, "wrong\n"), "warning: a has not the published bytes"));
}

TEST_CASE("a cut SUBJ is named by its lines")
{
    const auto file = file_of("downstream/SUBJ/subj.objective", 5000);
    const std::string text = diagnosis(file, repeated("a sentence .\n", 20));
    CHECK(
        test::contains(text, {"error: downstream/SUBJ/subj.objective has 20 lines in place of 5000",
                              "Run: senteval data fetch Toy"}));
}

TEST_CASE("something else in the place of a file is recognised")
{
    const auto file = file_of("x", 3);
    CHECK(test::contains(diagnosis(file, ""), "is empty"));
    CHECK(test::contains(diagnosis(file, "\n <!DOCTYPE HTML><html><h1>404</h1></html>"),
                         "is an HTML page"));
    CHECK(test::contains(diagnosis(file, "PK\x03\x04zip"), "is a zip archive"));
    CHECK(test::contains(diagnosis(file, "\x1F\x8Bgzip"), "is compressed (gzip)"));
    CHECK(test::contains(diagnosis(file, "version https://git-lfs.github.com/spec/v1\n"),
                         "Git LFS pointer"));
}

TEST_CASE("a published file with another system's mark and line ends is the published text")
{
    for (const std::string published : {"one\ntwo\n", "one\r\ntwo\r\n", "\xEF\xBB\xBFone\ntwo\n"}) {
        auto file = file_of("x", 2);
        file.sha256 = data::sha256(published);
        for (const std::string text : {"one\ntwo\n", "one\r\ntwo\r\n", "one\r\ntwo",
                                       "\xEF\xBB\xBFone\ntwo\n", "\xEF\xBB\xBFone\r\ntwo\r\n"})
            CHECK(diagnosis(file, text).empty());
        CHECK(diagnosis(file, "one\r\ntwo \r\n").starts_with("warning: x has not the published"));
    }
}

TEST_CASE("empty sentences are a finding where the files are not known to be the published ones")
{
    const test::ScratchFolder scratch;
    scratch.write("a", "\n");
    data::Dataset dataset;
    dataset.files = {file_of("a", 1)};
    const auto severities = [&](std::size_t empty) {
        std::vector<Severity> found;
        for (const auto& finding : data::inspect_dataset(scratch.path(), dataset, {}, empty))
            found.push_back(finding.severity);
        return found;
    };
    CHECK(severities(1) == std::vector{Severity::warning, Severity::error});
    CHECK(severities(0) == std::vector{Severity::warning});
    dataset.files[0].sha256 = data::sha256("\n");
    CHECK(severities(1).empty());
    dataset.files[0].sha256.clear(); // nobody knows
    CHECK(severities(1) == std::vector{Severity::warning});
}

TEST_CASE("encodings of other systems are recognised")
{
    const auto file = file_of("x", 2);
    CHECK(test::contains(diagnosis(file, "one\ncaf\xE9\n"), "error: x is not UTF-8 in line 2"));
    data::File latin1 = file;
    latin1.encoding = data::Encoding::latin1;
    CHECK(!test::contains(diagnosis(latin1, "one\ncaf\xE9\n"), "UTF-8"));
}

TEST_CASE("the sentence-level training set of SST2 is told from the phrase-level one")
{
    const auto file = file_of("s", 67349);
    CHECK(test::contains(diagnosis(file, repeated("a film\t1\n", 6920)),
                         "sentence-level training set"));
}

TEST_CASE("lines and labels are those that the reader found")
{
    auto file = file_of("l", 3);
    file.labels = {{"0", 1}, {"1", 2}};
    text::Counts read{3, {{"0", 2}, {"1", 1}}};
    const std::string text = diagnosis(file, "a\t0\nb\t0\nc\t1\n", &read);
    CHECK(test::contains(text, {"mismatch: l has label '0' 2 times in place of 1",
                                "mismatch: l has label '1' 1 time in place of 2"}));
    read = {4, {{"0", 2}, {"1", 2}}}; // where a line end is one that newlines are not
    CHECK(test::contains(diagnosis(file, "a\t0\nb\t0\nc\t1\n", &read),
                         "l has 4 lines in place of 3"));
    read = {3, {{"0", 1}, {"1", 2}}};
    CHECK(diagnosis(file, "a\t0\nb\t1\nc\t1\n", &read)
              .starts_with("warning: l has not the published"));
    CHECK(diagnosis(file, "a\t0\nb\t1\nc\t1\n").starts_with("warning: l has not the published"));
}

TEST_CASE("files that belong together have equally many lines")
{
    const test::ScratchFolder scratch;
    scratch.write("s1", "a\nb\n");
    scratch.write("labels", "x\n");
    data::File file = file_of("s1", 0);
    file.aligned_with = "labels";
    const auto findings = data::inspect_file(scratch.path(), data::Dataset(), file);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].problem == "has 2 lines and 'labels' has 1");
    CHECK(data::has_errors(findings));
}

TEST_CASE("a dataset is healthy when all its files are")
{
    const test::ScratchFolder scratch;
    const data::Dataset& movies = *data::builtin_manifest().for_task("MR");
    const auto findings = data::inspect_dataset(scratch.path(), movies);
    CHECK(findings.size() == 2);
    CHECK(findings[0].problem == "is missing");
    CHECK(data::builtin_manifest().for_task("Nobody") == nullptr);
    std::filesystem::create_directories(scratch / "downstream/MR/rt-polarity.pos");
    CHECK(data::inspect_dataset(scratch.path(), movies)[0].problem == "cannot be read");
}

TEST_CASE("a part of a set of which only the least number of lines is known is named")
{
    data::File file = file_of("probing/sentence_length.txt", 0);
    file.least_lines = 100;
    CHECK(test::contains(diagnosis(file, repeated("tr\t0\ta\n", 99)),
                         "has 99 lines in place of more than 100: it is cut short, a sample"));
    CHECK(!test::contains(diagnosis(file, repeated("tr\t0\ta\n", 100)), "cut short"));
    for (const auto& dataset : data::builtin_manifest().datasets)
        if (dataset.group == "probing")
            CHECK(dataset.files.front().least_lines == 100000);
}

TEST_CASE(
    "the real data is healthy where it is, except parts and the substitute for SNLI's training set")
{
    const auto root = test::shared_or_skip("senteval_data");
    if (!root)
        return;
    std::size_t examined = 0;
    for (const auto& dataset : data::builtin_manifest().datasets) {
        if (!std::filesystem::exists(*root / dataset.files.front().path))
            continue;
        ++examined;
        for (const auto& finding : data::inspect_dataset(*root, dataset))
            CHECK_MESSAGE((finding.path.find("SNLI/") != std::string::npos ||
                           finding.path.starts_with("probing/")),
                          finding.text());
    }
    CHECK(examined >= 20);
}

TEST_CASE("a data folder with a manifest of its own is verified by that")
{
    const test::ScratchFolder scratch;
    CHECK(!data::manifest_for(scratch.path()).datasets.empty());
    scratch.write("manifest.toml", "# nothing is known\n");
    CHECK(data::manifest_for(scratch.path()).for_task("MR") == nullptr);
    CHECK(data::manifest_for({}).for_task("MR") != nullptr); // no folder, whatever lies here
    scratch.write("manifest.toml", "nonsense = 1\n");
    CHECK_ERROR(base::UsageError, "manifest.toml:1:1: there is no section 'nonsense'",
                data::manifest_for(scratch.path()));
}
