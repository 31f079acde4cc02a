#include "support/support.hpp"
#include "word_vectors/parameters.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using namespace senteval::word_vectors;

namespace {

/// source_from() string parameters, and `cache` if it is false.
Source source(const std::vector<std::pair<std::string, std::string>>& strings, bool cache = true)
{
    std::vector<senteval_param> params;
    for (const auto& [key, value] : strings)
        params.push_back({sdk::to_c(key), {SENTEVAL_TYPE_STRING, 0, {.string = sdk::to_c(value)}}});
    params.push_back(
        {sdk::to_c("cache"), {SENTEVAL_TYPE_BOOLEAN, 0, {.boolean = cache ? 1U : 0U}}});
    return source_from(sdk::Params(params.data(), params.size()));
}

/// Sets an environment variable for a scope.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_(name)
    {
        if (const char* before = std::getenv(name))
            before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { ::setenv(name_, before_.c_str(), 1); }

private:
    const char* name_;
    std::string before_;
};

} // namespace

TEST_CASE("parameters say what to open")
{
    const Source plain = source({{"vectors", "/none/v.txt"}});
    CHECK(plain.file == "/none/v.txt");
    CHECK(plain.format == Format::detect);
    CHECK(plain.malformed == Malformed::skip);
    CHECK(plain.cache_folder.empty());

    const Source other = source({{"vectors", "v"}, {"format", "binary"}, {"malformed", "fail"}});
    CHECK(other.format == Format::binary);
    CHECK(other.malformed == Malformed::fail);
}

TEST_CASE("an unknown choice is refused with the known ones")
{
    CHECK_THROWS_WITH_AS(
        source({{"vectors", "v"}, {"format", "text"}}),
        "parameter 'format' is 'text'; it must be one of: auto, glove, word2vec, binary",
        sdk::Error);
    CHECK_THROWS_AS(source({}), sdk::Error);
}

TEST_CASE("large files alone have a cache, in the folder of the user or the one given")
{
    const test::ScratchFolder scratch;
    const std::string small = scratch.write("small.txt", "a 1\n").string();
    const std::string large = scratch.write("large.txt", "a 1\n").string();
    std::filesystem::resize_file(large, std::uintmax_t{16} << 20);

    const Environment home("HOME", "/home/someone");
    {
        const Environment xdg("XDG_CACHE_HOME", "/var/cache/me");
        CHECK(source({{"vectors", large}}).cache_folder == "/var/cache/me/senteval");
    }
    const Environment xdg("XDG_CACHE_HOME", "");
    CHECK(source({{"vectors", large}}).cache_folder == "/home/someone/.cache/senteval");
    CHECK(source({{"vectors", small}}).cache_folder.empty());
    CHECK(source({{"vectors", large}, {"cache_folder", "/x"}}).cache_folder == "/x");
    CHECK(source({{"vectors", large}, {"cache_folder", "/x"}}, false).cache_folder.empty());
    const Environment homeless("HOME", "");
    CHECK(source({{"vectors", large}}).cache_folder.empty());
}
