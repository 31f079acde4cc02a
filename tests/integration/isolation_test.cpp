// An encoder that harms its process loses the task it was at, and nothing else is lost.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

using namespace senteval;
using namespace senteval::test;

namespace {

const std::string faults = quoted(binary_dir() / "tests/bad_plugins/faults.so");
const std::string culprit = "a zebra has stripes";

struct Fault {
    std::string fault;
    std::string in = "batcher";
    std::string says = {};      ///< of the failure; empty: there is none
    bool is_everywhere = false; ///< not only where the word is
};

/// What can be told of a fault where isolation is by default: no limit is set.
std::vector<Fault> faults_without_limits()
{
    std::vector<Fault> all = {
        {"none"},
        {"log"},
        {"segv", "batcher", "was killed by SIGSEGV (Segmentation fault) in batcher()"},
        {"abort", "batcher", "was killed by SIGABRT (Aborted) in batcher()"},
        {"fpe", "batcher", "was killed by SIGFPE (Floating point exception) in batcher()"},
        {"ill", "batcher", "was killed by SIGILL (Illegal instruction) in batcher()"},
        {"bus", "batcher", "was killed by SIGBUS (Bus error) in batcher()"},
        {"term", "batcher", "was killed by SIGTERM (Terminated) in batcher()"},
        {"kill", "batcher", "was killed by SIGKILL (Killed) in batcher()"},
        {"file_size", "batcher", "SIGXFSZ (File size limit exceeded) in batcher()"},
        {"stack", "batcher", "SIGSEGV (Segmentation fault) in batcher()"},
        {"exit", "batcher", "ended with status 3 in batcher()"},
        {"quick_exit", "batcher", "ended with status 4 in batcher()"},
        {"_exit", "batcher", "ended with status 5 in batcher()"},
#if !defined(__SANITIZE_THREAD__) // whose allocator lets it pass
        {"free_twice", "batcher", "was killed by SIGABRT (Aborted) in batcher()"},
#endif
        {"terminate", "batcher", "was killed by SIGABRT (Aborted) in batcher()"},
        {"thread_segv", "batcher", "SIGSEGV (Segmentation fault) in batcher()"},
        {"garbage", "batcher", "sent an invalid answer, and was ended in batcher()"},
        {"much_garbage", "batcher", "sent an invalid answer, and was ended in batcher()"},
        {"close", "batcher", "closed its connection to this program, and was ended in batcher()"},
        {"truncate"},
        {"throw", "batcher",
         "thrown out of the library; the sentence that causes it: \"" + culprit + "\""},
        {"handler", "batcher", "ended with status 6 in batcher()"},
        {"past_rows", "batcher", "SIGSEGV (Segmentation fault) in batcher()"},
        {"unwritten", "batcher", "is nan (or was not written)"},
        {"message", "batcher", "xxxxxxxxxx"},
        {"files", "batcher", "no file can be opened"},
        {"segv", "prepare", "the sentence that causes it: \"" + culprit + "\""},
        {"exit", "prepare", "ended with status 3 in prepare()"},
        {"abort", "dimension", "was killed by SIGABRT (Aborted) in dimension()"},
        {"segv", "count_known", "was killed by SIGSEGV (Segmentation fault) in count_known()"},
        {"segv", "create", "was killed by SIGSEGV (Segmentation fault) in create()", true},
        {"_exit", "create", "ended with status 5 in create()", true},
        {"segv", "destroy"},
    };
    return all;
}

/// Whoever adopts what lost its parent may leave it a zombie.
bool runs_still(int process)
{
    return shell(fmt::format("grep -qsv ') [ZX]' /proc/{}/stat", process)).exit_code == 0;
}

/// Runs the faults in three small tasks, the word in the middle one.
class Runs {
public:
    Runs()
    {
        for (const char* name : {"First", "Second", "Third"})
            write_task(name);
    }

    /// `options` go before the encoders.
    base::Json
    run(const std::vector<Fault>& all, const std::string& options, int exit_code = 1) const
    {
        std::string command = "run " + quoted(folder_ / "run.toml") +
                              " -q --threads 3 --encode-batch 2" + into(folder_ / "results") +
                              options + " --json -";
        for (std::size_t i = 0; i < all.size(); ++i)
            command += fmt::format(" --encoder {} --label {}{} --set fault={} --set in={} --set {}",
                                   faults, label_start, i, all[i].fault, all[i].in,
                                   test::quoted("word=" + word_of(i)));
        const Run run = host(command);
        CAPTURE(run.err.substr(0, 5000));
        CHECK(run.exit_code == exit_code);
        errors_ = run.err;
        return json_of(run);
    }

    [[nodiscard]] const std::string& errors() const { return errors_; }

