#include "bm25/bm25_encoder.hpp"

#include "base/json.hpp"
#include "bm25/stemmers.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using test::PluginHarness;
using test::Rows;

namespace {

constexpr float not_found = SENTEVAL_NOT_FOUND_BY_QUERY;

using Parameters = std::vector<test::Parameter>;
using Texts = std::vector<std::string>;

/// Lengths 2, 3, 0 and 1: 1.5 on average. "red" is in two of the four.
const Texts fruit = {"red apple", "red Red pear", "", "green"};

PluginHarness open(const Texts& documents, const Parameters& parameters = {})
{
    auto harness = PluginHarness::of<bm25::Bm25Encoder>(parameters);
    harness.prepare(documents);
    return harness;
}

Parameters formula(const std::string& name, Parameters more = {})
{
    more.push_back({"formula", name});
    more.push_back({"tokens", "words"});
    return more;
}

void check_scores(const std::vector<float>& found, const std::vector<double>& expected)
{
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-7));
    }
}

/// With these parameters it is refused, as a value that the user can mend; the reason names all of these.
void check_refused(const Parameters& parameters, std::initializer_list<std::string_view> named)
{
    const auto create = [&] { return PluginHarness::of<bm25::Bm25Encoder>(parameters); };
    CHECK(test::contains(test::error_of<test::PluginFailure>(create), named));
    CHECK(test::status_of(create) == SENTEVAL_INVALID_ARGUMENT);
}

} // namespace

TEST_CASE("each formula, computed by hand")
{
    // "red": tf 1 with norm 0.25 + 0.75 x 2 / 1.5 = 1.25, and tf 2 with norm 1.75; 1.5 x norm = 1.875 and 2.625.
    constexpr double none = not_found;
    const double ln2 = std::log(2.0);
    const auto score = [](const std::string& name, const std::string& query) {
        return open(fruit, formula(name)).encode(query);
    };
    check_scores(score("lucene", "red"), {ln2 / 2.875, ln2 * 2 / 4.625, none, none});
    check_scores(score("robertson", "red"), {0, 0, none, none}); // idf 0, yet they are found
    check_scores(score("atire", "red"), {ln2 * 2.5 / 2.875, ln2 * 5 / 4.625, none, none});
    const double ln_plus = std::log(5 / 2.0);
    check_scores(score("bm25plus_paper", "red"),
                 {ln_plus * (2.5 / 2.875 + 1), ln_plus * (5 / 4.625 + 1), none, none});
    const double raised = 1 / 1.25 + 0.5;
    const double raised_2 = 2 / 1.75 + 0.5;
    check_scores(
        score("bm25l_paper", "red"),
        {ln2 * 2.5 * raised / (1.5 + raised), ln2 * 2.5 * raised_2 / (1.5 + raised_2), none, none});
    // The packages' give a document that lacks a word what tf 0 makes of it; the papers do not.
    const double pear = std::log(5 / 1.0);
    const auto plus = score("bm25plus", "red pear");
    CHECK(plus[0] == doctest::Approx(ln_plus * (2.5 / 2.875 + 1) + pear).epsilon(1e-6));
    CHECK(plus[2] == not_found);
    const auto l = score("bm25l", "red pear");
    const double away = std::log(5 / 1.5) * 2.5 * 0.5 / 2;
    CHECK(l[0] == doctest::Approx(ln2 * 2.5 * raised / (1.5 + raised) + away).epsilon(1e-6));
    // okapi: "red" in three of four has an idf below 0, which becomes a quarter of the mean of all three.
    const auto okapi = open({"red", "red", "red blue", "green"}, formula("okapi")).encode("red");
    const double rare = std::log(3.5) - std::log(1.5);
    const double mean = (2 * rare + std::log(1.5) - std::log(3.5)) / 3;
    CHECK(okapi[0] ==
          doctest::Approx(0.25 * mean * 2.5 / (1 + 1.5 * (0.25 + 0.75 / 1.25))).epsilon(1e-6));
    CHECK(okapi[3] == not_found);
}

