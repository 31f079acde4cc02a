// A run in parts gives the store of a run in one: shards that are merged, and processes of MPI.
#include "base/files.hpp"
#include "program/child.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

const std::string grid = "run -q" + glove_option + " --label mean" + " --encoder onehot" +
                         on_samples("MR,TREC,STS12,STS14") + " --seeds 2";

const std::map<std::string, std::string>& whole()
{
    static const auto content = [] {
        const ScratchFolder folder;
        host(0, grid + into(folder / "store"));
        return store_content(folder / "store");
    }();
    REQUIRE(!content.empty());
    return content;
}

bool has_mpi()
{
    static const bool has = std::filesystem::exists(binary_dir() / "senteval-mpi") &&
                            shell("mpirun --version").exit_code == 0;
    if (!has)
        MESSAGE("skipped: MPI is not there");
    return has;
}

/// What MPI keeps until a process ends is no leak of the project.
const std::string leaks = is_sanitized ? "ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" " : "";

/// `mpirun -n COUNT senteval ARGUMENTS`, as in a machine with as many processors as it takes.
std::string
command_of(int count, const std::string& arguments, const std::string& senteval = program)
{
    return "env " + leaks +
           "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
           "--bind-to none -n " +
           std::to_string(count) + " " + senteval + " " + arguments;
}

/// Two encoders, one of them a script, on tasks. When the script is shown STS14 and the file "kill" lies
/// beside it, it removes that and kills the process that it works for; beside "block" it makes a file "blocked"
/// and waits until the first is gone.
std::string with_script(const ScratchFolder& folder)
{
    const auto script = folder.write("script.py", R"(
import os, signal, sys, time
sys.path.insert(0, ")" + (source_dir() / "sdk/clients/python").string() +
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
    return "run -q" + glove_option + " --encoder process --set " +
           test::quoted("command=python3 " + script.string()) +
           on_samples("STS12,STS13,STS14,STS15,STS16") + " --output ";
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
void check_resumed(const ScratchFolder& folder)
{
    const std::string run = with_script(folder);
    const auto before = files_of(folder / "store");
    CHECK(before.size() < 10);
    shell(0, command_of(2, run + quoted(folder / "store")));
    host(0, run + quoted(folder / "whole"));
    CHECK(store_content(folder / "store") == store_content(folder / "whole"));
    const auto after = files_of(folder / "store");
    CHECK(after.size() == 10);
    for (const auto& [path, bytes] : before)
        CHECK(after.at(path) == bytes);
}

} // namespace

TEST_CASE("three shards, merged, are the whole run")
{
    const ScratchFolder folder;
    std::string stores;
    for (const char* shard : {"0/3", "1/3", "2/3"}) {
        const std::string store = quoted(folder / std::string(1, shard[0]));
        host(0, grid + " --shard " + shard + " --output " + store);
        stores += " " + store;
    }
    host(0, "merge" + stores + " -o " + quoted(folder / "all"));
    CHECK(store_content(folder / "all") == whole());
    const auto again = host("merge" + stores + " -o " + quoted(folder / "all"));
    CHECK(contains(again.out, "0 results added"));
    host(2, grid + " --shard 3/3");
}

TEST_CASE("processes of MPI fill the store that one process fills")
{
    if (!has_mpi())
        return;
    for (const int count : {1, 2, 3}) {
        CAPTURE(count);
        const ScratchFolder folder;
        const auto run = shell(0, command_of(count, grid + into(folder / "store")));
        CHECK(contains(run.out, "mean"));
        CHECK(store_content(folder / "store") == whole());
    }
}

TEST_CASE("more processes than encoders and tasks divide the seeds")
{
    if (!has_mpi())
        return;
    const ScratchFolder folder;
    const std::string seeds =
        "run -q" + glove_option + on_samples("TREC") + " --seeds 4" + " --output ";
    host(0, seeds + quoted(folder / "alone"));
    const auto run = shell(0, command_of(3, seeds + quoted(folder / "together") + " --json " +
                                                quoted(folder / "run.json")));
    CHECK(store_content(folder / "together") == store_content(folder / "alone"));
    const auto document = base::parse_json(base::read_file(folder / "run.json"));
    CHECK(document.at("results").size() == 4);
}

TEST_CASE("a process that lacks the data, or has another folder for results, is named")
{
    if (!has_mpi())
        return;
    const ScratchFolder folder;
    const std::string work = "run -q" + glove_option + " --tasks STS12,TREC --output ";
    // Debian 13's mpirun crashes on "-n 1 ONE : -n 1 OTHER".
    const auto script = folder.write(
        "senteval.sh", "data=" + quoted(samples) +
                           "\n[ $OMPI_COMM_WORLD_RANK = 0 ] || data=" + quoted(folder / "nowhere") +
                           "\nexec " + program + " \"$@\" --data \"$data\"\n");
    const auto run = shell(command_of(2, work + quoted(folder / "store"), "sh " + quoted(script)));
    CAPTURE(run.err);
    CHECK(run.exit_code != 0);
    CHECK(contains(run.err, {"process 1: ", "nowhere"}));
    host(0, work + quoted(folder / "alone") + data_option);
    CHECK(store_content(folder / "store") == store_content(folder / "alone"));
}

TEST_CASE("what is wrong is said once, whatever the number of processes")
{
    if (!has_mpi())
        return;
    const auto run = shell(2, command_of(3, "run --encoder nothing" + on_samples("MR")));
    CHECK(times(run.err, "'nothing'") == 1);
}

TEST_CASE("a launcher's variables do not keep a single process from its run")
{
    const ScratchFolder folder;
    const std::string run =
        program + " run -q --encoder onehot" + on_samples("STS12") + into(folder / "store");
    for (const char* launcher :
         {"PMIX_RANK=0", "PMI_SIZE=1 PMI_RANK=0", "PMIX_RANK=0 SLURM_NTASKS=1",
          "SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_PROCID=2", "OMPI_COMM_WORLD_SIZE=1"}) {
        CAPTURE(launcher);
        shell(0, std::string("env ") + launcher + " " + run);
    }
    const std::string two = leaks + "PMI_SIZE=2 PMI_RANK=0 ";
    const auto refused = shell(two + run); // with MPI, which does not know of two, as without
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, {"each would do all the work", "--shard K/N"}));
    shell(0, two + run + " --shard 1/2");
}

TEST_CASE(
    "a process that is killed in mid-run ends the job, and the same command does what is missing")
{
    if (!has_mpi())
        return;
    const ScratchFolder folder;
    const std::string run = with_script(folder);
    folder.write("kill", "");
    CHECK(shell(command_of(2, run + quoted(folder / "store"))).exit_code != 0);
    CHECK_FALSE(std::filesystem::exists(folder / "kill"));
    check_resumed(folder);
}

TEST_CASE("Ctrl-C ends what mpirun started, and the same command does what is missing")
{
    if (!has_mpi())
        return;
    const ScratchFolder folder;
    const std::string run = with_script(folder);
    const auto block = folder.write("block", "");
    const Child mpirun(command_of(2, run + quoted(folder / "store")));
    for (int tenths = 0; tenths < 600 && !std::filesystem::exists(folder / "blocked"); ++tenths)
        sleep_for(0.1);
    REQUIRE(std::filesystem::exists(folder / "blocked"));
    mpirun.signal(SIGINT);
    CHECK(mpirun.wait() != 0);
    std::filesystem::remove(block);
    check_resumed(folder);
}
