#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "base/json.hpp"
#include "base/system_error.hpp"
#include "support/no_descriptors.hpp"
#include "support/support.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace senteval;

TEST_CASE("a mapped file has the bytes of the file, also when it is empty")
{
    const test::ScratchFolder scratch;
    CHECK(base::MappedFile(scratch.write("text", "two\nlines")).bytes() == "two\nlines");
    CHECK(base::MappedFile(scratch.write("empty", "")).bytes().empty());
}

TEST_CASE("a file that is not there, or is a folder, is named")
{
    const test::ScratchFolder scratch;
    CHECK_ERROR(base::Error, "none' does not exist", base::MappedFile(scratch / "none"));
    CHECK_ERROR(base::Error, "is a folder", base::MappedFile(scratch.path()));
}

TEST_CASE("an atomic write replaces the content and leaves no temporary file")
{
    const test::ScratchFolder scratch;
    const auto file = scratch / "deep/down/result.json";
    base::write_file_atomically(file, "first");
    base::write_file_atomically(file, "second");
    CHECK(base::read_file(file) == "second");
    CHECK(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}) == 1);
}

TEST_CASE("a staged file appears whole or not at all")
{
    const test::ScratchFolder scratch;
    const auto path = scratch / "deep/file";
    {
        base::Replacement abandoned(path);
        abandoned.write("half");
    }
    CHECK(std::filesystem::is_empty(scratch / "deep"));
    base::Replacement staged(path);
    staged.write("wh");
    staged.write("ole");
    CHECK(base::read_file(staged.temporary()) == "whole");
    CHECK(!std::filesystem::exists(path));
    staged.commit();
    CHECK(base::read_file(path) == "whole");
    CHECK_ERROR(base::Error, "cannot create folder", base::Replacement(path / "below"));
}

TEST_CASE("a symbolic link is written through, also where its target is not there yet")
{
    const test::ScratchFolder scratch;
    scratch.write("there/target", "old");
    std::filesystem::create_symlink("there/target", scratch / "relative");
    std::filesystem::create_symlink(scratch / "relative", scratch / "link");
    std::filesystem::create_symlink("new/target", scratch / "dangling");
    for (const auto& link :
         {std::pair("link", "there/target"), std::pair("dangling", "new/target")}) {
        CAPTURE(link.first);
        base::write_file_atomically(scratch / link.first, "written");
        CHECK(std::filesystem::is_symlink(scratch / link.first));
        CHECK(base::read_file(scratch / link.second) == "written");
    }
    std::filesystem::create_symlink("circle", scratch / "circle");
    CHECK_ERROR(base::Error, "cannot write", base::write_file_atomically(scratch / "circle", "x"));
}

TEST_CASE("a pipe is refused, and stays")
{
    const test::ScratchFolder scratch;
    const auto pipe = scratch / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_symlink("pipe", scratch / "link");
    for (const auto& path : {pipe, scratch / "link"})
        CHECK_ERROR(base::Error, "it is a pipe", base::write_file_atomically(path, "x"));
    CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("a file that cannot be written is named with the reason, also beforehand")
{
    const test::ScratchFolder scratch;
    const auto plain = scratch.write("plain", "x");
    const base::Descriptor open(::open(plain.c_str(), O_RDONLY | O_CLOEXEC));
    const std::string number = std::to_string(open.number());
    for (const auto& wrong :
         {std::pair<std::filesystem::path, const char*>(scratch / "plain/below", "plain"),
          {scratch.path(), "it is a folder"},
          {scratch / "new/", "it is a folder"},
          {"/dev/fd/" + number, "open file of a process"},
          {"/proc/self/fd/" + number, "open file of a process"}}) {
        CAPTURE(wrong.first);
        CHECK_ERROR(base::Error, wrong.second, base::check_replaceable(wrong.first));
        CHECK_ERROR(base::Error, wrong.second, base::write_file_atomically(wrong.first, "y"));
    }
    base::check_replaceable(plain);
    base::check_replaceable(scratch / "new/folder/file");
    CHECK(base::read_file(plain) == "x");
    CHECK(std::distance(std::filesystem::directory_iterator(scratch.path()), {}) == 1);
}

TEST_CASE("the fingerprint of a file is the fingerprint of its bytes")
{
    const test::ScratchFolder scratch;
    CHECK(base::fingerprint_file(scratch.write("a", "abc")) == base::fingerprint("abc"));
    CHECK(base::fingerprint("abc") != base::fingerprint("abd"));
    CHECK(base::fingerprint("").size() == 32);
}

TEST_CASE("a process that is killed while it writes leaves nothing behind")
{
    const test::ScratchFolder scratch;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        base::Replacement file(scratch / "folder/result.json");
        file.write("half");
        ::_exit(file.temporary().native().starts_with("/proc/") ? 0 : 77);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WEXITSTATUS(status) == 77)
        return; // a file system without unnamed files
    CHECK(status == 0);
    CHECK(std::filesystem::is_empty(scratch / "folder"));
}

TEST_CASE("a name with a NUL byte is refused and not tried for ever")
{
    const test::ScratchFolder scratch;
    CHECK_ERROR(base::Error, "NUL",
                base::write_file_atomically(scratch.path() / std::string("a\0b", 3), "x"));
}

TEST_CASE("JSON that lies too deep within itself is refused, and brackets in strings are no levels")
{
    const std::size_t deep = 100'000;
    CHECK_ERROR(base::Error, "levels deep",
                base::parse_json(std::string(deep, '[') + std::string(deep, ']')));
    CHECK_THROWS_AS((void)base::parse_json(std::string(deep, '[')), base::Error);
    std::string objects;
    for (std::size_t i = 0; i < deep; ++i)
        objects += "{\"a\":";
    CHECK_ERROR(base::Error, "levels deep", base::parse_json(objects));
    const std::string text =
        "[\"" + std::string(deep, '[') + "\\\"" + std::string(deep, '{') + "\"]";
    CHECK(base::parse_json(text).at(0).get<std::string>().size() == 2 * deep + 1);
    const auto problem = [](const std::string& broken) {
        try {
            (void)base::parse_json(broken);
        } catch (const base::Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(problem("") == "it is empty");
    CHECK(problem("[1") == "it ends too early, in line 1");
    CHECK(problem("{\n\"acc\": \"5") == "it ends too early, in line 2");
    CHECK(problem("{\n\"a\": 5,\n\"b\": x}") == "line 3, column 6 is not JSON");
    CHECK(problem("]") == "line 1, column 1 is not JSON");
    CHECK(problem("[1e999]") == "it holds a number that is too large");
    CHECK(base::parse_json("[[1], [2]]").size() == 2);
}

TEST_CASE("a file that cannot be opened for want of descriptors is not called missing or damaged" *
          doctest::skip(test::is_sanitized))
{
    const test::ScratchFolder scratch;
    const auto file = scratch.write("text", "words");
    const test::NoDescriptors none;
    CHECK_ERROR(base::SystemError, "text': Too many open files", base::MappedFile{file});
}