TEST_CASE("k1, b and delta")
{
    const double ln2 = std::log(2.0);
    const auto first = [](const std::string& name, const Parameters& more) {
        return open(fruit, formula(name, more)).encode("red").front();
    };
    CHECK(first("lucene", {{"k1", 0.0}}) == static_cast<float>(ln2));
    CHECK(first("lucene", {{"b", 0.0}}) == static_cast<float>(ln2 / 2.5));
    CHECK(first("lucene", {{"k1", 0.9}, {"b", 1.0}}) ==
          static_cast<float>(ln2 / (0.9 * 2 / 1.5 + 1)));
    CHECK(first("bm25plus", {{"delta", 0.0}}) == static_cast<float>(std::log(2.5) * 2.5 / 2.875));
    CHECK(std::isfinite(first("bm25l", {{"delta", 0.0}, {"k1", 0.0}})));
    CHECK(first("bm25l", {{"delta", 0.5}}) == first("bm25l", {}));
    CHECK(first("bm25plus", {{"delta", 1.0}}) == first("bm25plus", {}));
    CHECK(first("lucene", {{"delta", -1.0}}) == first("lucene", {}));
}

TEST_CASE("a query's words count as often as they stand there, unknown ones nothing")
{
    const PluginHarness words = open(fruit, formula("lucene"));
    const float once = words.encode("pear")[1];
    CHECK(words.encode("pear Pear")[1] == 2 * once);
    CHECK(words.encode("pear plum")[1] == once);
    const std::vector<float> nothing(4, not_found);
    CHECK(words.encode("") == nothing);
    CHECK(words.encode("plum") == nothing);
    CHECK(words.encode("a") == nothing);
    CHECK(words.encode(Texts{}).empty());
    const Rows rows = words.encode({"red", "", "pear"}); // each as it is alone
    CHECK(rows[0] == words.encode("red"));
    CHECK(rows[1] == nothing);
    CHECK(rows[2] == words.encode("pear"));
}

TEST_CASE("an empty document counts in the number of documents and in the mean length")
{
    const Texts two = {"red apple", "blue"};
    const float score = open(two, formula("lucene")).encode("apple")[0];
    const float beside_empty =
        open({"red apple", "blue", ""}, formula("lucene")).encode("apple")[0];
    CHECK(score == static_cast<float>(std::log(2.0) / (1 + 1.5 * (0.25 + 0.75 * 2 / 1.5))));
    CHECK(beside_empty ==
          static_cast<float>(std::log(1 + 2.5 / 1.5) / (1 + 1.5 * (0.25 + 0.75 * 2))));
    CHECK(open({"", ""}).encode("red") == std::vector<float>(2, not_found));
}

TEST_CASE("stop words are dropped before words are stemmed, and count in no length")
{
    const PluginHarness stems = open({"The runner was running", "with them", "thes"});
    CHECK(stems.encode("the").size() == 3);
    CHECK(stems.encode("the was with") == std::vector<float>(3, not_found));
    CHECK(stems.encode("thes")[2] > 0);
    CHECK(stems.encode("runs")[0] > 0);
    CHECK(stems.encode("runs") == open({"runner running", "them", "thes"}).encode("runs"));
    const PluginHarness words =
        open({"The runner was running", "with them"}, {{"tokens", "words"}});
    CHECK(words.encode("runs") == std::vector<float>(2, not_found));
    CHECK(words.encode("the")[0] > 0);
    const Parameters old = {{"stemmer", "2.2"}};
    CHECK(open({"university", "red"}).encode("universe")[0] == not_found);
    CHECK(open({"university", "red"}, old).encode("universe")[0] > 0);
}

