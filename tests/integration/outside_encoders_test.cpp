// The outside projects of samples/ build against the installed SDK and run.
#include "base/files.hpp"
#include "support/loaded_plugin.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <regex>

namespace {

namespace fs = std::filesystem;
namespace test = senteval::test;

/// Installs the SDK, builds samples/`project` against it and returns the library.
fs::path build_outside(const test::ScratchFolder& scratch,
                       const std::string& project,
                       const std::string& library)
{
    const std::string prefix = test::quoted(scratch / "prefix");
    const std::string build = test::quoted(scratch / project);
    test::shell(0, "set -e\n"
                   "cmake --install " +
                       test::quoted(test::binary_dir() / "sdk") + " --prefix " + prefix +
                       "\n"
                       "cmake -S " +
                       test::quoted(test::source_dir() / "samples" / project) + " -B " + build +
                       " -DCMAKE_PREFIX_PATH=" + prefix +
                       "\n"
                       "cmake --build " +
                       build);
    return scratch / project / library;
}

double dot(const std::vector<float>& a, const std::vector<float>& b)
{
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += double(a[k]) * double(b[k]);
    return sum;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b)
{
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
}

const std::vector<std::string> sentences = {"the old cat sleeps", "the old cats sleep",
                                            "prices rose by two per cent", "", "a"};

} // namespace

TEST_CASE("no panic of the sample in Rust leaves its library")
{
    if (test::shell("rustc --version").exit_code != 0) {
        std::cout << "skipped: there is no rustc\n";
        return;
    }
    const test::ScratchFolder scratch;
    const fs::path sample = test::source_dir() / "samples/encoder_rust";
    fs::copy(sample, scratch / "rust");
    // One that panics at a word. The sample itself has nothing to panic about.
    const std::string begin = "        row.fill(0.0);";
    const std::string code = test::shell("cat " + test::quoted(sample / "encoder.rs")).out;
    const std::size_t at = code.find(begin);
    REQUIRE(at != std::string::npos);
    scratch.write("rust/encoder.rs",
                  code.substr(0, at) +
                      "        assert!(!sentence.starts_with(b\"zebra\"), \"no zebras\");\n" +
                      code.substr(at));
    const fs::path library = scratch / "hashed_words.so";
    test::shell(0, "rustc --edition 2021 --crate-type cdylib -o " + test::quoted(library) + " " +
                       test::quoted(scratch / "rust/encoder.rs"));
    const test::LoadedPlugin plugin(library);
    const test::PluginHarness encoder(plugin.encoder("org.example.hashed-words"),
                                      {{"dimension", 8}});
    CHECK_ERROR(test::PluginFailure, "it panicked: no zebras", encoder.encode("zebra"));
    CHECK(dot(encoder.encode("cat"), encoder.encode("cat")) == 1); // and it goes on
}

TEST_CASE("the outside encoder in C builds and runs")
{
    const test::ScratchFolder scratch;
    const test::LoadedPlugin plugin(build_outside(scratch, "encoder_c", "char_ngrams.so"));
    const senteval_encoder& ngrams = plugin.encoder("org.example.char-ngrams");

    const test::PluginHarness encoder(ngrams, {});
    CHECK(encoder.dimension() == 512);
    const test::Rows rows = encoder.encode(sentences);
    CHECK(dot(rows[0], rows[0]) == doctest::Approx(1.0));
    CHECK(cosine(rows[0], rows[1]) > 0.5);
    CHECK(std::abs(cosine(rows[0], rows[2])) < 0.3);
    CHECK(dot(rows[3], rows[3]) == 0);

    // "abab" has the bigrams ab, ba, ab: two of one sort, one of the other.
    const test::PluginHarness counting(
        ngrams, {{"dimension", 4096}, {"min_n", 2}, {"max_n", 2}, {"normalise", false}});
    CHECK(dot(counting.encode("abab"), counting.encode("abab")) == 5);

    CHECK_ERROR(test::PluginFailure, "'dimension' must be 1 to 1048576, not 0",
                test::PluginHarness(ngrams, {{"dimension", 0}}));
    CHECK_THROWS_AS(test::PluginHarness(ngrams, {{"min_n", 4}, {"max_n", 3}}), test::PluginFailure);

    test::PluginHarness cancelled(ngrams, {});
    cancelled.cancel();
    CHECK_ERROR(test::PluginFailure, "cancelled", cancelled.encode(sentences));
}

