#include "paragram/paragram_encoder.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

using namespace senteval;
using paragram::Projection;

namespace {

std::string error_of(std::string_view bytes)
{
    const test::ScratchFolder scratch;
    const std::string message =
        test::error_of<sdk::Error>([&] { return Projection(scratch.write("p.txt", bytes), 2); });
    return message.empty() ? message : message.substr(message.find("p.txt"));
}

} // namespace

TEST_CASE("a projection multiplies by W and adds b")
{
    const test::ScratchFolder scratch;
    const Projection projection(scratch.write("p.txt", "1 2 10\n3.0e+00 4 20\r\n-1\t0.5 30"), 2);
    REQUIRE(projection.outputs() == 3);
    std::vector<double> out(3);
    projection.apply(std::vector<double>{2, 3}, out);
    CHECK(out == std::vector<double>{18, 38, 29.5});
    CHECK(error_of("\xEF\xBB\xBF"
                   "1 2 10\n")
              .empty()); // after a byte-order mark
}

TEST_CASE("a projection that does not fit is refused with the line")
{
    CHECK(test::contains(error_of("1 2 3\n1 2\n"), {"p.txt:2: 2 numbers", "needs 3 numbers"}));
    CHECK(error_of("1 2 3 4\n").starts_with("p.txt:1: 4 numbers"));
    for (const char* line : {"1 x 3\n", "1 nan 3\n"})
        CHECK(error_of(line).starts_with("p.txt:1: "));
    CHECK(error_of("").starts_with("p.txt: "));
    CHECK_THROWS_AS(Projection("/none/p.txt", 2), sdk::Error);
}
