// BOREP, the random LSTM and the echo state network, as encoders over a small file of vectors.
#include "random/borep.hpp"
#include "random/recurrent.hpp"

#include "plain_networks.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

namespace {

namespace random = senteval::random;
namespace test = senteval::test;
using Parameters = std::vector<test::Parameter>;
using test::Steps;
using test::Values;

constexpr std::size_t word_size = 6;
constexpr std::size_t words = 42;

/// w0, w1, ..., and two of other case.
std::string word(std::size_t number)
{
    return number == 40 ? "Berlin" : number == 41 ? "cat" : "w" + std::to_string(number);
}

/// A file of words with random vectors.
class Vectors {
public:
    Vectors()
    {
        random::RandomStream stream(1, 1);
        std::ostringstream text;
        text.precision(9);
        for (std::size_t i = 0; i < words; ++i) {
            text << word(i);
            Values& vector = values_.emplace_back();
            for (std::size_t k = 0; k < word_size; ++k) {
                vector.push_back(static_cast<float>(stream.normal()));
                text << ' ' << vector.back();
            }
            text << '\n';
        }
        file_ = scratch_.write("vectors.txt", text.str()).string();
    }

    [[nodiscard]] Steps of(const std::vector<std::size_t>& numbers) const
    {
        Steps steps;
        for (const std::size_t number : numbers)
            steps.push_back(values_[number]);
        return steps;
    }
    template <typename Encoder>
    [[nodiscard]] test::PluginHarness open(Parameters parameters) const
    {
        parameters.push_back({"vectors", file_});
        return test::PluginHarness::of<Encoder>(parameters);
    }

private:
    test::ScratchFolder scratch_;
    std::string file_;
    Steps values_;
};

/// 70 sentences of 0 to 45 words, a few of them unknown.
std::vector<std::string> many_sentences()
{
    random::RandomStream stream(2, 2);
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < 70; ++i) {
        std::string sentence;
        const std::size_t length = i % 9 == 8 ? 45 : stream.index(12);
        for (std::size_t t = 0; t < length; ++t)
            sentence += (t > 0 ? " " : "") + word(stream.index(words + 1));
        sentences.push_back(sentence);
    }
    return sentences;
}

void check_near(const std::vector<float>& got, const Values& expected)
{
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k)
        CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-5));
}

Values mean_of(const Steps& steps)
{
    Values mean(steps.front().size());
    for (const Values& step : steps)
        for (std::size_t k = 0; k < mean.size(); ++k)
            mean[k] += step[k] / static_cast<double>(steps.size());
    return mean;
}

Steps reversed(const Steps& steps)
{
    return {steps.rbegin(), steps.rend()};
}

Values joined(Values a, const Values& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

void check_batch_invariance(test::PluginHarness encoder)
{
    const auto sentences = many_sentences();
    const test::Rows together = encoder.encode(sentences);
    encoder.prepare(sentences);
    CHECK(encoder.encode(sentences) == together);

    for (std::size_t i = 0; i < sentences.size(); ++i) {
        CAPTURE(i);
        CHECK(encoder.encode(sentences[i]) == together[i]); // bit for bit, alone
    }
    const std::vector<std::string> backwards(sentences.rbegin(), sentences.rend());
    CHECK(encoder.encode(backwards) == test::Rows(together.rbegin(), together.rend()));

    test::Rows threaded[2];
    {
        std::vector<std::jthread> threads;
        for (test::Rows& rows : threaded)
            threads.emplace_back([&] { rows = encoder.encode(sentences); });
    }
    CHECK(threaded[0] == together);
    CHECK(threaded[1] == together);
    CHECK(encoder.encode(std::vector<std::string>{}).empty());

    encoder.cancel();
    CHECK_ERROR(test::PluginFailure, "cancelled", encoder.encode(sentences));
}

} // namespace

