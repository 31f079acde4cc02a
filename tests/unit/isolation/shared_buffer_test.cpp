#include "isolation/shared_buffer.hpp"

#include "base/error.hpp"
#include "support/support.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

using namespace senteval;
using isolation::SharedBuffer;

TEST_CASE("both sides of shared memory see the same, also after it has grown")
{
    SharedBuffer mine(1);
    SharedBuffer theirs(dup(mine.descriptor()), SharedBuffer::Access::read);
    mine.data()[0] = std::byte{7};
    theirs.follow();
    CHECK(theirs.size() == mine.size());
    CHECK(theirs.data()[0] == std::byte{7});
    const std::size_t before = mine.size();
    mine.grow(before + 1);
    CHECK(mine.size() >= 2 * before);
    CHECK(mine.data()[0] == std::byte{7});
    mine.end()[-1] = std::byte{9};
    theirs.follow(mine.size());
    CHECK(theirs.end()[-1] == std::byte{9});
    const std::byte* const view = theirs.data();
    theirs.follow(mine.size()); // nothing to do
    CHECK(theirs.data() == view);
}

TEST_CASE("shared memory begins on a page and has nothing behind its end")
{
    SharedBuffer buffer(10);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % page == 0);
    CHECK(buffer.size() == page);
    // The kernel refuses to read from where nothing may be touched.
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    CHECK(write(ends[1], buffer.end() - 1, 1) == 1);
    CHECK(write(ends[1], buffer.end(), 1) == -1);
    CHECK(write(ends[1], buffer.data() - 1, 1) == -1);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("shared memory of another size than it was said to have is refused")
{
    const SharedBuffer mine(1);
    SharedBuffer theirs(dup(mine.descriptor()), SharedBuffer::Access::read);
    CHECK_THROWS_AS(theirs.follow(mine.size() * 2), base::Error);
    CHECK_THROWS_AS(theirs.follow(mine.size() - 1), base::Error);
    CHECK(ftruncate(mine.descriptor(), 0) != 0); // nobody can take it away
    CHECK_THROWS_AS(SharedBuffer{std::numeric_limits<std::size_t>::max()}, std::bad_alloc);
}
