#include "core/error.hpp"
#include "encoder/plugin_encoder.hpp"
#include "encoder/process_state.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using encoder::Disturbance;
using encoder::StateWatch;

namespace {

/// What is told while the encoder of tests/abi/bad/runtime.c, which does `what`, goes its way.
std::vector<std::string> told_while(const std::string& what)
{
    const auto plugin = encoder::Plugin::load(test::binary_dir() / "tests/bad_plugins/runtime.so");
    encoder::Identity identity;
    identity.label = "Runtime";
    std::vector<std::string> told;
    const auto logger = [&](senteval_log_level level, std::string_view encoder,
                            std::string_view line) {
        CHECK(level == SENTEVAL_LOG_WARNING);
        CHECK(encoder == "Runtime");
        told.emplace_back(line);
    };
    const std::vector<text::Sentence> sentences = {{"a b", 2}, {"", 0}};
    encoder::PluginEncoder encoder(plugin, plugin->encoder(""),
                                   {{"what", SENTEVAL_TYPE_STRING, what, true}}, identity, logger,
                                   {});
    encoder.prepare("MR", sentences, {});
    (void)encoder.dimension();
    std::array<float, 6> out{};
    for (int batch = 0; batch < 3; ++batch)
        encoder.encode(sentences, out.data(), {});
    (void)encoder.dimension();
    return told;
}

mode_t file_mask()
{
    const mode_t now = umask(0);
    umask(now);
    return now;
}

std::pair<dev_t, ino_t> file_of(int descriptor)
{
    struct stat file {};
    return fstat(descriptor, &file) == 0 ? std::pair{file.st_dev, file.st_ino}
                                         : std::pair{dev_t{0}, ino_t{0}};
}

/// Whether a calculation that takes all eight registers of the x87 unit is right.
bool fits_all_registers()
{
#if defined(__x86_64__) || defined(__i386__)
    long double sum = 0;
    asm volatile("fld1; fld1; fld1; fld1; fld1; fld1; fld1; fld1;"
                 "faddp; faddp; faddp; faddp; faddp; faddp; faddp"
                 : "=t"(sum));
    return sum == 8;
#else
    return true;
#endif
}

} // namespace

TEST_CASE("what an encoder changes in the process is put back, and told once with its rule")
{
    REQUIRE(setenv("LC_ALL", "C.UTF-8", 1) == 0);
    const std::string locale = std::setlocale(LC_ALL, nullptr);
    const std::filesystem::path folder = std::filesystem::current_path();
    const mode_t mask = file_mask();
    const std::array streams = {file_of(STDOUT_FILENO), file_of(STDERR_FILENO)};
    sigset_t signals;
    sigemptyset(&signals);
    pthread_sigmask(SIG_BLOCK, nullptr, &signals);

    const std::vector<std::pair<std::string, std::string>> expected = {
        {"setlocale", "rule 6.1"},
        {"setlocale_in_create", "rule 6.1"},
        {"handler", "rule 6.2"},
        {"mask", "rule 6.2"},
        {"chdir", "rule 6.3"},
        {"rounding", "rule 6.4"},
#if defined(__SSE__)
        {"flush", "rule 6.4"},
#endif
#if defined(__x86_64__) || defined(__i386__)
        {"x87", "rule 6.4"},
#endif
        {"umask", "rule 6.5"},
        {"close_stdout", "rule 6.6"},
        {"redirect_stderr", "rule 6.6"},
    };
    for (const auto& changing : expected) {
        const auto& [what, rule] = changing;
        CAPTURE(changing.first);
        const auto told = told_while(what);
        REQUIRE(told.size() == 1);
        CAPTURE(told.front());
        CHECK(test::contains(told.front(), rule));
        CHECK(test::contains(told.front(),
                             what == "setlocale_in_create" ? "after create()" : "after batcher()"));

        CHECK(std::setlocale(LC_ALL, nullptr) == locale);
        CHECK(std::filesystem::current_path() == folder);
        CHECK(std::fegetround() == FE_TONEAREST);
        const volatile double tiny = 1e-308;
        CHECK(tiny / 1024 > 0);
        CHECK(fits_all_registers());
        CHECK(std::array{file_of(STDOUT_FILENO), file_of(STDERR_FILENO)} == streams);
        CHECK(file_mask() == mask);
        struct sigaction action {};
        sigaction(SIGUSR1, nullptr, &action);
        CHECK((action.sa_handler == SIG_DFL)); // a function cannot be shown
        sigset_t now;
        sigemptyset(&now);
        pthread_sigmask(SIG_BLOCK, nullptr, &now);
        CHECK(sigismember(&now, SIGUSR2) == sigismember(&signals, SIGUSR2));
    }
    CHECK(told_while("nothing").empty());
    unsetenv("LC_ALL");
}

TEST_CASE("a process that an encoder forks goes no further than its call")
{
    CHECK(told_while("fork").empty());
    int status = 0;
    CHECK(waitpid(-1, &status, WNOHANG) ==
          -1); // the encoder has waited for its own, which have ended
}

TEST_CASE("no encoder cancels a thread of the program")
{
    CHECK(told_while("cancel_thread").empty());
    pthread_testcancel();
}

TEST_CASE("what the program itself changes between calls is how things are from then on")
{
    std::vector<std::string> told;
    StateWatch watch(
        [&](const Disturbance& found, std::string_view) { told.push_back(found.what); });
    const mode_t before = umask(0027);
    {
        const StateWatch::Call call(watch, "prepare()");
    }
    CHECK(told.empty());
    CHECK(file_mask() == 0027);
    umask(before);
}

TEST_CASE("after a call that is made many times, nothing escapes the next rare one")
{
    std::vector<std::string> told;
    StateWatch watch([&](const Disturbance& found, std::string_view function) {
        told.push_back(std::string(found.rule) + " " + std::string(function));
    });
    const mode_t before = file_mask();
    {
        const StateWatch::Call call(watch, "batcher()", StateWatch::Often::for_every_batch);
        umask(0777);
    }
    {
        const StateWatch::Call call(watch, "dimension()");
    }
    CHECK(told == std::vector<std::string>{"6.5 batcher()"});
    CHECK(file_mask() == before);
}
