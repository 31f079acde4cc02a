#include "random/recurrent.hpp"

#include "plain_networks.hpp"
#include "support/support.hpp"

namespace {

namespace random = senteval::random;
namespace test = senteval::test;

constexpr std::size_t inputs = 5;
constexpr std::size_t units = 7;

test::Steps some_sentence()
{
    random::RandomStream stream(9, 0);
    test::Steps sentence(3, test::Values(inputs));
    for (test::Values& vector : sentence)
        for (double& value : vector)
            value = static_cast<float>(stream.normal());
    return sentence;
}

/// Runs the cell over a sentence and compares its states.
void check_states(const random::Cell& cell, const test::Steps& expected)
{
    REQUIRE(cell.units() == units);
    REQUIRE(cell.weights().matrix().n_cols == inputs + units);
    arma::fvec state(units, arma::fill::zeros);
    arma::fvec memory(units, arma::fill::zeros);
    const test::Steps sentence = some_sentence();
    for (std::size_t t = 0; t < sentence.size(); ++t) {
        CAPTURE(t);
        const arma::fvec x = arma::conv_to<arma::fvec>::from(sentence[t]);
        const arma::fvec product = cell.weights().matrix() * arma::join_cols(x, state);
        cell.update({product.memptr(), product.n_elem}, {state.memptr(), units},
                    {memory.memptr(), units});
        for (std::size_t k = 0; k < units; ++k)
            CHECK(state(k) == doctest::Approx(expected[t][k]).epsilon(1e-5));
    }
    CHECK(arma::abs(state).max() > 1e-3F);
}

} // namespace

TEST_CASE("an LSTM step follows its equations")
{
    const random::LstmCell cell(inputs, units, random::Initialisation::standard, 1, 0);
    check_states(cell, test::plain_lstm(cell, some_sentence()));
}

TEST_CASE("a reservoir step follows its equation, with leak and activation")
{
    for (const bool with_tanh : {false, true}) {
        for (const double leak : {0.0, 0.3}) {
            CAPTURE(leak);
            const random::Reservoir settings{.leak = leak,
                                             .activation = with_tanh ? random::Activation::tanh
                                                                     : random::Activation::none};
            const random::EsnCell cell(inputs, units, settings, 1, 0);
            check_states(
                cell, test::plain_esn(cell.weights().matrix(), leak, with_tanh, some_sentence()));
        }
    }
}

TEST_CASE("LSTM weights and biases are drawn from their interval")
{
    const random::LstmCell cell(50, 100, random::Initialisation::standard, 1, 0);
    CHECK(cell.weights().matrix().n_rows == 400);
    CHECK(cell.bias().n_elem == 400);
    CHECK(arma::abs(cell.weights().matrix()).max() <= 0.1F); // 1/sqrt(100)
    CHECK(arma::abs(cell.weights().matrix()).max() > 0.0999F);
    const arma::vec weights =
        arma::conv_to<arma::vec>::from(arma::vectorise(cell.weights().matrix()));
    CHECK(std::abs(arma::mean(weights)) < 0.001);
    CHECK(arma::var(weights) == doctest::Approx(0.01 / 3).epsilon(0.02));
    const arma::vec bias = arma::conv_to<arma::vec>::from(cell.bias());
    CHECK(arma::var(bias) == doctest::Approx(2 * 0.01 / 3).epsilon(0.2)); // of two vectors
    CHECK(arma::abs(bias).max() > 0.1);

    const random::LstmCell normal(50, 100, random::Initialisation::normal, 1, 0);
    CHECK(arma::stddev(arma::conv_to<arma::vec>::from(
              arma::vectorise(normal.weights().matrix()))) == doctest::Approx(0.1).epsilon(0.02));
    CHECK(arma::approx_equal(normal.bias(), cell.bias(), "absdiff", 0.0F));
}

TEST_CASE("a reservoir has the spectral radius, sparsity and input scale asked for")
{
    const random::Reservoir settings{.spectral_radius = 0.9, .sparsity = 0.75, .input_scale = 0.2};
    const random::EsnCell cell(30, 200, settings, 4, 1);
    const arma::fmat in = cell.weights().matrix().head_cols(30);
    const arma::fmat recurrent = cell.weights().matrix().tail_cols(200);
    CHECK(arma::abs(arma::eig_gen(arma::conv_to<arma::mat>::from(recurrent))).max() ==
          doctest::Approx(0.9).epsilon(1e-4));
    for (arma::uword column = 0; column < 200; ++column)
        REQUIRE(arma::accu(recurrent.col(column) == 0) == 150);
    CHECK(arma::abs(in).max() <= 0.2F);
    CHECK(arma::var(arma::conv_to<arma::vec>::from(arma::vectorise(in))) ==
          doctest::Approx(0.04 / 3).epsilon(0.05));
}

TEST_CASE("directions and seeds have weights of their own")
{
    const auto weights = [](std::uint64_t seed, std::uint64_t direction) -> arma::fmat {
        return random::EsnCell(inputs, units, {}, seed, direction).weights().matrix();
    };
    const auto same = [](const arma::fmat& a, const arma::fmat& b) {
        return arma::approx_equal(a, b, "absdiff", 0.0F);
    };
    CHECK(same(weights(1, 0), weights(1, 0)));
    CHECK_FALSE(same(weights(1, 0), weights(1, 1)));
    CHECK_FALSE(same(weights(1, 0), weights(2, 0)));
}
