#include "vectors.hpp"

#include "base/files.hpp"
#include "support/support.hpp"

namespace senteval::test {

std::optional<base::Json> reference_json(const std::string& name)
{
    const auto path = shared_or_skip("reference/" + name);
    if (!path)
        return std::nullopt;
    return base::Json::parse(base::read_file(*path));
}

std::vector<double> exact(const base::Json& array)
{
    std::vector<double> values;
    for (const auto& text : array["hex"])
        values.push_back(std::strtod(text.get<std::string>().c_str(), nullptr));
    return values;
}

arma::fmat columns_of(const base::Json& rows)
{
    arma::fmat matrix(rows[0].size(), rows.size());
    for (arma::uword i = 0; i < matrix.n_cols; ++i)
        for (arma::uword f = 0; f < matrix.n_rows; ++f)
            matrix(f, i) = static_cast<float>(rows[i][f].get<double>());
    return matrix;
}

arma::fmat mteb_rows(std::size_t rows, std::size_t dimension, std::size_t k)
{
    arma::fmat matrix(dimension, rows);
    for (arma::uword i = 0; i < rows; ++i)
        for (arma::uword j = 0; j < dimension; ++j) {
            const arma::uword thousandths = (7919 * i + 104729 * j + 31 * i * j) % 1000;
            matrix(j, i) = static_cast<float>(static_cast<double>(thousandths) / 1000 +
                                              (i % k == j % k ? 0.6 : 0.0));
        }
    return matrix;
}

std::vector<std::uint32_t> first_numbers(std::size_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

OwnColumns::OwnColumns(arma::fmat values)
    : matrix(std::move(values)), index(first_numbers(matrix.n_cols))
{
}

GoldenProblem::GoldenProblem() : x(arma::fmat(8, 600))
{
    Lcg random(42);
    Lcg noise(7);
    for (arma::uword i = 0; i < 600; ++i) {
        double v[8];
        for (arma::uword f = 0; f < 8; ++f)
            x.matrix(f, i) = static_cast<float>(v[f] = random.next());
        scores.push_back(v[0] + 0.5 * v[1] - 0.7 * v[2] * v[3] + 0.8 * noise.next());
        y.push_back((scores.back() >= -0.5 ? 1U : 0U) + (scores.back() >= 0.4 ? 1U : 0U));
    }
}

SmallProblem
small_problem(std::size_t items, std::size_t dimension, std::size_t classes, std::uint32_t seed)
{
    Lcg random(seed);
    SmallProblem problem{OwnColumns(arma::fmat(dimension, items)), {}};
    problem.x.matrix.imbue([&] { return static_cast<float>(random.next()); });
    for (arma::uword i = 0; i < items; ++i) {
        const double where = problem.x.matrix(0, i) + 0.3 * random.next();
        const auto top = static_cast<double>(classes);
        problem.y.push_back(
            static_cast<std::uint32_t>(std::clamp((where + 1) / 2 * top, 0.0, top - 1)));
    }
    return problem;
}

} // namespace senteval::test
