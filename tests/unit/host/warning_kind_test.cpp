#include "host/warning_kind.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using senteval::host::without_numbers;

TEST_CASE(
    "warnings that differ in their numbers are alike, those of other tasks and encoders are not")
{
    const std::set<std::string> names = {"300", "3000", "STS12", "STS15", "my model 2", "STS1"};
    const auto seen = [](const std::string& encoder, const std::string& items,
                         const std::string& task) {
        return encoder + " was trained on sentences of " + items + " of the 750 test items of " +
               task + ": their scores";
    };
    const auto kind = [&](const std::string& text) { return without_numbers(text, names); };
    CHECK(kind(seen("glove", "3", "STS12")) == kind(seen("glove", "412", "STS12")));
    CHECK(kind(seen("glove", "3", "STS12")) != kind(seen("glove", "3", "STS15")));
    CHECK(kind(seen("300", "3", "STS12")) != kind(seen("3000", "3", "STS12")));
    CHECK(kind(seen("my model 2", "3", "STS12")) != kind(seen("my model ", "3", "STS12")));
    CHECK(kind("vectors.txt:12: 3 values") == "vectors.txt::  values");
    CHECK(kind("STS123 and XSTS12") == "STS and XSTS");
    CHECK(kind("").empty());
    CHECK(without_numbers("7 of 8", {""}) == " of ");
}
