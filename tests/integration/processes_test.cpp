// A run in parts gives the store of a run in one: shards that are merged, and processes of MPI.
#include "base/files.hpp"
#include "program/child.hpp"
#include "program/program.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace senteval;

namespace {

const std::string grid = "run -q" + test::glove_option + " --label mean" +
                         " --encoder onehot --tasks MR,TREC,STS12,STS14 --seeds 2" +
                         test::data_option;

const std::map<std::string, std::string>& whole()
{
    static const auto content = [] {
        const test::ScratchFolder folder;
        REQUIRE(test::host(grid + " --output " + test::quoted(folder / "store")).exit_code == 0);
        return test::store_content(folder / "store");
    }();
    REQUIRE(!content.empty());
    return content;
}

const bool has_mpi = std::filesystem::exists(test::binary_dir() / "senteval-mpi") &&
                     test::shell("mpirun --version").exit_code == 0;

/// What MPI keeps until a process ends is no leak of the project.
const std::string leaks =
    test::is_sanitized ? "ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" " : "";

/// `mpirun -n COUNT senteval ARGUMENTS`, as in a machine with as many processors as it takes.
std::string command_of(int count, const std::string& arguments)
{
    return "env " + leaks +
           "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
           "--bind-to none -n " +
           std::to_string(count) + " " + test::program + " " + arguments;
}

test::Run together(int count, const std::string& arguments)
{
    return test::shell(command_of(count, arguments));
}

/// Two encoders, one of them a script, on tasks. When the script is shown STS14 and the file "kill" lies
/// beside it, it removes that and kills the process that it works for; beside "block" it makes a file "blocked"
/// and waits until the first is gone.
std::string with_script(const test::ScratchFolder& folder)
{
    const auto script = folder.write("script.py", R"(
import os, signal, sys, time
sys.path.insert(0, ")" + (test::source_dir() / "sdk/clients/python").string() +
                                                      R"(")
from senteval_client import serve
beside = lambda name: os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
def prepare(task, sentences):
    if task == "STS14" and os.path.exists(beside("kill")):
        os.remove(beside("kill"))
        os.kill(os.getppid(), signal.SIGKILL)
    if task == "STS14" and os.path.exists(beside("block")):
        open(beside("blocked"), "w").close()
        parent = os.getppid()
        while os.path.exists(beside("block")) and os.getppid() == parent:
            time.sleep(0.05)
def encode(sentences):
    return [[float(len(one)), float(sum(one.encode())) / len(one)] for one in sentences]
serve(encode, "lengths", "1", 2, prepare)
)");
    return "run -q" + test::glove_option + " --encoder process --set " +
           test::quoted("command=python3 " + script.string()) +
           " --tasks STS12,STS13,STS14,STS15,STS16" + test::data_option + " --output ";
}

/// Every file of a store as it is.
std::map<std::string, std::string> files_of(const std::filesystem::path& store)
{
    std::map<std::string, std::string> files;
    if (std::filesystem::exists(store))
        for (const auto& entry : std::filesystem::recursive_directory_iterator(store))
            if (entry.path().extension() == ".json")
                files[entry.path().string()] = base::read_file(entry.path());
    return files;
}

/// A run that ended early and is resumed computes what is missing, and leaves the rest as it is.
void check_resumed(const test::ScratchFolder& folder)
{
    const std::string run = with_script(folder);
    const auto before = files_of(folder / "store");
    CHECK(before.size() < 10);
    const auto resumed = together(2, run + test::quoted(folder / "store"));
    CAPTURE(resumed.err);
    CHECK(resumed.exit_code == 0);
    REQUIRE(test::host(run + test::quoted(folder / "whole")).exit_code == 0);
    CHECK(test::store_content(folder / "store") == test::store_content(folder / "whole"));
    const auto after = files_of(folder / "store");
    CHECK(after.size() == 10);
    for (const auto& [path, bytes] : before)
        CHECK(after.at(path) == bytes);
}

} // namespace

TEST_CASE("three shards, merged, are the whole run")
{
    const test::ScratchFolder folder;
    std::string stores;
    for (const char* shard : {"0/3", "1/3", "2/3"}) {
        const std::string store = test::quoted(folder / std::string(1, shard[0]));
        REQUIRE(test::host(grid + " --shard " + shard + " --output " + store).exit_code == 0);
        stores += " " + store;
    }
    const auto merged = test::host("merge" + stores + " -o " + test::quoted(folder / "all"));
    CHECK(merged.exit_code == 0);
    CHECK(test::store_content(folder / "all") == whole());
    const auto again = test::host("merge" + stores + " -o " + test::quoted(folder / "all"));
    CHECK(test::contains(again.out, "0 results added"));
    CHECK(test::host(grid + " --shard 3/3").exit_code == 2);
}

