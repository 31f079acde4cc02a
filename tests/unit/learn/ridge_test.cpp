#include "learn/ridge.hpp"

#include "learn/classifier.hpp"
#include "learn/design_matrix.hpp"
#include "learn/logistic_regression.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;

namespace {

/// Twelve items to learn from, six to choose by and three to test; what scikit-learn makes of them is written below.
const arma::fmat learned = {{0, 0.25, 0.75, -0.5, 1.5, -1, 0.75, 0.25, -1, -1, 0.75, 1.5},
                            {1, -2, -0.5, -0.25, -1.75, 1.5, 1.75, 1.75, -1.5, 0, -0.25, -0.25},
                            {1.75, 0.25, 1, 0.5, 0.75, 0.5, 1.5, 0.25, 1.5, 2, -0.5, 0},
                            {-0.75, -0.25, -2, 2, 1.75, 0.25, -1, 1.25, 0.5, 1.75, 1, -0.25}};
const arma::fmat chosen_by = {{1, -1, -0.5, 0, 1.5, 1.25},
                              {1, 1.5, 1, -1, 0.75, 1.75},
                              {-2, 1.25, 1, -1.25, -1.5, 1.25},
                              {-1.75, -0.75, 2, 0.25, 0.5, -0.75}};
const arma::fmat tested = {
    {0.25, -1.25, -0.75}, {-1.75, -0.75, -1.75}, {0.5, 1.5, -2}, {0.75, 1, 0}};
const std::vector<double> scores{-0.8125, 2.3125, -3.5,  2.25, 5.5625, -3.125,
                                 -2.25,   1.4375, 1.875, 4.25, 1.25,   0.875};
const std::vector<double> dev_scores{-5, -4.9375, 1.5, 1.4375, 0, -1.5625};
const std::vector<double> test_scores{3, 2, 1};

/// More features than items: with squares and cubes, of the first six.
arma::fmat powers(const arma::fmat& x)
{
    return arma::join_cols(x, arma::square(x), x % x % x);
}

learn::Relatedness
ridge(const arma::fmat& x, std::span<const double> y, bool by_dev, const arma::fmat& t = tested)
{
    const test::OwnColumns train(x);
    const test::OwnColumns dev(t.n_rows == tested.n_rows ? chosen_by : powers(chosen_by));
    const test::OwnColumns test(t);
    const learn::ScoredDataset none;
    return learn::ridge_relatedness(
        {train.features(), y}, by_dev ? learn::ScoredDataset{dev.features(), dev_scores} : none,
        {test.features(), test_scores}, {});
}

void check_equal(std::span<const double> found, std::initializer_list<double> expected)
{
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(std::fabs(found[i] - expected.begin()[i]) < 1e-6);
}

} // namespace

TEST_CASE("ridge regression is scikit-learn's, whose strength dev or five folds choose")
{
    const auto by_dev = ridge(learned, scores, true);
    CHECK(by_dev.strength == 10);
    CHECK(by_dev.devpearson == doctest::Approx(0.9407032228428273).epsilon(1e-9));
    check_equal(by_dev.yhat, {2.403173851350327, 1.8454399084958677, 1.0063658394524881});

    const auto by_folds = ridge(learned, scores, false);
    CHECK(by_folds.strength == 1e-3);
    CHECK(by_folds.devpearson == doctest::Approx(0.9918262131753949).epsilon(1e-9));
    check_equal(by_folds.yhat, {2.8846122797378055, 2.0353236508993513, -2.2371533456681436});

    const auto wide =
        ridge(powers(learned.head_cols(6)), std::span(scores).first(6), true, powers(tested));
    CHECK(wide.strength == 10);
    check_equal(wide.yhat, {1.64509678348568, -0.29367700265136715, 0.5109865455607128});
}

TEST_CASE("of equal strengths of ridge regression the stronger is chosen")
{
    const auto constant = ridge(arma::fmat(4, 12, arma::fill::ones), scores, false);
    CHECK(constant.strength == 1e3);
    CHECK(constant.pearson == 0);
    check_equal(constant.yhat, {0.84375, 0.84375, 0.84375}); // the mean of the scores
    CHECK_THROWS_AS(ridge(learned.head_cols(9), std::span(scores).first(9), false),
                    learn::TooFewItems);
}

TEST_CASE("logistic regression has the weights of scikit-learn's at a tolerance of 1e-12")
{
    const auto check = [](const arma::fmat& x, const std::vector<std::uint32_t>& labels, double c,
                          std::initializer_list<double> expected) {
        const test::OwnColumns columns(x);
        const learn::DesignMatrix matrix(columns.features());
        const auto fits = learn::LogisticRegression({}).fit(
            {{&matrix, labels, columns.index}, {}, 3, std::span(&c, 1), 1, {}});
        const auto weights = dynamic_cast<const learn::LogisticModel&>(*fits[0].model).weights();
        REQUIRE(weights.size() == expected.size());
        for (std::size_t i = 0; i < weights.size(); ++i)
            CHECK(std::fabs(weights[i] - expected.begin()[i]) < 1e-4);
    };
    const std::vector<std::uint32_t> labels{0, 1, 2, 0, 1, 2, 0, 1, 2, 2, 1, 0};
    std::vector<std::uint32_t> two = labels;
    std::replace(two.begin(), two.end(), 2U, 1U);
    check(learned, labels, 2,
          {0.616922231, 0.382515977, 0.368513764, 0.013684578, -0.101100669, 0.598100275,
           -0.237156103, -0.84322539, 0.531086329, 0.244138773, -1.215022506, -0.145359874,
           0.474711626, -0.544770907, -0.143038104});
    check(learned, two, 0.5, {-0.304330458, -0.397660205, -0.172365104, 0.151708064, 0.873499402});
    check(powers(learned.head_cols(6)), labels, 2,
          {-0.038182357, 0.051527742,  0.088646721,  -0.018830079, -0.18897361,  -0.276950773,
           0.214906579,  0.099593609,  -0.105486093, 0.124799882,  0.419592513,  0.304485052,
           -0.146550344, 0.106024501,  -0.138740811, -0.013065627, 0.037839106,  0.102449235,
           0.211919933,  -0.031837588, -0.057391895, 0.193089892,  -0.474782789, -0.064393247,
           0.050745939,  -1.281395864, -0.067842144, 0.08721307,   -0.075581094, -0.019009028,
           0.086524375,  0.06503084,   -0.183068991, -0.042201714, -0.087603799, 0.349982907,
           -0.355199266, -0.355230992, 1.427946208});
}
