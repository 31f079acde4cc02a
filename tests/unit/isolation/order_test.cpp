#include "isolation/order.hpp"

#include "core/error.hpp"

#include <doctest/doctest.h>

using namespace senteval;

TEST_CASE("an order is read as it was written, whatever bytes its paths have")
{
    const std::string odd = "/models/\xff\xfe name";
    const isolation::Order order{odd + ".so",
                                 "org.example.one",
                                 "label",
                                 {{"model", SENTEVAL_TYPE_PATH, odd},
                                  {"size", SENTEVAL_TYPE_INTEGER, -3},
                                  {"rate", SENTEVAL_TYPE_REAL, 0.1},
                                  {"fast", SENTEVAL_TYPE_BOOLEAN, true}}};
    const auto read = isolation::order_of(isolation::bytes_of(order));
    CHECK(read.library == order.library);
    CHECK(read.encoder == order.encoder);
    CHECK(read.label == order.label);
    REQUIRE(read.parameters.size() == order.parameters.size());
    for (std::size_t i = 0; i < read.parameters.size(); ++i) {
        CHECK(read.parameters[i].key == order.parameters[i].key);
        CHECK(read.parameters[i].type == order.parameters[i].type);
        CHECK(read.parameters[i].value == order.parameters[i].value);
    }
}

TEST_CASE("what is no order is refused")
{
    for (const char* bytes : {"", "x", "\xa0"})
        CHECK_THROWS_AS((void)isolation::order_of(bytes), core::Error);
}
