#include "base/names.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("the nearest name is a slip of the finger away")
{
    const std::array<std::string, 5> tasks = {"STS12", "STS13", "SICKRelatedness", "TREC", "MR"};
    CHECK(base::nearest_name("trec", tasks) == "TREC");
    CHECK(base::nearest_name("SICKRelatednes", tasks) == "SICKRelatedness");
    CHECK(base::nearest_name("TRCE", tasks) == "TREC");
    CHECK(base::nearest_name("something else", tasks).empty());
    const std::vector<std::string> options = {"--set", "--cost", "--output", "--resume"};
    CHECK(base::nearest_name("--out", options) == "--output");
    CHECK(base::nearest_name("--device", options).empty());
    CHECK(base::did_you_mean("sts13", tasks) == " Did you mean 'STS13'?");
    CHECK(base::did_you_mean("qqqqqqqq", tasks).empty());
    CHECK(base::did_you_mean("STS13", tasks).empty()); // which is what was given
}

TEST_CASE("a pattern stands for the names that match it")
{
    CHECK(base::matches("STS14", "sts*"));
    CHECK(base::matches("GloVe mean", "glove mean"));
    CHECK(base::matches("MR", "?r"));
    CHECK_FALSE(base::matches("MRPC", "MR"));
}

TEST_CASE("a comma that is part of a name divides nothing")
{
    using Names = std::vector<std::string>;
    const Names names = {"GloVe mean", "GloVe mean, any case", "one"};
    CHECK(base::names_in(Names{"GloVe mean, any case"}, names) == Names{"GloVe mean, any case"});
    CHECK(base::names_in(Names{"one,GloVe mean, any case,GloVe mean", "g*"}, names) ==
          Names{"one", "GloVe mean, any case", "GloVe mean", "g*"});
    CHECK(base::names_in(Names{"GloVe mean,any"}, names) == Names{"GloVe mean", "any"});
    CHECK(base::names_in(Names{""}, names) == Names{""}); // which matches nothing, not everything
}

TEST_CASE("names are compared without what people write differently")
{
    CHECK(base::folded("STS-B") == "stsb");
    CHECK(base::folded("sts_b") == "stsb");
    CHECK(base::folded("SICK R") == base::folded("sickr"));
    CHECK(base::folded("") == "");
}
