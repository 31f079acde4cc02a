// A program of samples/ builds against the installed library, and against nothing else of the project.
#include "support/support.hpp"

namespace test = senteval::test;

namespace {

std::string install_and_configure(const test::ScratchFolder& scratch, const std::string& project)
{
    const std::string prefix = test::quoted(scratch / "prefix");
    return "set -e\ncmake --install " + test::quoted(test::binary_dir() / "framework/library") +
           " --prefix " + prefix + "\ncmake -S " + project + " -B " +
           test::quoted(scratch / "build") + " -DCMAKE_PREFIX_PATH=" + prefix + "\n";
}

} // namespace

TEST_CASE("the training loop builds, learns, and ends when an epoch is no better")
{
    const test::ScratchFolder scratch;
    test::shell(0, install_and_configure(
                       scratch, test::quoted(test::source_dir() / "samples/training_loop")) +
                       "cmake --build " + test::quoted(scratch / "build"));

    const std::string loop = test::quoted(scratch / "build/training_loop");
    const test::Run run =
        test::shell(0, loop + " " + test::quoted(test::source_dir() / "data/samples"));
    CHECK(run.err.empty()); // the library prints nothing
    const auto score = [&](const std::string& line) {
        const auto at = run.out.find(line);
        REQUIRE(at != std::string::npos);
        return std::stod(run.out.substr(at + line.size()));
    };
    CHECK(score("epoch 1: STSBenchmarkUnsupervised pearson ") >
          score("epoch 0: STSBenchmarkUnsupervised pearson "));
    CHECK(score("epoch 0: CR acc ") > 0);
    const auto end = run.out.find(" is no better: training ends\n");
    REQUIRE(end != std::string::npos);
    const std::string last = run.out.substr(run.out.rfind("epoch ", end));
    CHECK(run.out.find(last.substr(0, last.find(' ', 6)) + ": CR") == std::string::npos);

    const test::Run lost = test::shell(2, loop + " /no/such/folder");
    CHECK(test::contains(lost.err, "'/no/such/folder' does not exist"));
}

TEST_CASE("the library shows its own functions only")
{
    const test::Run run =
        test::shell("nm -D --defined-only --demangle " +
                    test::quoted(test::binary_dir() / "framework/library/libsenteval.so") +
                    " | grep -v ' senteval::\\(evaluate\\|Results::\\|Error::\\)' | grep -v "
                    "'for senteval::Error$'");
    CHECK(run.out.empty());
}

TEST_CASE("a project that asks for another version of the library is refused")
{
    const test::ScratchFolder scratch;
    scratch.write("project/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                                            "project(other LANGUAGES CXX)\n"
                                            "find_package(SentEval 2.0 REQUIRED)\n");
    const test::Run run =
        test::shell(install_and_configure(scratch, test::quoted(scratch / "project")));
    CHECK(run.exit_code != 0);
    CHECK(test::contains(run.err, "compatible with requested version \"2.0\""));
}
