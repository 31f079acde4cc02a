#include "isolation/symbols.hpp"

#include "core/files.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

using namespace senteval;

/// With a name that the linker keeps.
extern "C" [[gnu::noinline, gnu::used]] int senteval_test_landmark(int x)
{
    return x + 1;
}

TEST_CASE("a place in the code is found by the memory map, and the function by its file")
{
    std::ifstream file("/proc/self/maps");
    const std::string maps{std::istreambuf_iterator<char>(file), {}};
    const auto address = reinterpret_cast<std::uint64_t>(&senteval_test_landmark);
    const auto place = isolation::find_place(maps, address);
    REQUIRE(place);
    CHECK(place->file == std::filesystem::read_symlink("/proc/self/exe"));
    CHECK(isolation::function_at(*place) == "senteval_test_landmark");
    CHECK_FALSE(isolation::find_place(maps, 1));
    CHECK_FALSE(isolation::find_place("no map\n7f-\n", address));
}

TEST_CASE("files that are no programs have no functions")
{
    const test::ScratchFolder scratch;
    CHECK(isolation::function_at({scratch / "missing", 0}).empty());
    CHECK(isolation::function_at({scratch.write("text", "no program"), 3}).empty());
    CHECK(isolation::function_at({scratch.write("cut", std::string("\x7f"
                                                                   "ELF\2\1\1",
                                                                   7)),
                                  3})
              .empty());
}
