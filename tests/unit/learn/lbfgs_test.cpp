#include "learn/lbfgs_regression.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::DesignMatrix;
using learn::LbfgsLimits;

namespace {

/// Two variables in a narrow curved valley; the minimum is 0 at (1, 1).
struct Valley : learn::Objective {
    [[nodiscard]] std::size_t size() const override { return 2; }
    double evaluate(const arma::vec& x, arma::vec& gradient) override
    {
        const double off = x[1] - x[0] * x[0];
        gradient = {-400 * x[0] * off - 2 * (1 - x[0]), 200 * off};
        return 100 * off * off + (1 - x[0]) * (1 - x[0]);
    }
    [[nodiscard]] double product(const arma::vec& u, const arma::vec& v) const override
    {
        return arma::dot(u, v);
    }
    [[nodiscard]] bool is_small(const arma::vec& v, double limit) const override
    {
        return arma::abs(v).max() <= limit;
    }
};

learn::LbfgsFit fit(const DesignMatrix& matrix,
                    const std::vector<std::uint32_t>& labels,
                    std::size_t items,
                    const LbfgsLimits& limits = {})
{
    return learn::fit_lbfgs({&matrix, labels, test::first_numbers(items)}, limits);
}

} // namespace

TEST_CASE("L-BFGS follows a curved valley as scipy's does")
{
    Valley valley;
    // scipy 1.17.1, method L-BFGS-B from (0, 0), maxls 50, ftol 0, gtol 1e-8
    const learn::LbfgsMinimum minimum = learn::minimise(valley, {1000, 1e-8, 0});
    CHECK(minimum.converged);
    CHECK(minimum.iterations == 23);
    CHECK(minimum.x[0] == doctest::Approx(1).epsilon(1e-8));
    CHECK(minimum.x[1] == doctest::Approx(1).epsilon(1e-8));
    const learn::LbfgsMinimum early = learn::minimise(valley, {9, 1e-8, 0});
    CHECK(!early.converged);
    CHECK(early.iterations == 9);
    CHECK(early.x[0] == doctest::Approx(0.7596943539900468).epsilon(1e-9));
    CHECK(early.x[1] == doctest::Approx(0.5620982659406535).epsilon(1e-9));
}

TEST_CASE("scikit-learn's iterates are reproduced")
{
    const auto reference = test::reference_json("mteb_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["logistic"]["fits"]) {
        const auto n = entry["n"].get<std::uint32_t>();
        const auto d = entry["d"].get<std::uint32_t>();
        const auto k = entry["classes"].get<std::uint32_t>();
        const test::OwnColumns x(test::mteb_rows(n + 11, d, k));
        const DesignMatrix matrix(x.features());
        std::vector<std::uint32_t> labels;
        for (std::uint32_t i = 0; i < n + 11; ++i)
            labels.push_back(i % k);
        const learn::LbfgsFit found = fit(matrix, labels, n);
        CHECK(found.iterations == entry["iterations"].get<std::size_t>());
        const auto rows =
            entry["weights_then_intercept_by_class"].get<std::vector<std::vector<double>>>();
        REQUIRE(found.model->weights().size() == rows.size() * (d + 1));
        for (std::size_t i = 0; i < found.model->weights().size(); ++i)
            CHECK(found.model->weights()[i] ==
                  doctest::Approx(rows[i / (d + 1)][i % (d + 1)]).epsilon(1e-6));
        std::vector<std::uint32_t> asked(11);
        std::iota(asked.begin(), asked.end(), n);
        std::vector<std::uint32_t> predicted;
        for (const learn::Prediction& p : found.model->predict(matrix, asked))
            predicted.push_back(p.label);
        CHECK(predicted ==
              entry["predictions_of_rows_n_to_n+10"].get<std::vector<std::uint32_t>>());
    }
}

TEST_CASE("fewer items than features, one of them twice: the iterates of scikit-learn")
{
    // scikit-learn 1.9.1, LogisticRegression(max_iter=100), items 0 ... 11 of the data above with 40 features;
    // item 11 is item 2 once more.
    for (const auto& [k, iterations, weight, intercept] :
         {std::tuple{2U, 20UL, 0.11998306539382195, 0.27075764293628496},
          std::tuple{3U, 18UL, -0.10665273215240927, 0.1346378901988896}}) {
        arma::fmat values = test::mteb_rows(12, 40, k);
        values.col(11) = values.col(2);
        const test::OwnColumns x(values);
        const DesignMatrix matrix(x.features());
        std::vector<std::uint32_t> labels;
        for (std::uint32_t i = 0; i < 12; ++i)
            labels.push_back(i % k);
        const learn::LbfgsFit found = fit(matrix, labels, 12);
        CHECK(found.iterations == iterations);
        CHECK(found.converged);
        CHECK(found.model->weights()[7] == doctest::Approx(weight).epsilon(1e-6));
        CHECK(found.model->weights()[40] == doctest::Approx(intercept).epsilon(1e-6));
    }
}

TEST_CASE("without a limit it ends where Newton's method does")
{
    for (const auto& [items, features, classes] :
         {std::tuple{30UL, 50UL, 4UL}, std::tuple{60UL, 8UL, 3UL}, std::tuple{20UL, 30UL, 2UL}}) {
        const test::SmallProblem problem = test::small_problem(items, features, classes, 5);
        const DesignMatrix matrix(problem.x.features());
        const learn::LbfgsFit found = fit(matrix, problem.y, items, LbfgsLimits::converged());
        CHECK(found.converged);
        const learn::LogisticRegression newton{learn::Settings{}};
        const std::vector<double> strength{1};
        const auto minimum = newton.fit(
            {{&matrix, problem.y, test::first_numbers(items)}, {}, classes, strength, 1, {}});
        const auto& model = dynamic_cast<const learn::LogisticModel&>(*minimum[0].model);
        REQUIRE(found.model->weights().size() == model.weights().size());
        for (std::size_t i = 0; i < model.weights().size(); ++i)
            CHECK(std::abs(found.model->weights()[i] - model.weights()[i]) < 1e-5);
    }
}

TEST_CASE("the labels of several models at once are those of each")
{
    const test::SmallProblem problem = test::small_problem(700, 20, 4, 9);
    arma::fmat values = problem.x.matrix;
    values.col(699).zeros(); // the intercepts alone decide
    const test::OwnColumns x(values);
    const DesignMatrix matrix(x.features());
    std::vector<std::uint32_t> two = problem.y;
    for (std::uint32_t& label : two)
        label = label < 2 ? 3 : 8;
    const learn::LbfgsFit fits[] = {fit(matrix, problem.y, 15), fit(matrix, two, 90),
                                    fit(matrix, problem.y, 200)};
    const learn::LogisticModel* models[] = {fits[0].model.get(), fits[1].model.get(),
                                            fits[2].model.get()};
    std::vector<std::uint32_t> rows = test::first_numbers(700);
    std::reverse(rows.begin(), rows.end());
    for (const unsigned threads : {1U, 3U}) {
        const auto labels = learn::predict_labels(models, matrix, rows, threads);
        for (std::size_t m = 0; m < 3; ++m) {
            const auto expected = models[m]->predict(matrix, rows);
            REQUIRE(labels[m].size() == expected.size());
            for (std::size_t i = 0; i < rows.size(); ++i)
                CHECK(labels[m][i] == expected[i].label);
        }
    }
}

TEST_CASE("one class cannot be told apart")
{
    const test::OwnColumns x(test::mteb_rows(4, 3, 2));
    const DesignMatrix matrix(x.features());
    CHECK_THROWS_AS(fit(matrix, {1, 1, 1, 1}, 4), base::Error);
}
