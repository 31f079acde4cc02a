#include "core/fingerprint_cache.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/fingerprint.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

using namespace senteval;

namespace fs = std::filesystem;

namespace {

/// A file large enough for its fingerprint to be kept, and a cache.
struct Fingerprinted {
    test::ScratchFolder scratch;
    fs::path file = scratch.write("large", content('a'));
    fs::path folder = scratch / "cache/fingerprints";

    static std::string content(char letter)
    {
        return std::string(core::FingerprintCache::least_bytes, letter);
    }
    [[nodiscard]] std::string print(std::chrono::nanoseconds settled = {}) const
    {
        return core::FingerprintCache(folder, settled).of(file);
    }
    /// The one file of the cache.
    [[nodiscard]] fs::path kept() const { return fs::directory_iterator(folder)->path(); }
};

} // namespace

TEST_CASE("the fingerprint of a large file is kept, and used while the file does not change")
{
    const Fingerprinted large;
    CHECK(large.print() == core::fingerprint(Fingerprinted::content('a')));
    CHECK(std::distance(fs::directory_iterator(large.folder), {}) == 1);
    const std::string line = core::read_file(large.kept());
    CHECK(line.starts_with(large.print() + " "));

    // An entry that is intact is believed: the file is not read.
    const std::string invented(32, '0');
    const std::string body = invented + line.substr(32, line.rfind(' ') - 32);
    core::write_file_atomically(large.kept(), body + " " + core::fingerprint(body) + "\n");
    CHECK(large.print() == invented);
    // Others are not.
    for (const std::string& damaged : {std::string(), invented, body, line + "x"}) {
        core::write_file_atomically(large.kept(), damaged);
        CHECK(large.print() == core::fingerprint(Fingerprinted::content('a')));
        CHECK(core::read_file(large.kept()) == line);
    }
}

TEST_CASE("a kept fingerprint is never that of another content")
{
    const Fingerprinted large;
    CHECK(large.print() == core::fingerprint(Fingerprinted::content('a')));
    const auto time = fs::last_write_time(large.file);
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the clock of files goes on
    SUBCASE("written again, size and time as before")
    {
        large.scratch.write("large", Fingerprinted::content('b'));
    }
    SUBCASE("another file in its place, size and time as before")
    {
        fs::rename(large.scratch.write("new", Fingerprinted::content('b')), large.file);
    }
    SUBCASE("another size")
    {
        large.scratch.write("large", Fingerprinted::content('b') + "b");
    }
    fs::last_write_time(large.file, time);
    CHECK(large.print() == core::fingerprint(core::read_file(large.file)));
    CHECK(large.print() != core::fingerprint(Fingerprinted::content('a')));
}

TEST_CASE("no fingerprint is kept of a small file, nor of one that has only just changed")
{
    const Fingerprinted large;
    const core::FingerprintCache cache(large.folder, {});
    CHECK(cache.of(large.scratch.write("small", "abc")) == core::fingerprint("abc"));
    CHECK(large.print(std::chrono::hours(1)) == core::fingerprint(Fingerprinted::content('a')));
    CHECK_FALSE(fs::exists(large.folder));
}

TEST_CASE("a cache of fingerprints that cannot be written is no failure")
{
    Fingerprinted large;
    const std::string wanted = core::fingerprint(Fingerprinted::content('a'));
    large.folder = large.scratch.write("in-the-way", "") / "fingerprints";
    CHECK(large.print() == wanted);
    large.folder.clear();
    CHECK(large.print() == wanted);
    CHECK_THROWS_WITH_AS((void)core::FingerprintCache(large.folder).of(large.scratch / "none"),
                         doctest::Contains("none"), core::Error);
}
