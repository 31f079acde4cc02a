#include "base/error.hpp"
#include "base/files.hpp"
#include "encoder/cache.hpp"
#include "support/support.hpp"

#include <sys/wait.h>
#include <unistd.h>

using namespace senteval;
using encoder::CacheEntry;
using encoder::EmbeddingCache;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t large = 1U << 30U;
constexpr std::size_t dimension = 2;
using Vector = std::array<float, dimension>;

/// Adds the sentences, the vector of each being {number, number}.
void add(const EmbeddingCache& cache,
         const std::string& key,
         const std::vector<std::string>& sentences,
         float number)
{
    const Vector vector{number, number};
    std::vector<CacheEntry> entries;
    for (const std::string& sentence : sentences)
        entries.push_back({{sentence}, vector.data()});
    cache.add(key, dimension, entries);
}

/// The number of a sentence; -1 where it is not in the cache.
float number_of(const EmbeddingCache& cache, const std::string& key, const std::string& sentence)
{
    Vector out{-1, -1};
    const bool found = cache.open(key, dimension).find({sentence}, out);
    CHECK(found == (out[0] != -1));
    CHECK(out[0] == out[1]);
    return out[0];
}

std::vector<fs::path> files_below(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.push_back(entry.path());
    return files;
}

} // namespace

TEST_CASE("the cache finds what was added, from all files of a key and of that key only")
{
    const test::ScratchFolder folder;
    const EmbeddingCache cache(folder / "deep/cache", large);
    CHECK(number_of(cache, "key", "a") == -1);
    add(cache, "key", {"a", "b", "", "c"}, 1);
    add(cache, "key", {"d"}, 2);
    for (const char* sentence : {"a", "b", "", "c"})
        CHECK(number_of(cache, "key", sentence) == 1);
    CHECK(number_of(cache, "key", "d") == 2);
    CHECK(number_of(cache, "key", "e") == -1);
    CHECK(number_of(cache, "other", "a") == -1);
}

TEST_CASE("vectors of another dimension are not found")
{
    const test::ScratchFolder folder;
    const EmbeddingCache cache(folder.path(), large);
    add(cache, "key", {"a"}, 1);
    std::array<float, 3> out{};
    CHECK(!cache.open("key", 3).find({"a"}, out));
}

TEST_CASE("a cache file that is cut short, changed or empty is ignored")
{
    const test::ScratchFolder folder;
    const EmbeddingCache cache(folder.path(), large);
    add(cache, "key", {"a", "b"}, 1);
    const fs::path file = files_below(folder.path()).at(0);
    const std::string intact = base::read_file(file);
    for (std::size_t size = 0; size < intact.size(); ++size) {
        base::write_file_atomically(file, intact.substr(0, size));
        CHECK(number_of(cache, "key", "a") == -1);
    }
    for (std::size_t at = 0; at < intact.size(); ++at) {
        std::string changed = intact;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        base::write_file_atomically(file, changed);
        CHECK(number_of(cache, "key", "a") == -1);
    }
    base::write_file_atomically(file, intact + "x");
    CHECK(number_of(cache, "key", "a") == -1);
    base::write_file_atomically(file, intact);
    CHECK(number_of(cache, "key", "a") == 1);
}

TEST_CASE("the cache stays below its size: what was not used for longest goes first")
{
    const test::ScratchFolder folder;
    const EmbeddingCache generous(folder.path(), large);
    const auto hour = std::chrono::hours(1);
    float number = 0;
    for (const char* key : {"old", "used", "new"}) {
        add(generous, key, {"a"}, ++number);
        for (const fs::path& file : files_below(folder / key))
            fs::last_write_time(file, fs::file_time_type::clock::now() - hour);
    }
    CHECK(number_of(generous, "used", "a") == 2); // which makes it the youngest of the three
    for (const fs::path& file : files_below(folder / "old"))
        fs::last_write_time(file, fs::file_time_type::clock::now() - 2 * hour);

    const std::uint64_t one = fs::file_size(files_below(folder.path()).at(0));
    add(EmbeddingCache(folder.path(), 3 * one), "newest", {"a"}, 4);
    CHECK(number_of(generous, "old", "a") == -1);
    CHECK(number_of(generous, "new", "a") == 3);
    add(EmbeddingCache(folder.path(), 0), "none", {"a"}, 5);
    CHECK(files_below(folder.path()).empty());
}

TEST_CASE("only files of the cache are ever removed")
{
    const test::ScratchFolder folder;
    folder.write("letter.txt", "dear reader");
    folder.write("draft.tmp", "dear reader");
    folder.write("key/.0123.vectors.98.0.tmp", "what another process is writing");
    const fs::path left = folder.write("key/.0123.vectors.99.0.tmp", "what a killed one left");
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
    add(EmbeddingCache(folder.path(), 0), "key", {"a"}, 1);
    CHECK(files_below(folder.path()).size() == 3);
    CHECK(!fs::exists(left));
}

TEST_CASE("several processes may write to one cache and make room in it")
{
    const test::ScratchFolder folder;
    constexpr std::uint64_t room = 2000;
    constexpr int processes = 4;
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const EmbeddingCache cache(folder.path(), room);
            for (int i = 0; i < 50; ++i) {
                const auto number = static_cast<float>(i);
                const Vector vector{number, number};
                const std::string sentence = std::to_string(p * 100 + i);
                const CacheEntry entry{{sentence}, vector.data()};
                cache.add("key", dimension, {&entry, 1});
                Vector out{};
                if (cache.open("key", dimension).find({sentence}, out) && out != vector)
                    _exit(1);
            }
            _exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    std::uint64_t total = 0;
    for (const fs::path& file : files_below(folder.path())) {
        CHECK(file.extension() == ".vectors");
        total += fs::file_size(file);
    }
    CHECK(total <= room);
}

TEST_CASE("one text has a vector of its own in each role, and where it is verbatim")
{
    const test::ScratchFolder folder;
    const EmbeddingCache cache(folder.path(), large);
    const std::vector<text::Sentence> all = {{"a", 1},
                                             {"a", 1, text::Role::query},
                                             {"a", 1, text::Role::document},
                                             {"a", 1, text::Role::none, true}};
    std::vector<Vector> vectors;
    std::vector<CacheEntry> entries;
    for (const text::Sentence& sentence : all) {
        const auto number = static_cast<float>(vectors.size());
        vectors.push_back({number, number});
        entries.push_back({sentence, nullptr});
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        entries[i].vector = vectors[i].data();
    cache.add("key", dimension, entries);
    for (std::size_t i = 0; i < all.size(); ++i) {
        Vector out{};
        CHECK(cache.open("key", dimension).find(all[i], out));
        CHECK(out == vectors[i]);
    }
    Vector out{};
    CHECK(!cache.open("key", dimension).find({"a", 1, text::Role::query, true}, out));
}

TEST_CASE("a cache that cannot be written is named")
{
    const test::ScratchFolder folder;
    const EmbeddingCache cache(folder.write("file", "x"), large);
    CHECK_ERROR(base::Error, "file/key", add(cache, "key", {"a"}, 1));
}
