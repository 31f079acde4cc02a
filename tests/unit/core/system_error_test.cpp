#include "core/files.hpp"
#include "core/system_error.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>

#include <cerrno>

using namespace senteval;

namespace {

/// While it lives, this process may open nothing more.
class NoDescriptors {
public:
    NoDescriptors()
    {
        getrlimit(RLIMIT_NOFILE, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit before_{};
};

} // namespace

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

TEST_CASE("a file that cannot be opened for want of descriptors is not called missing or damaged")
{
    const test::ScratchFolder scratch;
    const auto file = scratch.write("text", "words");
    const NoDescriptors none;
    CHECK_THROWS_WITH_AS(core::MappedFile{file}, doctest::Contains("text': Too many open files: "),
                         core::SystemError);
}
