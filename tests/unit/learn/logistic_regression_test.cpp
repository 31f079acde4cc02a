#include "learn/logistic_regression.hpp"

#include "learn/design_matrix.hpp"
#include "learn/lbfgs.hpp"
#include "vectors.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace senteval;
using learn::DesignMatrix;

namespace {

/// Sum of the losses + |w|^2 / (2 C), of weights laid out as LogisticModel's.
double objective(std::span<const double> w,
                 const arma::fmat& x,
                 const std::vector<std::uint32_t>& y,
                 double c)
{
    const std::size_t size = x.n_rows + 1;
    const std::size_t outputs = w.size() / size;
    double value = 0;
    for (std::size_t k = 0; k < outputs; ++k)
        for (std::size_t f = 0; f + 1 < size; ++f)
            value += w[k * size + f] * w[k * size + f] / (2 * c);
    for (arma::uword i = 0; i < x.n_cols; ++i) {
        std::vector<double> z(outputs == 1 ? 1 : 0);
        for (std::size_t k = 0; k < outputs; ++k) {
            z.push_back(w[k * size + size - 1]);
            for (std::size_t f = 0; f + 1 < size; ++f)
                z.back() += w[k * size + f] * static_cast<double>(x(f, i));
        }
        double sum = 0;
        for (const double score : z)
            sum += std::exp(score);
        value += std::log(sum) - z[y[i]];
    }
    return value;
}

std::vector<learn::Fit> fit_all(const DesignMatrix& matrix,
                                const std::vector<std::uint32_t>& y,
                                std::span<const std::uint32_t> rows,
                                std::span<const double> grid,
                                std::size_t classes)
{
    const learn::LogisticRegression classifier({});
    return classifier.fit({{&matrix, y, rows}, {&matrix, y, rows}, classes, grid, 1, {}});
}

} // namespace

TEST_CASE("coefficients are scikit-learn's, and the objective no worse")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    const auto& recorded = (*reference)["logistic_regression"];
    const test::OwnColumns x(test::columns_of(recorded["X"]));
    const DesignMatrix matrix(x.features());
    for (const auto& entry : recorded["cases"]) {
        const auto y = entry["y"].get<std::vector<std::uint32_t>>();
        const double c = entry["C"].get<double>();
        const auto fits = fit_all(matrix, y, x.index, std::span(&c, 1), 3);
        CHECK(fits[0].converged);
        CHECK(fits[0].accuracy == entry["accuracy"].get<double>());
        const auto weights = dynamic_cast<const learn::LogisticModel&>(*fits[0].model).weights();
        const auto coefficients = test::exact(entry["coef"]);
        const auto intercepts = test::exact(entry["intercept"]);
        std::vector<double> theirs;
        for (std::size_t k = 0; k < intercepts.size(); ++k) {
            theirs.insert(theirs.end(), coefficients.begin() + static_cast<std::ptrdiff_t>(3 * k),
                          coefficients.begin() + static_cast<std::ptrdiff_t>(3 * k + 3));
            theirs.push_back(intercepts[k]);
        }
        REQUIRE(weights.size() == theirs.size());
        for (std::size_t i = 0; i < theirs.size(); ++i)
            CHECK(std::fabs(weights[i] - theirs[i]) < 1e-3);
        CHECK(objective(weights, x.matrix, y, c) <= objective(theirs, x.matrix, y, c) + 1e-12);
    }
}

TEST_CASE("each C ends at its own minimum, wherever it starts")
{
    const auto problem = test::small_problem(300, 12, 3, 9);
    const DesignMatrix matrix(problem.x.features());
    const std::vector<double> grid{0.25, 2, 8};
    const auto path = fit_all(matrix, problem.y, problem.x.index, grid, 3);
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const auto alone =
            fit_all(matrix, problem.y, problem.x.index, std::span(grid).subspan(i, 1), 3);
        const auto value = [&](const learn::Fit& fit) {
            return objective(dynamic_cast<const learn::LogisticModel&>(*fit.model).weights(),
                             problem.x.matrix, problem.y, grid[i]);
        };
        CHECK(value(path[i]) == doctest::Approx(value(alone[0])).epsilon(1e-10));
    }
}

TEST_CASE("wide features are solved too")
{
    const auto problem = test::small_problem(60, 1600, 2, 9); // too wide for a factor
    const DesignMatrix matrix(problem.x.features());
    const double c = 1;
    const auto fits = fit_all(matrix, problem.y, problem.x.index, std::span(&c, 1), 2);
    CHECK(fits[0].converged);
    CHECK(fits[0].accuracy == 1);
}

TEST_CASE("the classes of the training items are those that can be predicted")
{
    const auto problem = test::small_problem(80, 4, 4, 3);
    const DesignMatrix matrix(problem.x.features());
    for (const std::uint32_t present : {1U, 2U, 3U}) {
        std::vector<std::uint32_t> rows;
        for (std::uint32_t i = 0; i < 80; ++i)
            if (problem.y[i] > 0 && problem.y[i] <= present)
                rows.push_back(i);
        const double c = 1;
        const auto fits = fit_all(matrix, problem.y, rows, std::span(&c, 1), 4);
        for (const auto& prediction : fits[0].model->predict(matrix, problem.x.index)) {
            CHECK(prediction.label >= 1);
            CHECK(prediction.label <= present);
            CHECK(prediction.confidence >= 1.0 / present - 1e-12);
        }
    }
}

TEST_CASE("an iteration limit is reported")
{
    const auto problem = test::small_problem(200, 30, 3, 9);
    const DesignMatrix matrix(problem.x.features());
    learn::Settings settings;
    settings.max_iterations = 2;
    const learn::LogisticRegression classifier(settings);
    const double c = 8;
    const auto fits =
        classifier.fit({{&matrix, problem.y, problem.x.index}, {}, 3, std::span(&c, 1), 1, {}});
    CHECK_FALSE(fits[0].converged);
    CHECK(fits[0].passes == 2);
}

TEST_CASE("the minimum of a quadratic is found")
{
    // (x - 3)^2 + 10 (y + 1)^2
    const learn::Objective objective = [](std::span<const double> p, std::span<double> g) {
        g[0] = 2 * (p[0] - 3);
        g[1] = 20 * (p[1] + 1);
        return (p[0] - 3) * (p[0] - 3) + 10 * (p[1] + 1) * (p[1] + 1);
    };
    const auto minimum = learn::minimise(
        {0, 0}, objective, [](std::span<double>) {}, 1e-9, 100);
    CHECK(minimum.converged);
    CHECK(minimum.x[0] == doctest::Approx(3));
    CHECK(minimum.x[1] == doctest::Approx(-1));
    CHECK(minimum.value < 1e-15);
}
