// senteval run --dry-run and --spill: what a run would compute, and what it does where memory is short.
#include "program/program.hpp"

#include "base/files.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

const std::string borep_option =
    " --encoder borep --set vectors=" + quoted(samples / "vectors/sample.50d.txt");
const std::string two = glove_option + borep_option + " --set dimension=96 --seeds 2" + data_option;
const std::string both_tasks = " --tasks TREC,STS14";

base::Json row_of(const base::Json& document, const std::string& encoder, const std::string& task)
{
    for (const base::Json& one : document.at("rows"))
        if (one.at("encoder") == encoder && one.at("task") == task)
            return one;
    FAIL("there is no ", encoder, " on ", task);
    return {};
}

} // namespace

TEST_CASE("a dry run lists cells, dimensions and memory, and writes nothing")
{
    const ScratchFolder folder;
    const std::string run = "run" + two + both_tasks + into(folder / "store") + " --dry-run";
    const Run shown = host(0, run);
    CHECK(test::contains(shown.out, {"6 cells: 0 stored in ", "memory: at most "}));
    CHECK_FALSE(std::filesystem::exists(folder / "store"));

    const auto document = json_of(host(run + " --format json"));
    CHECK(document.at("rows") == json_of(host(run + " --json -")).at("rows"));
    CHECK(document.at("missing") == 6);
    const auto one = row_of(document, "borep", "TREC");
    CHECK(one.at("cells") == 2);
    CHECK(one.at("dimension") == 96);
    CHECK(one.at("bytes") == 598 * 112 * 4); // different sentences, padded rows
    CHECK(one.at("fits") == true);
    CHECK(one.at("sentences") == 598);
}

TEST_CASE("a dry run knows what is stored, and what is another shard's")
{
    const ScratchFolder folder;
    const std::string to = into(folder / "store");
    host(0, "run -q" + two + " --tasks TREC" + to);
    const std::string run = "run" + two + both_tasks + to + " --dry-run --json - ";

    const auto resumed = json_of(host(run));
    CHECK(resumed.at("cells") == 6);
    CHECK(resumed.at("stored") == 4);
    CHECK(resumed.at("missing") == 2);
    CHECK(row_of(resumed, "glove", "TREC").at("missing") == 0);
    CHECK_FALSE(row_of(resumed, "glove", "TREC").contains("encoding_seconds"));
    CHECK(row_of(resumed, "glove", "STS14").at("encoding_seconds") > 0.0);
    CHECK(json_of(host(run + "--overwrite")).at("missing") == 6);

    std::size_t cells = 0;
    for (const char* shard : {"0/3", "1/3", "2/3"})
        cells += json_of(host(run + "--shard " + shard)).at("cells").get<std::size_t>();
    CHECK(cells == 6);
    CHECK(json_of(host(run + "--shard 40/50")).at("cells") == 0);
}

TEST_CASE("a dry run says what the run would say of missing data and wrong parameters")
{
    const ScratchFolder folder;
    const std::string missing = " --encoder onehot --tasks MR --data " + quoted(folder.path());
    const Run real = host("run" + missing);
    const Run dry = host(2, "run --dry-run" + missing);
    CHECK(dry.err == real.err);
    host(2, "run --dry-run --encoder nothing" + on_samples("MR"));

    const Run bad =
        host(2, "run --dry-run --encoder glove --set vectors=" + quoted(folder / "missing.txt") +
                    on_samples("STS12"));
    CHECK(test::contains(bad.out, {"glove on STS12 would fail: ", "missing.txt"}));

    const Run nowhere =
        host(2, "run --dry-run" + glove_option + on_samples("STS12") + " --output /proc/no/store");
    CHECK(contains(nowhere.err, "'/proc'"));
}

TEST_CASE("an encoder that knows its dimension once it is prepared only has no memory in the list")
{
    const Run dry = host(0, "run --dry-run --encoder onehot" + on_samples("STS13"));
    CHECK(contains(dry.out, "  ?"));
}

TEST_CASE("embeddings that do not fit are told of before more than a few texts are encoded")
{
    if (is_sanitized) // its own memory is beyond every limit
        return;
    const ScratchFolder folder;
    const auto script = folder.write("wide.py", R"(
import sys
sys.path.insert(0, ")" + (source_dir() / "sdk/clients/python").string() +
                                                    R"(")
from senteval_client import serve
def encode(sentences):
    if len(sentences) > 16: # so many tell which checkpoint it is
        sys.exit("it was asked to encode")
    return [[1] * (1 << 20)] * len(sentences)
serve(encode, "wide", "1", 1 << 20)
)");
    // The library for linear algebra takes memory for each thread.
    const std::string run = "export OPENBLAS_NUM_THREADS=1; ulimit -v 3000000; " + program +
                            " run --encoder process --set " +
                            test::quoted("command=python3 " + script.string()) +
                            on_samples("STS14") + into(folder / "store");
    const Run dry = shell(1, run + " --dry-run");
    CHECK(contains(dry.out, "process on STS14 does not fit in memory: use --spill DIR"));
    const Run real = shell(1, run);
    CHECK(contains(real.err, "--spill DIR"));
    CHECK_FALSE(contains(real.err, "it was asked to encode"));
}

TEST_CASE("a run whose embeddings lie in a file gives the same results, and leaves nothing of it")
{
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "spill");
    const std::string run = "run" + two + both_tasks +
                            " --normalise none,z --equal-dimension 20 --projection pca --threads 2 "
                            "--output ";
    const std::string spill = " --spill " + quoted(folder / "spill");
    const Run told = host(0, run + quoted(folder / "file") + spill + " --dry-run");
    CHECK(contains(told.out, "file in '" + (folder / "spill").string()));
    host(0, run + quoted(folder / "memory"));
    host(0, run + quoted(folder / "file") + spill);
    CHECK(store_content(folder / "file") == store_content(folder / "memory"));
    CHECK(std::filesystem::is_empty(folder / "spill"));

    const std::string limited = "ulimit -f 150; " + program + " "; // blocks: as on a full disk
    const Run full = shell(1, limited + run + quoted(folder / "full") + spill);
    CHECK(contains(full.err, "File too large"));
    CHECK(std::filesystem::is_empty(folder / "spill"));
}

TEST_CASE("a folder that nothing can be spilled into is said before anything is computed")
{
    const ScratchFolder folder;
    for (const char* mode : {"", " --dry-run"}) {
        const Run run = host(2, "run" + two + both_tasks + mode + into(folder / "store") +
                                    " --spill " + quoted(folder / "missing"));
        CHECK(contains(run.err, "missing': No such file or directory"));
        CHECK_FALSE(std::filesystem::exists(folder / "store"));
    }
}
