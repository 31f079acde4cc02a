#include "support/support.hpp"

#include <senteval/child.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace sdk = senteval::sdk;

namespace {

using namespace std::chrono_literals;

constexpr auto plenty = 60s; // never reached by what a test expects to happen

struct Pipe {
    Pipe()
    {
        int ends[2];
        REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
        reading = ends[0];
        writing = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    Pipe(Pipe&&) = delete;
    Pipe& operator=(Pipe&&) = delete;
    ~Pipe()
    {
        close(reading);
        close_writing();
    }
    void close_writing()
    {
        if (writing >= 0)
            close(std::exchange(writing, -1));
    }
    /// Until every writer has closed its end.
    std::string all()
    {
        close_writing();
        std::string text;
        char buffer[4096];
        for (ssize_t got = 0; (got = read(reading, buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(got));
        return text;
    }
    /// One line, while the writer goes on.
    [[nodiscard]] std::string line() const
    {
        std::string text;
        for (char byte = 0; read(reading, &byte, 1) == 1 && byte != '\n';)
            text += byte;
        return text;
    }
    int reading = -1;
    int writing = -1;
};

sdk::ChildCommand script(const std::string& text)
{
    return {{"/bin/sh", "-c", text}};
}

std::string ending_of(const std::string& text)
{
    sdk::Child child(script(text));
    const auto ending = child.wait(plenty);
    REQUIRE(ending);
    return ending->text();
}

bool is_alive(int process)
{
    return kill(process, 0) == 0;
}

} // namespace

TEST_CASE("a child process tells in words how it ended")
{
    CHECK(ending_of("exit 0") == "ended with status 0");
    CHECK(ending_of("exit 3") == "ended with status 3");
    CHECK(ending_of("kill -SEGV $$") == "was killed by SIGSEGV (Segmentation fault)");
    CHECK(ending_of("kill -KILL $$") == "was killed by SIGKILL (Killed)");
    CHECK(ending_of("kill -40 $$") == "was killed by signal 40");
}

TEST_CASE("a child process gets the descriptors it is passed, and no others")
{
    Pipe out;
    Pipe other; // open here; not passed
    auto command = script("echo seven >&7; echo one; ls /proc/self/fd | tr '\\n' ' ' >&7");
    command.descriptors = {{out.writing, 7}, {out.writing, STDOUT_FILENO}};
    sdk::Child child(command);
    CHECK(out.all().substr(0, 10) == "seven\none\n");
    REQUIRE(child.wait(plenty));
}

TEST_CASE("descriptors whose numbers overlap arrive where they belong")
{
    Pipe a;
    Pipe b;
    auto command = script("echo to-a >&" + std::to_string(b.writing) + "; echo to-b >&" +
                          std::to_string(a.writing));
    command.descriptors = {{a.writing, b.writing}, {b.writing, a.writing}}; // exchanged
    sdk::Child child(command);
    CHECK(a.all() == "to-a\n");
    CHECK(b.all() == "to-b\n");
}

TEST_CASE("a child process has nothing on its standard input and leaves standard output alone")
{
    Pipe out;
    auto command = script("cat; if [ /proc/$$/fd/1 -ef /proc/$$/fd/2 ]; then echo the log >&5; fi");
    command.descriptors = {{out.writing, 5}};
    sdk::Child child(command);
    CHECK(out.all() == "the log\n");
}

TEST_CASE("a child process sees the environment with what is added")
{
    setenv("SENTEVAL_CHILD_TEST_A", "old", 1);
    setenv("SENTEVAL_CHILD_TEST_B", "kept", 1);
    Pipe out;
    auto command =
        script("echo $SENTEVAL_CHILD_TEST_A $SENTEVAL_CHILD_TEST_B $SENTEVAL_CHILD_TEST_C");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    command.environment = {"SENTEVAL_CHILD_TEST_A=new", "SENTEVAL_CHILD_TEST_C=added"};
    sdk::Child child(command);
    CHECK(out.all() == "new kept added\n");
}

TEST_CASE("limits of a child process hold")
{
    Pipe out;
    auto command = script("ulimit -n; ulimit -c; ulimit -d");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    command.open_files = 57;
    command.memory = 512U << 20U;
    sdk::Child child(command);
    const std::string limits = out.all();
    if (senteval::test::is_sanitized)
        CHECK(limits.substr(0, 5) == "57\n0\n");
    else
        CHECK(limits == "57\n0\n524288\n");
}

TEST_CASE("a program that cannot be started is an error that names it")
{
    CHECK_ERROR(std::system_error, "'/nowhere/program'", sdk::Child({{"/nowhere/program"}}));
    CHECK_ERROR(std::system_error, "'/': Permission denied", sdk::Child({{"/"}}));
    CHECK_THROWS_AS(sdk::Child(sdk::ChildCommand{}), std::system_error);
}

TEST_CASE("a child process that runs too long is ended at the limit")
{
    sdk::Child child(script("sleep 1000"));
    CHECK(!child.wait(20ms));
    CHECK(child.end_at_limit(5s).text() == "was ended at the limit of 5 s");
    CHECK(child.end().text() == "was ended at the limit of 5 s");
    CHECK(child.wait(0ms)->text() == "was ended at the limit of 5 s");
}

TEST_CASE("a child process may be given time to end by itself")
{
    sdk::Child child(script("sleep .05; exit 3"));
    CHECK(child.end(plenty).text() == "ended with status 3");
}

TEST_CASE("the limit is not named where the child had ended before")
{
    sdk::Child child(script("exit 3"));
    REQUIRE(child.wait(plenty));
    CHECK(child.end_at_limit(5s).text() == "ended with status 3");
}

TEST_CASE("the whole group is killed, also after its leader has ended")
{
    Pipe out;
    auto command = script("sleep 1000 & echo $!; exit 4");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    sdk::Child child(command);
    const int grandchild = std::stoi(out.line());
    REQUIRE(child.wait(plenty));
    CHECK(is_alive(grandchild));
    CHECK(child.end().text() == "ended with status 4");
    CHECK(out.all().empty()); // returns once nobody holds the pipe open
}

TEST_CASE("a daemon that a child has left is killed by a process that adopts orphans")
{
    Pipe out;
    auto command = script("(setsid env -i /bin/sh -c 'echo $$; exec sleep 1000' &); exit 4");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    sdk::adopt_orphans();
    sdk::Child other(script("sleep 1000"));
    sdk::Child child(command);
    const int daemon = std::stoi(out.line());
    REQUIRE(child.wait(plenty));
    REQUIRE(is_alive(daemon));
    CHECK(child.end().text() == "ended with status 4");
    CHECK(out.all().empty()); // returns once nobody holds the pipe open
    CHECK(!other.wait(0ms));
}

TEST_CASE("a child process ends with the object, and moves with it")
{
    Pipe out;
    auto command = script("echo ready; sleep 1000");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    {
        sdk::Child first(command);
        sdk::Child second(std::move(first));
        CHECK(out.line() == "ready");
        CHECK(is_alive(second.id()));
    }
    CHECK(out.all().empty());
}

TEST_CASE("a child process outlives the thread that started it")
{
    Pipe out;
    auto command = script("echo ready; sleep 1000");
    command.descriptors = {{out.writing, STDOUT_FILENO}};
    std::unique_ptr<sdk::Child> child;
    std::thread([&] { child = std::make_unique<sdk::Child>(command); }).join();
    CHECK(out.line() == "ready");
    CHECK(!child->wait(50ms));
}

TEST_CASE("a child process dies with its parent, however that ends")
{
    Pipe out;
    const pid_t parent = fork();
    if (parent == 0) {
        auto command = script("echo ready; exec sleep 1000");
        command.descriptors = {{out.writing, STDOUT_FILENO}};
        const sdk::Child child(command);
        kill(getpid(), SIGKILL);
    }
    CHECK(waitpid(parent, nullptr, 0) == parent);
    (void)out.all(); // returns once nobody holds the pipe open
}

TEST_CASE("a status that others took is not guessed")
{
    sdk::Child child(script("exit 3"));
    CHECK(waitpid(child.id(), nullptr, 0) == child.id());
    CHECK(child.wait(plenty)->text() == "ended, it is not known how");
    CHECK(child.end().text() == "ended, it is not known how");
}