    /// Each fault costs its cell, and says why; every other cell is there.
    static void check(const std::vector<Fault>& all, const base::Json& json)
    {
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const char* task : {"First", "Second", "Third"}) {
                const Fault& fault = all[i];
                CAPTURE(fault.fault);
                CAPTURE(fault.in);
                CAPTURE(task);
                const bool fails =
                    !fault.says.empty() && (fault.is_everywhere || task == std::string("Second"));
                const std::string label = fmt::format("{}{}", label_start, i);
                const std::string why = failure(json, label, task);
                CAPTURE(why);
                CHECK(count(json, label, task) == (fails ? 0 : 1));
                CHECK(why.empty() == !fails);
                if (fails && !test::is_sanitized)
                    CHECK(contains(why, fault.says));
                if (fails && contains(why, "the sentence that causes it"))
                    CHECK(contains(why, "the sentence that causes it: \"" + culprit + "\""));
            }
    }

    static std::string
    failure(const base::Json& json, const std::string& label, const std::string& task)
    {
        for (const base::Json& one : json.at("failures"))
            if (one.at("encoder") == label && one.at("task") == task)
                return one.at("error").get<std::string>();
        return "";
    }

private:
    static constexpr const char* label_start = "fault";

    /// A part of the culprit alone, another for each encoder: none may be given twice.
    static std::string word_of(std::size_t i)
    {
        const std::size_t begin = i % 2 == 0 ? 0 : 2;
        return culprit.substr(begin, 3 + i / 2 - begin); // "a z", "z", "a ze", "ze", ...
    }

    static int count(const base::Json& json, const std::string& label, const std::string& task)
    {
        int found = 0;
        for (const base::Json& one : json.at("results"))
            found += one.at("encoder") == label && one.at("task") == task ? 1 : 0;
        return found;
    }

    void write_task(const std::string& name) const
    {
        std::string rows = "first\tsecond\tscore\n";
        const std::vector<std::string> nouns = {"cat", "dog", "horse", "whale", "sparrow", "trout"};
        for (std::size_t i = 0; i < nouns.size(); ++i)
            rows += fmt::format("the {} of {}\t{}\t{}\n", nouns[i], name,
                                i == 2 && name == "Second" ? culprit : "some " + nouns[i] + " runs",
                                i % 4);
        folder_.write(name + ".tsv", rows);
        std::ofstream(folder_ / "run.toml", std::ios::app)
            << "[[task]]\nname = \"" << name << "\"\nprotocol = \"similarity\"\ntest = \"" << name
            << ".tsv\"\nheader = true\nfirst = \"first\"\nsecond = \"second\"\ntarget = "
               "\"score\"\n";
    }

    ScratchFolder folder_;
    mutable std::string errors_;
};

} // namespace

TEST_CASE("isolation: a fault costs its cell, which says why, and no other")
{
    const Runs runs;
    const auto all = faults_without_limits();
    Runs::check(all, runs.run(all, ""));
    CHECK(contains(runs.errors(), "in destroy()")); // no cell is lost, but it is told
}

TEST_CASE(
    "isolation: what takes too long or too much is ended at the limit, and the sentence is found")
{
    const Runs runs;
    std::vector<Fault> all = {
        {"none"},
        {"sleep", "batcher", "was ended at the limit of 3 s for a call in batcher()"},
        {"term_parent", "batcher", "was ended at the limit of 3 s for a call in batcher()"},
        {"stop", "prepare", "was ended at the limit of 3 s for a call in prepare()"}};
    if (!test::is_sanitized)
        all.push_back(
            {"memory", "batcher", "out of memory; it may allocate 400.0 MiB (--limit-memory)"});
    Runs::check(all, runs.run(all, " --limit-seconds 3 --limit-memory 400M"));
}

TEST_CASE("isolation: what an encoder started ends with its process, wherever it has gone")
{
    const Runs runs;
    const std::vector<Fault> all = {
        {"daemon_none"},
        {"daemon_none", "create"},
        {"daemon_segv", "batcher", "was killed by SIGSEGV"},
        {"daemon_sleep", "dimension", "was ended at the limit of 3 s for a call in dimension()"}};
    (void)runs.run(all, " --limit-seconds 3");
    const std::string& said = runs.errors();
    constexpr std::string_view mark = "daemon ";
    std::size_t daemons = 0;
    for (std::size_t at = said.find(mark); at != std::string::npos; at = said.find(mark, at + 1)) {
        ++daemons;
        CAPTURE(said.substr(at, 20));
        CHECK(!runs_still(std::atoi(said.c_str() + at + mark.size())));
    }
    CHECK(daemons >= all.size());
}

TEST_CASE("isolation: of several batches at work, the guilty one is blamed, whoever notices first")
{
    const Runs runs;
    const std::vector<Fault> all(20, Fault{"segv", "batcher", "causes it: \"" + culprit + "\""});
    Runs::check(all, runs.run(all, ""));
}