TEST_CASE("processes of MPI fill the store that one process fills")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    for (const int count : {1, 2, 3}) {
        CAPTURE(count);
        const test::ScratchFolder folder;
        const auto run = together(count, grid + " --output " + test::quoted(folder / "store"));
        CAPTURE(run.out);
        CHECK(run.exit_code == 0);
        CHECK(test::contains(run.out, "mean"));
        CHECK(test::store_content(folder / "store") == whole());
    }
}

TEST_CASE("more processes than encoders and tasks divide the seeds")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    const test::ScratchFolder folder;
    const std::string seeds = "run -q" + test::glove_option + " --tasks TREC --seeds 4" +
                              test::data_option + " --output ";
    REQUIRE(test::host(seeds + test::quoted(folder / "alone")).exit_code == 0);
    const auto run = together(3, seeds + test::quoted(folder / "together") + " --json " +
                                     test::quoted(folder / "run.json"));
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    CHECK(test::store_content(folder / "together") == test::store_content(folder / "alone"));
    const auto document = base::parse_json(base::read_file(folder / "run.json"));
    CHECK(document.at("results").size() == 4);
}

TEST_CASE("a process that lacks the data, or has another folder for results, is named")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    const test::ScratchFolder folder;
    const std::string work = "run -q" + test::glove_option + " --tasks STS12,TREC --output ";
    const std::string data = " --data " + test::quoted(folder / "nowhere");
    const std::string store = test::quoted(folder / "store");
    const auto run = together(1, work + store + test::data_option + " : -n 1 " + test::program +
                                     " " + work + store + data);
    CAPTURE(run.err);
    CHECK(run.exit_code != 0);
    CHECK(test::contains(run.err, "process 1: "));
    CHECK(test::contains(run.err, "nowhere"));
    REQUIRE(test::host(work + test::quoted(folder / "alone") + test::data_option).exit_code == 0);
    CHECK(test::store_content(folder / "store") == test::store_content(folder / "alone"));
}

TEST_CASE("what is wrong is said once, whatever the number of processes")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    const auto run = together(3, "run --encoder nothing --tasks MR" + test::data_option);
    CHECK(run.exit_code == 2);
    const std::string what = "there is no encoder 'nothing'";
    const std::size_t first = run.err.find(what);
    REQUIRE(first != std::string::npos);
    CHECK(run.err.find(what, first + 1) == std::string::npos);
}

TEST_CASE("a launcher's variables do not keep a single process from its run")
{
    const test::ScratchFolder folder;
    const std::string run = test::program + " run -q --encoder onehot --tasks STS12" +
                            test::data_option + " --output " + test::quoted(folder / "store");
    for (const char* launcher :
         {"PMIX_RANK=0", "PMI_SIZE=1 PMI_RANK=0", "PMIX_RANK=0 SLURM_NTASKS=1",
          "SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_PROCID=2", "OMPI_COMM_WORLD_SIZE=1"}) {
        CAPTURE(launcher);
        CHECK(test::shell(std::string("env ") + launcher + " " + run).exit_code == 0);
    }
    const std::string two = leaks + "PMI_SIZE=2 PMI_RANK=0 ";
    const auto refused = test::shell(two + run); // with MPI, which does not know of two, as without
    CHECK(refused.exit_code == 2);
    CHECK(test::contains(refused.err, "each would do all the work"));
    CHECK(test::contains(refused.err, "--shard K/N"));
    CHECK(test::shell(two + run + " --shard 1/2").exit_code == 0);
}

TEST_CASE(
    "a process that is killed in mid-run ends the job, and the same command does what is missing")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    const test::ScratchFolder folder;
    const std::string run = with_script(folder);
    folder.write("kill", "");
    CHECK(together(2, run + test::quoted(folder / "store")).exit_code != 0);
    CHECK_FALSE(std::filesystem::exists(folder / "kill"));
    check_resumed(folder);
}

TEST_CASE("Ctrl-C ends what mpirun started, and the same command does what is missing")
{
    if (!has_mpi) {
        MESSAGE("skipped: MPI is not there");
        return;
    }
    const test::ScratchFolder folder;
    const std::string run = with_script(folder);
    const auto block = folder.write("block", "");
    const test::Child mpirun(command_of(2, run + test::quoted(folder / "store")));
    for (int tenths = 0; tenths < 600 && !std::filesystem::exists(folder / "blocked"); ++tenths)
        test::sleep_for(0.1);
    REQUIRE(std::filesystem::exists(folder / "blocked"));
    mpirun.signal(SIGINT);
    CHECK(mpirun.wait() != 0);
    std::filesystem::remove(block);
    check_resumed(folder);
}
