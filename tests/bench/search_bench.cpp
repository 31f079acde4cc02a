// Exact search beside the matrix product alone: search_bench [DOCUMENTS DIMENSION QUERIES K THREADS]
#include "measures/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

extern "C" {
void sgemm_(const char* form_a,
            const char* form_b,
            const int* m,
            const int* n,
            const int* k,
            const float* alpha,
            const float* a,
            const int* lda,
            const float* b,
            const int* ldb,
            const float* beta,
            float* c,
            const int* ldc);
void openblas_set_num_threads(int threads);
}

namespace {

using namespace senteval;

/// Processor time of all threads, which other programs disturb less than the wall's; the best of several rounds.
template <typename F>
double seconds(F f)
{
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const std::clock_t begin = std::clock();
        f();
        best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

/// Scores of `step` documents a time, which are overwritten by the next.
void product(const std::vector<float>& queries,
             const std::vector<float>& documents,
             std::size_t dimension,
             std::size_t step,
             std::vector<float>& scores)
{
    const int m = static_cast<int>(queries.size() / dimension);
    const int k = static_cast<int>(dimension);
    const float one = 1;
    const float zero = 0;
    const std::size_t count = documents.size() / dimension;
    for (std::size_t first = 0; first < count; first += step) {
        const int n = static_cast<int>(std::min(step, count - first));
        sgemm_("T", "N", &m, &n, &k, &one, queries.data(), &k, documents.data() + first * dimension,
               &k, &zero, scores.data(), &m);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const auto argument = [&](int i, unsigned long otherwise) {
        return argc > i ? std::strtoul(argv[i], nullptr, 10) : otherwise;
    };
    const std::size_t count = argument(1, 100000);
    const std::size_t dimension = argument(2, 384);
    const std::size_t query_count = argument(3, 1000);
    const std::size_t k = argument(4, 1000);
    const auto threads = static_cast<unsigned>(argument(5, 1));
    std::mt19937 draw(1);
    std::normal_distribution<float> normal;
    std::vector<float> documents(count * dimension);
    std::vector<float> queries(query_count * dimension);
    std::ranges::generate(documents, [&] { return normal(draw); });
    std::ranges::generate(queries, [&] { return normal(draw); });

    openblas_set_num_threads(static_cast<int>(threads));
    constexpr std::size_t step = 4096;
    std::vector<float> scores(query_count * std::min(count, step));
    const double gemm = seconds([&] { product(queries, documents, dimension, step, scores); });
    const auto operations =
        2.0 * static_cast<double>(count * dimension) * static_cast<double>(query_count) / 1e9;
    fmt::print("sgemm   {:.3f} s  {:.1f} GFLOP/s\n", gemm, operations / gemm);
    const measures::Documents all{count,
                                  [&](std::size_t first, std::size_t number, float* vectors) {
                                      std::copy_n(documents.data() + first * dimension,
                                                  number * dimension, vectors);
                                  },
                                  {}};
    for (const auto similarity : {measures::Similarity::dot, measures::Similarity::cosine}) {
        const double time =
            seconds([&] { measures::search(queries, dimension, all, k, similarity, threads); });
        fmt::print("{}  {:.3f} s  {:.1f} GFLOP/s, {:.0f} % of sgemm\n",
                   similarity == measures::Similarity::dot ? "dot   " : "cosine", time,
                   operations / time, 100 * gemm / time);
    }
}
