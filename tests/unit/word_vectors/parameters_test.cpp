#include "support/support.hpp"
#include "word_vectors/parameters.hpp"

using namespace senteval;
using namespace senteval::word_vectors;

namespace {

/// source_from() string parameters.
Source source(const std::vector<std::pair<std::string, std::string>>& strings)
{
    std::vector<senteval_param> params;
    for (const auto& [key, value] : strings)
        params.push_back({sdk::to_c(key), {SENTEVAL_TYPE_STRING, 0, {.string = sdk::to_c(value)}}});
    return source_from(sdk::Params(params.data(), params.size()));
}

} // namespace

TEST_CASE("parameters say what to open")
{
    const Source plain = source({{"vectors", "/none/v.txt"}});
    CHECK(plain.file == "/none/v.txt");
    CHECK(plain.format == Format::detect);
    CHECK(plain.malformed == Malformed::skip);

    const Source other = source({{"vectors", "v"}, {"format", "binary"}, {"malformed", "fail"}});
    CHECK(other.format == Format::binary);
    CHECK(other.malformed == Malformed::fail);
}

TEST_CASE("an unknown choice is refused with the known ones")
{
    CHECK_ERROR(sdk::Error, "'format' is 'text'; it must be one of: auto, glove, word2",
                source({{"vectors", "v"}, {"format", "text"}}));
    CHECK_THROWS_AS(source({}), sdk::Error);
}
