// Whatever ends a run, what is finished stays, and --resume does the rest.
#include "base/files.hpp"
#include "program/child.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

#include <csignal>

using namespace senteval;
using namespace senteval::test;
using Clock = std::chrono::steady_clock;

namespace {

const std::string many_cells = glove_option +
                               " --tasks MR,CR,SUBJ,MPQA,TREC,STS12,STS13,STS14,STS15,STS16" +
                               " --seed 1,2,3" + data_option + " --threads 2";

/// The promise is two seconds.
constexpr std::chrono::milliseconds at_once(is_sanitized ? 25'000 : 2'500);

/// Of an encoder that answers, and then of one that never does.
std::string endless_run(const ScratchFolder& folder)
{
    return " run" + glove_option + bad_plugin("faults") + " --set fault=sleep" +
           on_samples("STS12") + into(folder / "results");
}

/// Or a minute.
template <typename Condition>
void wait_until(const Condition& holds)
{
    for (int tenths = 0; tenths < 600 && !holds(); ++tenths)
        sleep_for(0.1);
}

void wait_for_endless_part(const ScratchFolder& folder)
{
    for (int tenths = 0; tenths < 100 && (!std::filesystem::exists(folder / "results") ||
                                          store_content(folder / "results").size() < 2);
         ++tenths)
        sleep_for(0.1);
    sleep_for(0.3);
}

} // namespace

TEST_CASE("kill -9 at any moment loses no finished cell, and --resume gives the same bytes")
{
    const ScratchFolder folder;
    const auto start = Clock::now();
    host(0, "run -q" + many_cells + into(folder / "whole"));
    const double whole = std::chrono::duration<double>(Clock::now() - start).count();
    const auto expected = store_content(folder / "whole");
    CHECK(expected.size() == 2 * (5 * 3 + 5));

    const char* wanted = std::getenv("SENTEVAL_KILLS");
    const int kills = wanted != nullptr ? std::atoi(wanted) : is_sanitized ? 3 : 15;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> moment(0, whole);
    int resumes = 0;
    for (int kill = 0; kill < kills; ++resumes) {
        const auto store = folder / ("store" + std::to_string(resumes));
        const std::string command = program + " run -q --resume" + many_cells + into(store);
        for (int killed_here = 0; killed_here < 3 && kill < kills; ++killed_here, ++kill) {
            const Child child(command);
            sleep_for(moment(random));
            child.signal(SIGKILL);
            (void)child.wait();
        }
        shell(0, command);
        CHECK(store_content(store) == expected);
    }
}

TEST_CASE("Ctrl-C, SIGTERM and a closed terminal stop an encoder at work, with exit code 130")
{
    const ScratchFolder folder;
    const std::string command = program + " run" + glove_option + bad_plugin("runtime") +
                                " --set what=hang" + on_samples("STS12") + " --output ";
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const auto store = folder / std::to_string(signal);
        const Child child(command + quoted(store));
        for (int tenths = 0;
             tenths < 100 && (!std::filesystem::exists(store) || store_content(store).size() < 2);
             ++tenths)
            sleep_for(0.1);
        sleep_for(0.3);
        const auto start = Clock::now();
        child.signal(signal);
        CHECK(child.wait() == 130);
        CHECK(Clock::now() - start < std::chrono::seconds(2));
        CHECK(store_content(store).size() == 2); // what glove had finished
    }
}

TEST_CASE("an encoder that never returns does not keep table and JSON document from a Ctrl-C")
{
    const ScratchFolder folder;
    const Child child(program + endless_run(folder) + " --json " + quoted(folder / "run.json") +
                      " > " + quoted(folder / "out") + " 2> " + quoted(folder / "err"));
    wait_for_endless_part(folder);
    const auto start = Clock::now();
    child.signal(SIGINT);
    CHECK(child.wait() == 130);
    CHECK(Clock::now() - start < at_once);
    const auto table = base::read_file(folder / "out");
    CHECK(test::contains(table, "\nglove "));
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("results").size() == 1);
    CHECK(base::read_file(folder / "err").find("finished cells") != std::string::npos);
}

TEST_CASE("Ctrl-C in the middle of training stops, keeps what is done, and --resume completes")
{
    const ScratchFolder folder;
    const std::string slow = glove_option + " --tasks STS12,MR,SUBJ --classifier mlp --nhid 200" +
                             " --tenacity 1000 --max-epoch 40 --threads 1" + data_option +
                             into(folder / "results");
    const Child child(program + " run -q" + slow);
    sleep_for(0.7);
    const auto start = Clock::now();
    child.signal(SIGINT);
    CHECK(child.wait() == 130);
    CHECK(Clock::now() - start < std::chrono::seconds(2));
    const std::string quick = glove_option + on_samples("STS12,MR") + into(folder / "results");
    host(0, "run -q --resume" + quick);
}

TEST_CASE("a command that is stopped says so in one line")
{
    const ScratchFolder folder;
    const auto started = folder / "started";
    const std::string silent = // it ends with its standard input
        " --set shell=true --set " +
        test::quoted("command=touch " + started.string() + "; exec cat > /dev/null");
    const auto is_started = [&](const Child&) { return std::filesystem::exists(started); };
    const auto check_stopped = [&](const std::string& command, const auto& is_at_work) {
        const Child child(program + command + " > /dev/null 2> " + quoted(folder / "err"));
        wait_until([&] { return is_at_work(child); });
        child.signal(SIGINT);
        CHECK(child.wait() == 130);
        const std::string said = base::read_file(folder / "err");
        CAPTURE(said);
        CHECK(said.ends_with("stopped\n"));
        CHECK(said.find("stopped") == said.rfind("stopped"));
    };
    SUBCASE("check")
    {
        check_stopped(" check process" + silent, is_started);
    }
    SUBCASE("run --dry-run")
    {
        check_stopped(" run --dry-run --encoder process" + silent + data_option + " --tasks STS12" +
                          into(folder / "results"),
                      is_started);
    }
}
