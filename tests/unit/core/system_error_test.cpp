#include "core/files.hpp"
#include "core/system_error.hpp"
#include "support/no_descriptors.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace senteval;

TEST_CASE("what the system refuses is said with its reason and what helps")
{
    CHECK(core::SystemError("cannot read 'x'", EMFILE).what() ==
          std::string("cannot read 'x': Too many open files: raise the limit of this process with "
                      "'ulimit -n'"));
    CHECK(core::SystemError("cannot read 'x'", EIO).what() ==
          std::string("cannot read 'x': Input/output error"));
    CHECK(std::string(core::SystemError("cannot read 'x'", ENOMEM).what()).find("'ulimit -v'") !=
          std::string::npos);
}

TEST_CASE("a file that cannot be opened for want of descriptors is not called missing or damaged" *
          doctest::skip(test::is_sanitized))
{
    const test::ScratchFolder scratch;
    const auto file = scratch.write("text", "words");
    const test::NoDescriptors none;
    CHECK_THROWS_WITH_AS(core::MappedFile{file}, doctest::Contains("text': Too many open files: "),
                         core::SystemError);
}
