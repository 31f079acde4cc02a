// bench_classifiers.cpp -- wall time of the validations on generated data of the real tasks' shapes.
//
//     bench_classifiers [threads] [case...]

#include "base/parallel.hpp"
#include "core/blas.hpp"
#include "learn/kernels.hpp"
#include "learn/relatedness.hpp"
#include "learn/validation.hpp"

#include <fmt/format.h>

#include <ctime>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

using namespace senteval;

namespace {

double seconds_of(const auto& body)
{
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double cpu_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Items whose classes are hard to tell apart, so that training goes on as long as on real data.
struct Data {
    Data(std::size_t items, std::size_t dimension, std::size_t classes, int seed)
        : index(items), labels(items), scores(items)
    {
        arma::arma_rng::set_seed(static_cast<arma::arma_rng::seed_type>(seed));
        matrix.randn(dimension, items);
        matrix *= 0.2F;
        std::iota(index.begin(), index.end(), 0U);
        const arma::frowvec noise(items, arma::fill::randn);
        for (std::size_t i = 0; i < items; ++i) {
            const arma::uword used = std::min<arma::uword>(dimension, 10);
            const double where =
                static_cast<double>(arma::accu(matrix.col(i).head(used)) / 0.6F + noise(i));
            const double share = std::clamp((where + 3) / 6, 0.0, 0.999);
            labels[i] = static_cast<learn::Label>(share * static_cast<double>(classes));
            scores[i] = 1 + 4 * share;
        }
    }

    [[nodiscard]] learn::Features features() const
    {
        return learn::Features::single({&matrix, index});
    }
    [[nodiscard]] learn::Dataset dataset() const { return {features(), labels}; }
    [[nodiscard]] learn::ScoredDataset scored() const { return {features(), scores}; }

    arma::fmat matrix;
    std::vector<std::uint32_t> index;
    std::vector<learn::Label> labels;
    std::vector<double> scores;
};

/// Runs body, which returns a score, and prints its wall and processor time.
void report(const std::string& name, const auto& body)
{
    double score = 0;
    const double cpu = cpu_seconds();
    const double wall = seconds_of([&] { score = body(); });
    fmt::print("{:<14} wall {:8.3f} s   cpu {:8.3f} s   score {:.2f}\n", name, wall,
               cpu_seconds() - cpu, score);
}

struct Case {
    std::string name;
    std::size_t items;
    std::size_t dimension;
    std::size_t classes;
    std::string classifier = "softmax";
    std::size_t nhid = 0;
};

void run_validation(const Case& shape, unsigned threads)
{
    const Data data(shape.items, shape.dimension, shape.classes, 1);
    const Data test(500, shape.dimension, shape.classes, 2);
    learn::ValidationOptions options;
    options.classes = shape.classes;
    options.threads = threads;
    options.classifier.classifier = shape.classifier;
    options.classifier.nhid = shape.nhid;
    report(shape.name, [&] {
        return shape.classes == 2 ? learn::inner_kfold(data.dataset(), options).acc
                                  : learn::kfold(data.dataset(), test.dataset(), options).acc;
    });
}

/// Pairs of SNLI's number and form, whose features are never stored: prints the memory as well.
void run_snli(unsigned threads)
{
    constexpr std::size_t pairs = 550000;
    const Data sentences(650000, 300, 3, 1);
    std::vector<std::uint32_t> first(pairs);
    std::vector<std::uint32_t> second(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        first[i] = static_cast<std::uint32_t>(i * 7919 % 650000);
        second[i] = static_cast<std::uint32_t>(i * 104729 % 650000);
    }
    const auto part = [&](std::size_t count) {
        return learn::Dataset{
            learn::Features::pair({&sentences.matrix, std::span(first).first(count)},
                                  {&sentences.matrix, std::span(second).first(count)},
                                  learn::PairForm::concatenation),
            std::span(sentences.labels).first(count)};
    };
    learn::ValidationOptions options;
    options.classes = 3;
    options.threads = threads;
    options.regularised = false;
    options.classifier.max_epoch = 15;
    options.classifier.epoch_size = 1;
    report("SNLI-300",
           [&] { return learn::split(part(pairs), part(10000), part(10000), options).acc; });
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("{:<14} {:.2f} GiB at most\n", "", static_cast<double>(usage.ru_maxrss) / (1 << 20));
}

} // namespace

int main(int argc, char** argv)
{
    core::prepare_blas();
    const unsigned threads =
        argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : base::available_threads();
    const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
    const auto is_wanted = [&](const std::string& name) {
        return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    fmt::print("{} threads, {} kernels\n", threads, learn::kernels().name);
    const std::vector<Case> cases{{"CR", 3775, 100, 2},
                                  {"TREC", 5452, 100, 6},
                                  {"TREC-mlp50", 5452, 100, 6, "mlp", 50},
                                  {"CR-convex", 3775, 100, 2, "logreg-newton"},
                                  {"TREC-convex", 5452, 100, 6, "logreg-newton"},
                                  {"intents-convex", 10003, 100, 77, "logreg-newton"},
                                  {"CR-4096", 3775, 4096, 2},
                                  {"TREC-4096", 5452, 4096, 6}};
    for (const Case& shape : cases)
        if (is_wanted(shape.name))
            run_validation(shape, threads);
    if (is_wanted("SNLI-300"))
        run_snli(threads);
    if (is_wanted("relatedness")) {
        const Data train(4500, 200, 5, 1);
        const Data dev(500, 200, 5, 2);
        report("relatedness", [&] {
            return learn::relatedness(train.scored(), dev.scored(), dev.scored(), {}).pearson;
        });
    }
}