TEST_CASE("BOREP is a random projection of the pooled word vectors")
{
    const Vectors vectors;
    random::RandomStream stream(3, 0);
    const arma::fmat weights =
        random::draw_matrix(20, word_size, random::Initialisation::standard, stream);
    const auto encode = [&](const char* pooling, const char* activation) {
        const auto encoder = vectors.open<random::Borep>(
            {{"dimension", 20}, {"seed", 3}, {"pooling", pooling}, {"activation", activation}});
        REQUIRE(encoder.dimension() == 20);
        return encoder.encode("w4 w1 w4");
    };

    const Values mean = test::plain_product(weights, mean_of(vectors.of({4, 1, 4})), {});
    const Values first = test::plain_product(weights, vectors.of({4})[0], {});
    const Values second = test::plain_product(weights, vectors.of({1})[0], {});
    Values sum(20);
    Values relu(20);
    Values largest(20);
    Values smallest(20);
    for (std::size_t k = 0; k < 20; ++k) {
        sum[k] = 3 * mean[k];
        relu[k] = std::max(mean[k], 0.0);
        largest[k] = std::max(first[k], second[k]);
        smallest[k] = std::min(first[k], second[k]);
    }
    check_near(encode("mean", "none"), mean);
    check_near(encode("sum", "none"), sum);
    check_near(encode("mean", "relu"), relu);
    check_near(encode("max", "none"), largest);
    check_near(encode("min", "none"), smallest);
}

TEST_CASE("the random LSTM agrees with a plain one, in both directions")
{
    const Vectors vectors;
    const Steps sentence = vectors.of({7, 0, 12});
    const auto how = random::Initialisation::standard;
    const random::LstmCell forward(word_size, 8, how, 5, 0);
    const random::LstmCell backward(word_size, 8, how, 5, 1);

    const auto both = vectors.open<random::Lstm>({{"dimension", 16}, {"seed", 5}});
    CHECK(both.dimension() == 16);
    check_near(both.encode("w7 w0 w12"),
               joined(mean_of(test::plain_lstm(forward, sentence)),
                      mean_of(test::plain_lstm(backward, reversed(sentence)))));

    const auto one =
        vectors.open<random::Lstm>({{"dimension", 8}, {"seed", 5}, {"bidirectional", false}});
    CHECK(one.dimension() == 8);
    check_near(one.encode("w7 w0 w12"), mean_of(test::plain_lstm(forward, sentence)));
    // An empty sentence is one zero vector, and the biases make something of it.
    check_near(one.encode(""), test::plain_lstm(forward, {Values(word_size)})[0]);
}

TEST_CASE("the echo state network agrees with a plain one, in both directions")
{
    const Vectors vectors;
    const Steps sentence = vectors.of({7, 0, 12, 3});
    const random::Reservoir settings{
        .spectral_radius = 0.8, .sparsity = 0.25, .input_scale = 0.5, .leak = 0.1};
    const random::EsnCell forward(word_size, 12, settings, 6, 0);
    const random::EsnCell backward(word_size, 12, settings, 6, 1);

    const auto encoder = vectors.open<random::Esn>({
        {"dimension", 24},
        {"seed", 6},
        {"spectral_radius", 0.8},
        {"sparsity", 0.25},
        {"input_scale", 0.5},
        {"leak", 0.1},
    });
    check_near(encoder.encode("w7 w0 w12 w3"),
               joined(mean_of(test::plain_esn(forward.weights().matrix(), 0.1, false, sentence)),
                      mean_of(test::plain_esn(backward.weights().matrix(), 0.1, false,
                                              reversed(sentence)))));
    CHECK(encoder.encode("") == std::vector<float>(24, 0.0F));
}

TEST_CASE("a sentence has the same bits in every batch")
{
    const Vectors vectors;
    for (const char* pooling : {"mean", "max"}) {
        CAPTURE(pooling);
        check_batch_invariance(
            vectors.open<random::Borep>({{"dimension", 333}, {"pooling", pooling}}));
        check_batch_invariance(
            vectors.open<random::Lstm>({{"dimension", 90}, {"pooling", pooling}}));
        check_batch_invariance(
            vectors.open<random::Esn>({{"dimension", 90}, {"pooling", pooling}, {"leak", 0.2}}));
    }
}

