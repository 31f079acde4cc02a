#include "core/names.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace senteval;

TEST_CASE("the nearest name is a slip of the finger away")
{
    const std::array<std::string, 5> tasks = {"STS12", "STS13", "SICKRelatedness", "TREC", "MR"};
    CHECK(core::nearest_name("trec", tasks) == "TREC");
    CHECK(core::nearest_name("SICKRelatednes", tasks) == "SICKRelatedness");
    CHECK(core::nearest_name("TRCE", tasks) == "TREC");
    CHECK(core::nearest_name("something else", tasks).empty());
    CHECK(core::did_you_mean("sts13", tasks) == " Did you mean 'STS13'?");
    CHECK(core::did_you_mean("qqqqqqqq", tasks).empty());
    CHECK(core::did_you_mean("STS13", tasks).empty()); // which is what was given
}

TEST_CASE("a pattern stands for the names that match it")
{
    CHECK(core::matches("STS14", "sts*"));
    CHECK(core::matches("GloVe mean", "glove mean"));
    CHECK(core::matches("MR", "?r"));
    CHECK_FALSE(core::matches("MRPC", "MR"));
}

TEST_CASE("names are compared without what people write differently")
{
    CHECK(core::folded("STS-B") == "stsb");
    CHECK(core::folded("sts_b") == "stsb");
    CHECK(core::folded("SICK R") == core::folded("sickr"));
    CHECK(core::folded("") == "");
}
