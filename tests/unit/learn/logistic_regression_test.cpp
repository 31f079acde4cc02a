#include "learn/logistic_regression.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "learn/logistic_loss.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

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

/// Largest component of the objective's gradient.
double steepest(std::span<const double> w,
                const arma::fmat& x,
                const std::vector<std::uint32_t>& y,
                double c)
{
    const std::size_t size = x.n_rows + 1;
    const std::size_t outputs = w.size() / size;
    arma::mat features(size, x.n_cols, arma::fill::ones);
    features.head_rows(x.n_rows) = arma::conv_to<arma::mat>::from(x);
    const arma::mat weights(const_cast<double*>(w.data()), size, outputs, false, true);
    arma::mat p = features.t() * weights;
    if (outputs == 1)
        p.insert_cols(0, 1);
    p.each_col() -= arma::max(p, 1);
    p = arma::exp(p);
    p.each_col() /= arma::sum(p, 1);
    for (arma::uword i = 0; i < x.n_cols; ++i)
        p(i, y[i]) -= 1;
    if (outputs == 1)
        p.shed_col(0);
    arma::mat gradient = weights / c;
    gradient.row(size - 1).zeros();
    gradient += features * p;
    return arma::abs(gradient).max();
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
    const auto problem = test::small_problem(60, 1600, 2, 9);
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

TEST_CASE("the reference implementation's coefficients are found")
{
    const auto reference = test::reference_json("golden_fit.json");
    if (!reference)
        return;
    const test::GoldenProblem golden;
    std::vector<std::uint32_t> two;
    for (const std::uint32_t label : golden.y)
        two.push_back(label > 0 ? 1 : 0);
    const DesignMatrix matrix(golden.x.features());
    const double c = 1;
    const auto check = [&](const char* name, const std::vector<std::uint32_t>& y,
                           std::size_t classes) {
        const auto fits = fit_all(matrix, y, golden.x.index, std::span(&c, 1), classes);
        const auto w = dynamic_cast<const learn::LogisticModel&>(*fits[0].model).weights();
        const auto& expected = (*reference)[name];
        REQUIRE(w.size() == 9 * expected["intercept"].size());
        for (std::size_t i = 0; i < w.size(); ++i) {
            const auto& theirs =
                i % 9 == 8 ? expected["intercept"][i / 9] : expected["coef"][i / 9][i % 9];
            CHECK(w[i] == doctest::Approx(theirs.get<double>())
                              .epsilon(1e-4)); // it stops at another gradient
        }
    };
    check("lr_binary", two, 2);
    check("lr_multi", golden.y, 3);
}

TEST_CASE("hard problems are solved to the tolerance")
{
    const auto steepest_of = [](const test::SmallProblem& problem, std::size_t classes) {
        const DesignMatrix matrix(problem.x.features());
        const std::vector<double> grid{1e-6, 0.5, 32, 1e9};
        const auto fits = fit_all(matrix, problem.y, problem.x.index, grid, classes);
        double worst = 0;
        for (std::size_t i = 0; i < grid.size(); ++i) {
            CHECK(fits[i].converged);
            const auto& model = dynamic_cast<const learn::LogisticModel&>(*fits[i].model);
            worst =
                std::max(worst, steepest(model.weights(), problem.x.matrix, problem.y, grid[i]));
        }
        const double largest =
            std::max(1.0, static_cast<double>(arma::abs(problem.x.matrix).max()));
        return worst / largest / static_cast<double>(problem.y.size());
    };
    const double enough = 1.1 * learn::LogisticRegression::tolerance;
    SUBCASE("features of very different size")
    {
        for (const std::size_t classes : {2U, 4U}) {
            auto problem = test::small_problem(400, 12, classes, 5);
            for (arma::uword f = 0; f < 12; ++f)
                problem.x.matrix.row(f) *= std::pow(10.0F, static_cast<float>(f % 7) - 3);
            CHECK(steepest_of(problem, classes) < enough);
        }
    }
    SUBCASE("features far from zero")
    {
        auto problem = test::small_problem(400, 6, 3, 5);
        problem.x.matrix += 100;
        CHECK(steepest_of(problem, 3) < enough);
    }
    SUBCASE("the same feature twice, and constant ones")
    {
        auto problem = test::small_problem(400, 8, 3, 5);
        problem.x.matrix.row(4) = problem.x.matrix.row(0);
        problem.x.matrix.row(5).zeros();
        problem.x.matrix.row(6).fill(7);
        CHECK(steepest_of(problem, 3) < enough);
    }
    SUBCASE("classes that a plane divides")
    {
        for (const std::size_t classes : {2U, 3U}) {
            auto problem = test::small_problem(200, 6, classes, 5);
            for (std::size_t i = 0; i < 200; ++i)
                for (arma::uword f = 0; f < classes; ++f)
                    problem.x.matrix(f, i) += f == problem.y[i] ? 3.0F : 0.0F;
            CHECK(steepest_of(problem, classes) < enough);
        }
    }
    SUBCASE("classes of a single item, and fewer items than features")
    {
        auto problem = test::small_problem(30, 60, 5, 5);
        std::fill(problem.y.begin(), problem.y.end(), 0U);
        for (std::uint32_t i = 1; i < 5; ++i)
            problem.y[i] = i;
        CHECK(steepest_of(problem, 5) < enough);
    }
    SUBCASE("features that say nothing")
    {
        auto problem = test::small_problem(50, 3, 4, 5);
        problem.x.matrix.zeros();
        CHECK(steepest_of(problem, 4) < enough);
    }
    SUBCASE("many features")
    {
        CHECK(steepest_of(test::small_problem(400, 700, 20, 5), 20) < enough);
        CHECK(steepest_of(test::small_problem(1600, 1600, 3, 5), 3) < enough);
    }
}

TEST_CASE(
    "the Hessian is the gradient's slope, along axes and as features, for one set and for two")
{
    for (const std::size_t classes : {2U, 5U})
        for (const std::size_t kept : {learn::LogisticLoss::default_max_kept, std::size_t{0}}) {
            auto problem = test::small_problem(1100, 9, classes, 4);
            problem.x.matrix += 3;
            const DesignMatrix matrix(problem.x.features());
            const std::span<const std::uint32_t> all = problem.x.index;
            const std::vector<learn::Examples> sets{{&matrix, problem.y, all.first(700)},
                                                    {&matrix, problem.y, all.subspan(200)}};
            learn::LogisticLoss loss(sets, {}, kept);
            loss.set_penalty(0.5);
            const std::vector<std::size_t> both{0, 1};
            test::Lcg random(3);
            std::vector<arma::mat> w(2, arma::mat(loss.size(), loss.outputs(0)));
            std::vector<arma::fmat> v(2, arma::fmat(loss.size(), loss.outputs(0)));
            for (const std::size_t p : both) {
                w[p].imbue([&] { return random.next(); });
                v[p].imbue([&] { return static_cast<float>(random.next()); });
            }
            const auto at = [&](double step, std::vector<double>& values) {
                std::vector<arma::mat> there = w;
                for (const std::size_t p : both)
                    there[p] += step * arma::conv_to<arma::mat>::from(v[p]);
                std::vector<arma::mat> gradients(2);
                loss.evaluate(both, there, gradients, values);
                return gradients;
            };
            constexpr double step = 1e-5;
            std::vector<double> low(2);
            std::vector<double> high(2);
            std::vector<double> values(2);
            const auto before = at(-step, low);
            const auto after = at(step, high);
            const auto gradients = at(0, values);
            std::vector<arma::fmat> products(2);
            loss.hessian_products(both, v, products);
            for (const std::size_t p : both) {
                const auto direction = arma::conv_to<arma::mat>::from(v[p]);
                CHECK((high[p] - low[p]) / (2 * step) ==
                      doctest::Approx(arma::dot(gradients[p], direction)).epsilon(1e-6));
                const arma::mat slope = (after[p] - before[p]) / (2 * step);
                CHECK(arma::norm(arma::conv_to<arma::mat>::from(products[p]) - slope, "fro") <
                      1e-5 * arma::norm(slope, "fro"));
                const auto inverse = loss.inverse_of(p); // is one of a positive matrix
                CHECK(arma::dot(v[p], loss.precondition(inverse, v[p])) > 0);
            }
        }
}

TEST_CASE("fits of several sets are those of each alone")
{
    const auto problem = test::small_problem(240, 40, 4, 9);
    const DesignMatrix matrix(problem.x.features());
    const std::vector<double> grid{0.25, 0.5, 1, 2};
    const std::span<const std::uint32_t> all = problem.x.index;
    std::vector<std::uint32_t> few; // of two classes
    for (const std::uint32_t row : all)
        if (problem.y[row] < 2)
            few.push_back(row);
    std::vector<learn::FitRequest> requests;
    for (const auto rows : {all.first(200), all.subspan(60), std::span<const std::uint32_t>(few)})
        requests.push_back({{&matrix, problem.y, rows}, {&matrix, problem.y, all}, 4, grid, 1, {}});
    const learn::LogisticRegression classifier({});
    const auto together = classifier.fit_all(requests);
    for (std::size_t r = 0; r < requests.size(); ++r) {
        const auto alone = classifier.fit(requests[r]);
        for (std::size_t i = 0; i < grid.size(); ++i) {
            CHECK(together[r][i].accuracy == alone[i].accuracy);
            const auto one = together[r][i].model->predict(matrix, all);
            const auto other = alone[i].model->predict(matrix, all);
            for (std::size_t item = 0; item < all.size(); ++item)
                CHECK(one[item].confidence ==
                      doctest::Approx(other[item].confidence).epsilon(1e-3));
        }
    }
}

TEST_CASE("a stop ends the path of strengths")
{
    const auto problem = test::small_problem(300, 12, 3, 9);
    const DesignMatrix matrix(problem.x.features());
    const std::vector<double> grid{0.5, 1, 2};
    std::stop_source source;
    source.request_stop();
    const learn::FitRequest request{
        {&matrix, problem.y, problem.x.index}, {}, 3, grid, 1, source.get_token()};
    CHECK_THROWS_AS(std::ignore = learn::LogisticRegression({}).fit(request), base::Cancelled);
}
