// What a person sees at a terminal: a bar that only grows, lines that are clean, words that stay whole.
#include "program/program.hpp"
#include "support/support.hpp"

#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

using namespace senteval;
using namespace senteval::test;

namespace fs = std::filesystem;

namespace {

struct Session {
    int exit_code = -1;
    std::string shown;
};

/// Runs a command at a terminal of 80 columns; types Ctrl-C once `until` has been shown.
Session at_terminal(const std::string& command, const std::string& until = "")
{
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        unsetenv("NO_COLOR");
        unsetenv("COLUMNS");
        for (const int number : {SIGINT, SIGTERM})
            ::signal(number, SIG_DFL);
        execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
        _exit(127);
    }
    Session session;
    bool typed = until.empty();
    char bytes[4096];
    for (ssize_t got = 0; (got = read(terminal, bytes, sizeof bytes)) > 0;) {
        session.shown.append(bytes, static_cast<std::size_t>(got));
        if (!typed && session.shown.find(until) != std::string::npos) {
            typed = true;
            REQUIRE(write(terminal, "\x03", 1) == 1);
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    close(terminal);
    session.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return session;
}

/// What was drawn from the beginning of a line on, piece by piece.
std::vector<std::string> drawings(const std::string& shown)
{
    const std::string clear = "\r\x1b[K";
    std::vector<std::string> pieces;
    for (std::size_t at = shown.find(clear); at != std::string::npos;) {
        const std::size_t next = shown.find(clear, at + clear.size());
        pieces.push_back(shown.substr(at + clear.size(), next - at - clear.size()));
        at = next;
    }
    return pieces;
}

bool is_bar(const std::string& text)
{
    return text.starts_with("[#") || text.starts_with("[.");
}

} // namespace

TEST_CASE("the bar never runs backwards, stays on its line, and lines name what differs")
{
    const ScratchFolder folder;
    const Session session =
        at_terminal(program + " run" + glove_option + " --encoder onehot --tasks MR,TREC,STS12" +
                    " --seed 1,2 --classifier softmax,mlp --max-epoch 8" + data_option +
                    into(folder / "results"));
    CAPTURE(session.shown);
    CHECK(session.exit_code == 0);
    std::ptrdiff_t longest = 0;
    std::size_t bars = 0;
    for (const std::string& text : drawings(session.shown)) {
        if (!is_bar(text))
            continue;
        ++bars;
        CHECK(text.size() < 80);
        CHECK(!test::contains(text, "\n"));
        const auto filled = std::count(text.begin(), text.begin() + 21, '#');
        CHECK(filled >= longest);
        longest = filled;
    }
    CHECK(bars > 2);
    CHECK(test::contains(session.shown, {"[1/18] glove on MR, seed 1, softmax: acc ",
                                         "glove on MR, seed 2, mlp: acc ",
                                         "[9/18] glove on STS12: all.pearson.wmean ",
                                         "[18/18] onehot on STS12: "}));
}

TEST_CASE("the time left never grows while a cell is computed")
{
    const ScratchFolder folder;
    const Session session =
        at_terminal(program + " run --encoder borep --set dimension=6000 --set vectors=" +
                    quoted(samples / "vectors/sample.50d.txt") + on_samples("TREC") +
                    " --seeds 2 --classifier mlp" + into(folder / "results"));
    CAPTURE(session.shown);
    std::set<int> shown; // seconds, while the second cell is computed
    for (const std::string& text : drawings(session.shown))
        if (const auto end = text.rfind(" s left");
            is_bar(text) && end != std::string::npos && test::contains(text, "[2/2]")) {
            const int left = std::stoi(text.substr(text.rfind(", ", end) + 2));
            CHECK((shown.empty() || left <= *shown.begin()));
            shown.insert(left);
        }
    CHECK(shown.size() > 1);
}

TEST_CASE("Ctrl-C leaves clean lines: what is done, and how to go on")
{
    const ScratchFolder folder;
    const Session session =
        at_terminal(program + " run" + glove_option + bad_plugin("runtime") + " --set what=hang" +
                        on_samples("STS12") + into(folder / "results"),
                    "runtime on STS12");
    CAPTURE(session.shown);
    CHECK(session.exit_code == 130);
    const std::size_t stopping = session.shown.find("stopping (again: at once)\r\n");
    REQUIRE(stopping != std::string::npos);
    CHECK(session.shown.substr(stopping - 4, 4) == "\r\x1b[K"); // over bar and "^C"
    const std::size_t table = session.shown.find("encoder ");
    REQUIRE(table != std::string::npos);
    CHECK(session.shown[table - 1] != '.');
    CHECK(
        test::contains(session.shown.substr(table), {"0.5533", "stopped; finished cells are in"}));
}

TEST_CASE("with --verbose encoder and task are named before they start: a crash has a culprit")
{
    const ScratchFolder folder;
    const Run run = host("run" + glove_option + bad_plugin("faults") +
                         " --no-isolate --verbose --set fault=segv" + on_samples("STS12") +
                         into(folder / "results"));
    CHECK(run.exit_code != 0);
    const std::size_t culprit = run.err.find("[2/2] faults on STS12 ...\n");
    REQUIRE(culprit != std::string::npos);
}

TEST_CASE("messages are folded between words at a terminal, and commands in them are not")
{
    const Session session = at_terminal(program + " run" + glove_option +
                                        " --tasks CR --data '/no/such folder/that is so long "
                                        "that a command with it in it is wider than a line'");
    CHECK(session.exit_code == 2);
    for (std::size_t begin = 0; begin < session.shown.size();) {
        const std::size_t end = session.shown.find("\r\n", begin);
        REQUIRE(end != std::string::npos);
        CHECK((end - begin <= 80 || session.shown[begin] == ' '));
        begin = end + 2;
    }
    CHECK(test::contains(session.shown,
                         "\r\n    senteval data fetch CR --data '/no/such folder/that "
                         "is so long that a command with it in it is wider"));
}

namespace {

void check_width(const std::string& text, std::size_t columns)
{
    CHECK(!text.empty());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        const std::size_t words = line.find_first_not_of(' ');
        const bool one_word = words == std::string::npos || line.find(' ', words) == line.npos;
        CHECK_MESSAGE((one_word || line.size() <= columns), line); // a folder's name stays whole
        at = end + 1;
    }
}

} // namespace

TEST_CASE("lists and help are folded to the columns that are asked for")
{
    for (const std::string& command :
         {"tasks" + data_option, std::string("--help"), std::string("run --help"),
          std::string("encoders"), std::string("check onehot --limit-seconds 2"),
          "run --dry-run --encoder onehot" + on_samples("CR,STS12")})
        for (const std::size_t columns : {60U, 80U}) {
            const Run run =
                shell(0, "COLUMNS=" + std::to_string(columns) + " " + program + " " + command);
            check_width(run.out, columns);
        }
}