TEST_CASE("words without a vector are zero, left out, or random")
{
    const Vectors vectors;
    const auto encode = [&](const char* unknown, const std::string& sentence) {
        return vectors.open<random::Borep>({{"dimension", 30}, {"unknown", unknown}})
            .encode(sentence);
    };
    CHECK(encode("skip", "w1 xyzzy") == encode("skip", "w1"));
    CHECK(encode("skip", "xyzzy") == std::vector<float>(30, 0.0F));
    const auto half = encode("zero", "w1 xyzzy");
    const auto whole = encode("zero", "w1");
    for (std::size_t k = 0; k < half.size(); ++k)
        CHECK(half[k] == doctest::Approx(whole[k] / 2).epsilon(1e-6));

    const auto drawn = encode("normal", "xyzzy");
    CHECK(drawn != std::vector<float>(30, 0.0F));
    CHECK(drawn == encode("normal", "xyzzy"));
    CHECK(drawn != encode("normal", "plugh"));
    using Count = std::pair<std::uint32_t, std::uint32_t>;
    auto esn = vectors.open<random::Esn>({{"dimension", 4}});
    esn.prepare({"w1 xyzzy"});
    CHECK(esn.count_known({"w1 xyzzy"}) == std::vector{Count(2, 1)});
}

TEST_CASE("words are looked up as written, capitalised, and in lower case")
{
    const Vectors vectors;
    const auto encode = [&](const char* policy, const std::string& sentence) {
        return vectors.open<random::Borep>({{"dimension", 8}, {"case", policy}}).encode(sentence);
    };
    CHECK(encode("fallback", "BERLIN") == encode("exact", "Berlin"));
    CHECK(encode("fallback", "CAT") == encode("exact", "cat"));
    CHECK(encode("exact", "CAT") == std::vector<float>(8, 0.0F));
    // Two spellings of one entry both get its vector.
    CHECK(encode("fallback", "CAT Cat") == encode("fallback", "cat"));
}

TEST_CASE("the seed chooses the weights and every initialisation is another")
{
    const Vectors vectors;
    const auto encode = [&](const char* how, int seed) {
        return vectors
            .open<random::Lstm>({{"dimension", 10}, {"initialisation", how}, {"seed", seed}})
            .encode("w1 w2");
    };
    test::Rows seen;
    for (const char* how :
         {"standard", "orthogonal", "sparse", "normal", "uniform", "kaiming", "xavier"}) {
        CAPTURE(how);
        const auto vector = encode(how, 1);
        CHECK(vector == encode(how, 1));
        CHECK(vector != encode(how, 2));
        CHECK(std::ranges::find(seen, vector) == seen.end());
        seen.push_back(vector);
    }
}

TEST_CASE("parameters of the random encoders out of range are refused by name")
{
    const Vectors vectors;
    using Failure = test::PluginFailure;
    CHECK_ERROR(Failure, "'dimension' must be 1 to 65536, not 0",
                vectors.open<random::Borep>({{"dimension", 0}}));
    CHECK_ERROR(Failure, "not 7", vectors.open<random::Lstm>({{"dimension", 7}}));
    CHECK_ERROR(Failure, "'seed' must be 0 or above, not -1",
                vectors.open<random::Borep>({{"seed", -1}}));
    CHECK_ERROR(Failure, "'sparsity' must be 0 to 0.99, not 1.5",
                vectors.open<random::Esn>({{"dimension", 8}, {"sparsity", 1.5}}));
    CHECK_ERROR(Failure, "'pooling' is 'median'; it must be one of: mean, max, min, sum",
                vectors.open<random::Borep>({{"pooling", "median"}}));
    CHECK_THROWS_AS(test::PluginHarness::of<random::Esn>({{"vectors", "/nonexistent/vectors.txt"}}),
                    test::PluginFailure);
}