TEST_CASE("the dimension is the number of documents, and prepare() replaces them")
{
    PluginHarness harness = PluginHarness::of<bm25::Bm25Encoder>({});
    CHECK(test::status_of([&] { return harness.dimension(); }) == SENTEVAL_UNSUPPORTED);
    harness.prepare(fruit);
    CHECK(harness.dimension() == 4);
    harness.prepare({"plum", "green plum"});
    CHECK(harness.dimension() == 2);
    CHECK(harness.encode("red") == std::vector<float>(2, not_found));
    CHECK(harness.encode("green")[1] > 0);
    harness.prepare({});
    CHECK(test::status_of([&] { return harness.dimension(); }) == SENTEVAL_UNSUPPORTED);
    harness.prepare(fruit);
    harness.cancel();
    CHECK(test::status_of([&] { return harness.encode("red"); }) == SENTEVAL_CANCELLED);
    const auto& table = sdk::detail::Binding<bm25::Bm25Encoder>::table;
    CHECK(table.get_extension(&table, SENTEVAL_RANKER_EXTENSION) != nullptr);
    CHECK(table.get_extension(&table, SENTEVAL_RERANKER_EXTENSION) == nullptr);
}

TEST_CASE("what cannot be meant is refused by name")
{
    check_refused({{"formula", "bm26"}}, {"formula", "bm26", "lucene", "bm25plus_paper"});
    check_refused({{"k1", -0.1}}, {"k1", "-0.1"});
    check_refused({{"k1", std::nan("")}}, {"k1"});
    check_refused({{"k1", 1e9}}, {"k1", "1000"});
    check_refused({{"b", 1.01}}, {"'b'", "1.01"});
    check_refused({{"b", -0.5}}, {"'b'"});
    check_refused({{"formula", "bm25l"}, {"delta", -0.5}}, {"delta", "-0.5"});
    check_refused({{"delta", 0.5}}, {"delta", "bm25l", "bm25plus"});
    check_refused({{"tokens", "letters"}}, {"tokens", "letters"});
    check_refused({{"stemmer", "porter"}}, {"stemmer", "porter", "2.2"});
    check_refused({{"language", ""}}, {"language"});
}

TEST_CASE("stems of other languages are libstemmer's, and its version is stated")
{
    const auto create = [](const Parameters& parameters) {
        return PluginHarness::of<bm25::Bm25Encoder>(parameters);
    };
    if (test::status_of([&] { return create({{"language", "de"}}); }) == SENTEVAL_UNSUPPORTED) {
        std::cout << "skipped: built without libstemmer\n";
        return;
    }
    check_refused({{"language", "klingon"}}, {"language", "klingon", "german"});
    check_refused({{"language", "de"}, {"stemmer", "2.2"}}, {"stemmer", "'de'"});
    const PluginHarness german = open({"Die H\u00e4user", "ein Garten"}, {{"language", "de"}});
    CHECK(german.encode("Haus")[0] > 0);
    CHECK(german.encode("h\u00e4usern")[0] > 0);
    CHECK(german.encode("die")[0] > 0);       // no list of stop words
    CHECK(german.host().warnings("en") == 1); // the task that it is shown is in English
    CHECK(open(fruit).host().warnings("") == 0);
    CHECK(open({"universes"}, {{"language", "english"}}).encode("university")[0] == not_found);

    const auto stated = [](const Parameters& parameters) {
        const test::FakeHost host;
        const test::FakeCall call;
        std::vector<senteval_param> params;
        for (const test::Parameter& one : parameters) {
            const auto& text = std::get<std::string>(one.value);
            params.push_back({sdk::to_c(one.key), {SENTEVAL_TYPE_STRING, 0, {}}});
            params.back().value.as.string = sdk::to_c(text);
        }
        sdk::Call made(call.c());
        const bm25::Bm25Encoder encoder(
            sdk::Setup{host.sdk(), sdk::Params(params.data(), params.size()), made});
        return base::parse_json(encoder.identity());
    };
    CHECK(stated({}) == base::Json::object());
    CHECK(stated({{"language", "de"}}).at("stems") ==
          bm25::fingerprint_of(bm25::open_stemmer("german")));
    CHECK(stated({{"language", "de"}}) != stated({{"language", "fr"}}));
    CHECK(stated({{"language", "de"}, {"tokens", "words"}}) == base::Json::object());
}
