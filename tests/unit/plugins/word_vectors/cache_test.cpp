#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "word_vectors/index_cache.hpp"
#include "word_vectors/word_vectors.hpp"

#include "core/files.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace senteval;
using namespace senteval::word_vectors;

namespace fs = std::filesystem;

namespace {

struct Fixture {
    test::ScratchFolder scratch;
    fs::path cache = scratch / "cache/indices";
    fs::path file = scratch.write("v.txt", "a 1 2\nb 3 4\nshort 1\na 5 6\n");
    test::FakeHost host;
    test::FakeCall call;
    std::chrono::nanoseconds settled{0}; ///< the files here have only just been written

    WordVectors open()
    {
        return WordVectors({file, Format::detect, Malformed::skip, cache, settled}, host.sdk(),
                           call.sdk());
    }

    [[nodiscard]] fs::path kept() const { return cache_path(cache, file, Format::detect); }

    std::vector<double> vector(std::string_view word)
    {
        const WordVectors vectors = open();
        std::vector<double> values(vectors.dimension());
        const auto row = vectors.find(word);
        return row && vectors.read(*row, values) ? values : std::vector<double>{};
    }

    /// Whether the cache file is taken.
    [[nodiscard]] bool loads() const { return load_index(kept(), MappedFile(file)).has_value(); }
};

using Values = std::vector<double>;

} // namespace

TEST_CASE("the index is kept, and tells the same at the second start")
{
    Fixture fixture;
    CHECK(fixture.vector("a") == Values{5, 6});
    REQUIRE(fs::exists(fixture.kept()));
    CHECK(fixture.loads());
    const auto written = fs::last_write_time(fixture.kept());
    const auto warnings = fixture.host.messages(SENTEVAL_LOG_WARNING);
    CHECK(warnings.size() == 1);

    CHECK(fixture.vector("a") == Values{5, 6});
    CHECK(fixture.vector("b") == Values{3, 4});
    CHECK(fixture.vector("c").empty());
    CHECK(fixture.open().size() == 2);
    CHECK(fs::last_write_time(fixture.kept()) == written);
    CHECK(fixture.host.warnings("v.txt:3: 1 values instead of 2; skipped") == 5);
    CHECK(std::distance(fs::directory_iterator(fixture.cache), {}) == 1);
}

TEST_CASE("no index is kept of a file that could change again without a new time")
{
    Fixture fixture;
    fixture.settled = std::chrono::hours(1);
    CHECK(fixture.vector("a") == Values{5, 6});
    CHECK_FALSE(fs::exists(fixture.kept()));
    fixture.settled = std::chrono::nanoseconds(0);
    CHECK(fixture.vector("a") == Values{5, 6});
    CHECK(fixture.loads());
}

TEST_CASE("a changed vectors file makes the index anew")
{
    Fixture fixture;
    fixture.open();
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the clock of files goes on
    SUBCASE("another size")
    {
        fixture.scratch.write("v.txt", "a 7 8\nbb 3 4\n");
    }
    SUBCASE("another time")
    {
        fixture.scratch.write("v.txt", "a 7 8\nb 3 4\nshort 1\nc 5 6\n");
        fs::last_write_time(fixture.file,
                            fs::last_write_time(fixture.file) + std::chrono::seconds(3));
    }
    SUBCASE("the same size and time")
    {
        const auto time = fs::last_write_time(fixture.file);
        fixture.scratch.write("v.txt", "a 7 8\nb 3 4\nshort 1\nc 5 6\n");
        fs::last_write_time(fixture.file, time);
    }
    SUBCASE("the same size and time, in another file of the name")
    {
        const auto time = fs::last_write_time(fixture.file);
        fs::rename(fixture.scratch.write("new.txt", "a 7 8\nb 3 4\nshort 1\nc 5 6\n"),
                   fixture.file);
        fs::last_write_time(fixture.file, time);
    }
    CHECK_FALSE(fixture.loads());
    CHECK(fixture.vector("a") == Values{7, 8});
    CHECK(fixture.loads());
}

TEST_CASE("files and formats have caches of their own")
{
    Fixture fixture;
    const fs::path other = fixture.scratch.write("sub/v.txt", "a 1\n");
    CHECK(cache_path(fixture.cache, other, Format::detect) != fixture.kept());
    CHECK(cache_path(fixture.cache, fixture.file, Format::glove) != fixture.kept());
    CHECK(cache_path(fixture.cache, fixture.scratch / "sub/../v.txt", Format::detect) ==
          fixture.kept());
}

TEST_CASE("a damaged cache file is made anew")
{
    Fixture fixture;
    fixture.open();
    std::string bytes = core::read_file(fixture.kept());
    SUBCASE("any byte changed")
    {
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
            std::ofstream(fixture.kept(), std::ios::binary) << damaged;
            INFO(at);
            CHECK_FALSE(fixture.loads());
        }
    }
    SUBCASE("cut anywhere")
    {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            std::ofstream(fixture.kept(), std::ios::binary) << bytes.substr(0, size);
            CHECK_FALSE(fixture.loads());
        }
    }
    SUBCASE("something else")
    {
        std::ofstream(fixture.kept()) << std::string(500, 'x');
        CHECK_FALSE(fixture.loads());
    }
    CHECK(fixture.vector("a") == Values{5, 6});
    CHECK(core::read_file(fixture.kept()) == bytes);
}

TEST_CASE("a cache folder that cannot be written is no failure")
{
    Fixture fixture;
    fixture.cache = fixture.scratch.write("in-the-way", "") / "cache";
    CHECK(fixture.vector("a") == Values{5, 6});
    REQUIRE_FALSE(fixture.host.messages(SENTEVAL_LOG_DEBUG).empty());
    CHECK(fixture.host.messages(SENTEVAL_LOG_DEBUG)[0].find("is not kept") != std::string::npos);
}

TEST_CASE("many may write the same cache at once")
{
    Fixture fixture;
    std::vector<std::jthread> writers;
    for (int i = 0; i < 4; ++i)
        writers.emplace_back([&] {
            const test::FakeCall call;
            const test::FakeHost host;
            for (int round = 0; round < 20; ++round) {
                fs::remove(fixture.kept());
                const WordVectors vectors(
                    {fixture.file, Format::detect, Malformed::skip, fixture.cache, fixture.settled},
                    host.sdk(), call.sdk());
                if (vectors.size() != 2)
                    std::abort();
            }
        });
    writers.clear();
    CHECK(fixture.vector("a") == Values{5, 6});
    CHECK(std::distance(fs::directory_iterator(fixture.cache), {}) == 1);
}