TEST_CASE("isolation: vectors and results are those of an encoder in the program")
{
    const ScratchFolder folder;
    const std::string command = "run -q" + glove_option + " --encoder borep --set vectors=" +
                                quoted(samples / "vectors/sample.50d.txt") + " --encoder " +
                                faults + on_samples("MR,STS12") + " --output ";
    host(0, command + quoted(folder / "inside") + " --no-isolate");
    host(0, command + quoted(folder / "isolated") + " --isolate");
    CHECK(store_content(folder / "inside") == store_content(folder / "isolated"));
}

TEST_CASE("isolation: a library that crashes when it is loaded stands in nobody's way")
{
    const ScratchFolder folder;
    for (const char* name : {"crash_on_load", "crash_in_entry", "faults"})
        std::filesystem::copy(binary_dir() / "tests/bad_plugins" / (name + std::string(".so")),
                              folder.path());
    const std::string path = "SENTEVAL_PLUGIN_PATH=" + quoted(folder.path()) + " " + program;
    const Run list = shell(0, path + " encoders");
    CHECK(test::contains(list.out, {"faults", "glove"}));
    CHECK(test::contains(
        list.err, {std::string("crash_on_load.so' is not a usable encoder plugin: its process ") +
                       (test::is_sanitized ? "" : "was killed"),
                   "while its library was loaded"}));
    for (const char* isolation : {"", " --no-isolate"}) {
        const Run run = shell(0, path + " run -q --encoder faults" + isolation +
                                     on_samples("STS12") + into(folder / "results"));
        CHECK((run.err.empty() || test::is_sanitized));
    }
}

TEST_CASE("isolation: a library that crashes or hangs when it is loaded costs its own cells")
{
    const ScratchFolder folder;
    const std::filesystem::path bad = binary_dir() / "tests/bad_plugins";
    const Run run =
        host(1, "run --encoder " + quoted(bad / "crash_on_load.so") + " --encoder " +
                    quoted(bad / "hang_in_entry.so") + " --encoder " +
                    quoted(bad / "throws_in_entry.so") + glove_option + " --limit-seconds 2" +
                    on_samples("STS12") + into(folder / "results"));
    CHECK(test::contains(
        run.err, {"crash_on_load.so on STS12: FAILED: ", "hang_in_entry.so on STS12: FAILED: ",
                  "throws_in_entry.so on STS12: FAILED: ", "was ended at the limit of 2 s"}));
    CHECK(contains(run.out, "glove"));
}

TEST_CASE("isolation: the search for a sentence takes no longer than the limit again, and blames "
          "none without need")
{
    using Clock = std::chrono::steady_clock;
    for (const char* fault : {"sleep", "exec"}) {
        CAPTURE(fault);
        const ScratchFolder folder;
        const auto begin = Clock::now();
        const Run run =
            host("run --encoder " + faults + " --set fault=" + fault + " --limit-seconds 3" +
                 on_samples("STS12,STS13") + into(folder / "results"));
        constexpr double most = 2 * 2 * 3; // tasks, a call and a search, seconds
        CHECK(std::chrono::duration<double>(Clock::now() - begin).count() < most + 5);
        CHECK(run.exit_code == 1);
        CHECK(test::contains(run.err, {"faults on STS12: FAILED: ", "faults on STS13: FAILED: "}));
        CHECK(!contains(run.err, "the sentence that causes it: "));
    }
}

TEST_CASE("isolation: limits need it")
{
    const Run run = host(2, "run --encoder " + faults + " --no-isolate --limit-seconds 5" +
                                on_samples("STS12"));
    CHECK(contains(run.err, "--no-isolate"));
    const Run small =
        host(2, "run --encoder " + faults + " --limit-memory 1000K" + on_samples("STS12"));
    CHECK(contains(small.err, "at least 1M"));
    host(2, "run --encoder " + faults + " --limit-memory much" + on_samples("STS12"));
}

// SENTEVAL_FAULTS=1000 injects so many, drawn at random.
TEST_CASE("isolation: many faults")
{
    const char* wanted = std::getenv("SENTEVAL_FAULTS");
    if (wanted == nullptr) {
        MESSAGE("skipped: SENTEVAL_FAULTS says how many");
        return;
    }
    std::vector<Fault> known = faults_without_limits();
    for (const char* fault : {"sleep", "spin", "stop"})
        known.push_back(
            {fault, "batcher", "was ended at the limit of 2 s for a call in batcher()"});
    known.push_back({"spin", "prepare", "was ended at the limit of 2 s for a call in prepare()"});
    known.push_back({"memory", "batcher", "failed on task Second while encoding"});
    std::mt19937 random(1);
    int injected = 0;
    while (injected < std::atoi(wanted)) {
        const Runs runs;
        std::vector<Fault> all;
        for (int i = 0; i < 25; ++i)
            all.push_back(known[random() % known.size()]);
        Runs::check(all, runs.run(all, " --limit-seconds 2 --limit-memory 400M"));
        injected += static_cast<int>(all.size());
        MESSAGE(injected << " faults injected");
    }
}