TEST_CASE("the outside encoder in C++ builds and runs")
{
    const test::ScratchFolder scratch;
    const test::LoadedPlugin plugin(build_outside(scratch, "encoder_cpp", "random_words.so"));
    const senteval_encoder& words = plugin.encoder("org.example.random-words");

    const test::PluginHarness plain(words, {{"idf", false}, {"dimension", 1000}});
    const test::Rows rows = plain.encode(sentences);
    CHECK(rows[0].size() == 1000);
    CHECK(cosine(rows[0], rows[1]) > 0.35); // two of four words are the same
    CHECK(cosine(rows[0], rows[1]) < 0.65);
    CHECK(std::abs(cosine(rows[0], rows[2])) < 0.2);
    CHECK(dot(rows[3], rows[3]) == 0);
    CHECK(dot(rows[4], rows[4]) == 1000); // one word: signs

    // Words that all sentences share weigh less than rare ones.
    test::PluginHarness weighted(words, {{"dimension", 1000}});
    weighted.prepare({"the cat", "the dog", "the cow", "the sow"});
    const test::Rows rare = weighted.encode({"the cat", "cat", "the"});
    CHECK(cosine(rare[0], rare[1]) > 0.9);
    CHECK(cosine(rare[0], rare[2]) < 0.4);
    using Count = std::pair<std::uint32_t, std::uint32_t>;
    CHECK(weighted.count_known({"the  bird sang", ""}) == std::vector{Count(3, 1), Count(0, 0)});

    const test::PluginHarness other_seed(words, {{"idf", false}, {"dimension", 1000}, {"seed", 2}});
    CHECK(std::abs(cosine(other_seed.encode("a"), rows[4])) < 0.2);
    CHECK_THROWS_AS(test::PluginHarness(words, {{"dimension", -3}}), test::PluginFailure);
}

TEST_CASE("a project that asks for another major version of the SDK is refused")
{
    const test::ScratchFolder scratch;
    scratch.write("project/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                                            "project(other LANGUAGES C)\n"
                                            "find_package(SentEvalSDK 2.0 REQUIRED)\n");
    const std::string prefix = test::quoted(scratch / "prefix");
    const test::Run run =
        test::shell("cmake --install " + test::quoted(test::binary_dir() / "sdk") + " --prefix " +
                    prefix + " && cmake -S " + test::quoted(scratch / "project") + " -B " +
                    test::quoted(scratch / "build") + " -DCMAKE_PREFIX_PATH=" + prefix);
    CHECK(run.exit_code != 0);
    CHECK(test::contains(run.err, "compatible with requested version \"2.0\""));
}

TEST_CASE(
    "the installed program has all that it needs, wherever it is moved and however it is called")
{
    const test::ScratchFolder scratch;
    test::shell(0, "cmake --install " + test::quoted(test::binary_dir()) + " --prefix " +
                       test::quoted(scratch / "first") + " && mv " +
                       test::quoted(scratch / "first") + " " + test::quoted(scratch / "moved") +
                       " && ln -s moved/bin/senteval " + test::quoted(scratch / "link"));
    const auto moved = scratch / "moved";
    for (const char* file :
         {"share/doc/senteval/README.md", "share/doc/senteval/LICENSE",
          "share/senteval/result.schema.json", "share/senteval/samples/encoder_cpp/CMakeLists.txt",
          "share/senteval/data/samples/vectors/sample.50d.txt"})
        CHECK(fs::is_regular_file(moved / file));
    const auto page = moved / "share/doc/senteval/README.md";
    const std::string text = senteval::base::read_file(page);
    const std::regex link("\\]\\(([^)#:]+)[)#]"); // to a file
    std::size_t links = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++links) {
        CAPTURE((*at)[1].str());
        CHECK(fs::exists(page.parent_path() / (*at)[1].str()));
    }
    CHECK(links > 10);
    for (const char* program : {"moved/bin/senteval", "link"}) {
        const test::Run run = test::shell(
            0, "cd / && env -u SENTEVAL_PLUGIN_PATH " + test::quoted(scratch / program) +
                   " run -q " + test::quoted(moved / "share/senteval/samples/compare.toml") +
                   " --tasks STS12 --output " + test::quoted(scratch / "results"));
        CHECK(test::contains(run.out, "fastText skipgram"));
    }
}
