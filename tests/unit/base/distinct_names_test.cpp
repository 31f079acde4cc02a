#include "base/distinct_names.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::Named;
using Names = std::vector<std::string>;

TEST_CASE("what differs tells equal names apart")
{
    const std::vector<Named> encoders = {
        {"glove", {{"vectors", "/data/a/glove.txt"}, {"pooling", "max"}}},
        {"glove", {{"vectors", "/data/a/glove.txt"}, {"pooling", "mean"}}},
        {"mine", {{"vectors", "/data/b/x.txt"}}}};
    CHECK(base::distinct_names(encoders) ==
          Names{"glove pooling=max", "glove pooling=mean", "mine"});
}

TEST_CASE("a parameter that one has and the other has not is shown where it is")
{
    const std::vector<Named> encoders = {{"glove", {{"v", "a"}, {"weights", {1, 2}}}},
                                         {"glove", {{"v", "a"}}}};
    CHECK(base::distinct_names(encoders) == Names{"glove weights=1,2", "glove"});
}

TEST_CASE("paths are named by their file, lengthened only as far as it takes")
{
    const std::vector<Named> files = {{"g", {{"vectors", "/x/50.txt"}}},
                                      {"g", {{"vectors", "/y/100.txt"}}}};
    CHECK(base::distinct_names(files) == Names{"g vectors=50.txt", "g vectors=100.txt"});
    const std::vector<Named> folders = {{"g", {{"vectors", "/x/1/glove.txt"}}},
                                        {"g", {{"vectors", "/x/2/glove.txt"}}},
                                        {"g", {{"vectors", "/y/2/other.txt"}}}};
    CHECK(base::distinct_names(folders) ==
          Names{"g vectors=1/glove.txt", "g vectors=2/glove.txt", "g vectors=2/other.txt"});
    const std::vector<Named> ends = {{"g", {{"vectors", "glove.txt"}}},
                                     {"g", {{"vectors", "/glove.txt"}}}};
    CHECK(base::distinct_names(ends) == Names{"g vectors=glove.txt", "g vectors=/glove.txt"});
}

TEST_CASE("what differs in no parameter is numbered")
{
    const Named plain{"g", {{"v", "a"}}};
    CHECK(base::distinct_names(std::vector{plain, plain}) == Names{"g", "g (2)"});
}

TEST_CASE(
    "what differs in no parameter is told apart by what else there is to say, if there is enough")
{
    const auto named = [](std::vector<std::vector<std::string>> further) {
        std::vector<base::Named> things;
        for (const auto& one : further)
            things.push_back({"m", base::Json::object(), one});
        return base::distinct_names(things);
    };
    CHECK(named({{"epoch 1", "(May)"}, {"epoch 2", "(May)"}}) == Names{"m epoch 1", "m epoch 2"});
    CHECK(named({{"1", "(May)"}, {"1", "(June)"}}) == Names{"m 1 (May)", "m 1 (June)"});
    CHECK(named({{"(May)"}, {"(May)"}}) == Names{"m (May)", "m (May) (2)"});
    CHECK(named({{"1"}}) == Names{"m"});
}
