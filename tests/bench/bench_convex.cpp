// bench_convex.cpp -- processor time of the convex classifier on data of the kinds that own data is of, and of L-BFGS
// to the same minimum in the same run: nested cross-validation of 600 items in twelve classes on one thread, and 10 000
// items of 768 numbers with a test part.
//
//     bench_convex [nested|large]

#include "core/blas.hpp"
#include "learn/folds.hpp"
#include "learn/lbfgs_regression.hpp"
#include "learn/validation.hpp"

#include <fmt/format.h>

#include <ctime>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace senteval;

namespace {

constexpr std::size_t classes = 12;

double cpu_seconds_of(const auto& body)
{
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    body();
    return now() - start;
}

struct Data {
    Data(arma::fmat values, std::vector<learn::Label> of)
        : matrix(std::move(values)), index(matrix.n_cols), labels(std::move(of))
    {
        std::iota(index.begin(), index.end(), 0U);
    }

    [[nodiscard]] learn::Dataset dataset() const
    {
        return {learn::Features::single({&matrix, index}), labels};
    }

    arma::fmat matrix;
    std::vector<std::uint32_t> index;
    std::vector<learn::Label> labels;
};

/// Vectors whose variance falls along some axes as that of text encoders does, about a centre for each class.
Data dense(std::size_t items, std::size_t dimension, double distance, bool unit, int seed)
{
    arma::arma_rng::set_seed(1);
    const arma::fmat centres(dimension, classes, arma::fill::randn);
    const arma::fmat turn = arma::orth(arma::fmat(dimension, dimension, arma::fill::randn));
    arma::arma_rng::set_seed(static_cast<arma::arma_rng::seed_type>(seed));
    arma::fmat x(dimension, items, arma::fill::randn);
    std::vector<learn::Label> labels(items);
    for (std::size_t i = 0; i < items; ++i) {
        labels[i] = static_cast<learn::Label>(i % classes);
        x.col(i) += static_cast<float>(distance) * centres.col(labels[i]);
    }
    for (std::size_t f = 0; f < dimension; ++f)
        x.row(f) /= std::sqrt(1 + static_cast<float>(f) / 8);
    x = turn * x;
    return {unit ? arma::fmat(arma::normalise(x)) : x, labels};
}

/// Words of which a third say the class.
Data one_hot(std::size_t items, std::size_t dimension)
{
    arma::arma_rng::set_seed(3);
    arma::fmat x(dimension, items, arma::fill::zeros);
    std::vector<learn::Label> labels(items);
    for (std::size_t i = 0; i < items; ++i) {
        labels[i] = static_cast<learn::Label>(i % classes);
        for (int word = 0; word < 10; ++word) {
            const double rank = std::pow(static_cast<double>(dimension), arma::randu<double>()) - 1;
            const auto any = static_cast<std::size_t>(rank);
            x(word % 3 == 0 ? (any % 20) * classes + labels[i] : any, i) = 1;
        }
    }
    return {x, labels};
}

void nested(const std::string& name, const Data& data)
{
    learn::ValidationOptions options;
    options.classes = classes;
    options.classifier.classifier = "logreg-newton";
    learn::Validation found;
    const double seconds =
        cpu_seconds_of([&] { found = learn::inner_kfold(data.dataset(), options); });

    const learn::DesignMatrix matrix(data.dataset().features);
    const auto folds = learn::stratified_folds(data.labels, options.kfold, 1111);
    const double other = cpu_seconds_of([&] {
        for (const learn::Fold& fold : folds)
            learn::fit_lbfgs({&matrix, data.labels, fold.train}, learn::LbfgsLimits::converged());
    });
    const double fits =
        static_cast<double>(options.kfold * (options.kfold * found.strengths.size() + 1));
    fmt::print("{:<10} {:6.2f} s   acc {:5.2f}   L-BFGS takes {:5.1f} times as long\n", name,
               seconds, found.acc, other / static_cast<double>(folds.size()) * fits / seconds);
}

} // namespace

int main(int argc, char** argv)
{
    core::prepare_blas();
    const std::string wanted = argc > 1 ? argv[1] : "";
    if (wanted != "large") {
        const Data unit = dense(600, 384, 0.4, true, 2);
        nested("unit", unit);
        nested("bits", {arma::sign(unit.matrix), unit.labels});
        nested("GloVe", dense(600, 300, 0.5, false, 2));
        nested("one-hot", one_hot(600, 610));
    }
    if (wanted != "nested") {
        const Data train = dense(10000, 768, 0.3, true, 2);
        const Data test = dense(1000, 768, 0.3, true, 3);
        learn::ValidationOptions options;
        options.classes = classes;
        options.classifier.classifier = "logreg-newton";
        double acc = 0;
        const double seconds = cpu_seconds_of(
            [&] { acc = learn::kfold(train.dataset(), test.dataset(), options).acc; });
        fmt::print("{:<10} {:6.2f} s   acc {:5.2f}\n", "large", seconds, acc);
    }
}
