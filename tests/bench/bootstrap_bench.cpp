// Times the bootstrap of a large task: bootstrap_bench [items] [resamples] [threads]
#include "stats/bootstrap.hpp"
#include "stats/counter_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

template <typename Work>
void report(const char* what, Work work)
{
    const auto start = std::chrono::steady_clock::now();
    const auto [value, low, high] = work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print("{:<32} {:7.3f} s   {:.4f} [{:.4f}, {:.4f}]\n", what, elapsed.count(), value, low,
               high);
}

struct Row {
    double value;
    double low;
    double high;
};

Row row(const stats::Estimate& estimate)
{
    return {estimate.value, estimate.interval.low, estimate.interval.high};
}

Row row(const stats::PairedTest& test)
{
    return {test.difference, test.interval.low, test.interval.high};
}

} // namespace

int main(int argc, char** argv)
{
    const auto argument = [&](int at, std::size_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const std::size_t items = argument(1, 10000);
    stats::Resampling options;
    options.resamples = argument(2, 10000);
    options.threads = static_cast<unsigned>(argument(3, 2));

    std::vector<double> gold(items);
    std::vector<double> first(items);
    std::vector<double> second(items);
    std::vector<std::uint32_t> label(items);
    std::vector<std::uint32_t> predicted(items);
    stats::CounterStream random(1, 0);
    for (std::size_t i = 0; i < items; ++i) {
        gold[i] = static_cast<double>(random.next() % 26) / 5.0; // tied, as STS scores are
        first[i] = gold[i] + 2.0 * random.normal();
        second[i] = gold[i] + first[i] + 3.0 * random.normal();
        label[i] = random.next() % 3 == 0 ? 1 : 0;
        predicted[i] = random.next() % 4 == 0 ? 1 - label[i] : label[i];
    }
    fmt::print("{} items, {} resamples, {} threads\n", items, options.resamples, options.threads);
    const auto pearson = [&](const auto& x) { return stats::pearson_statistic(gold, x); };
    const auto spearman = [&](const auto& x) { return stats::spearman_statistic(gold, x); };
    report("mean", [&] { return row(bootstrap(*stats::mean_statistic(first), options)); });
    report("F1", [&] { return row(bootstrap(*stats::f1_statistic(label, predicted), options)); });
    report("Pearson", [&] { return row(bootstrap(*pearson(first), options)); });
    report("Spearman", [&] { return row(bootstrap(*spearman(first), options)); });
    report("difference of two Pearson", [&] {
        return row(paired_bootstrap(*difference(pearson(first), pearson(second)), options));
    });
    report("difference of two Spearman", [&] {
        return row(paired_bootstrap(*difference(spearman(first), spearman(second)), options));
    });
    std::vector<double> differences(items);
    std::transform(first.begin(), first.end(), gold.begin(), differences.begin(), std::minus<>());
    report("sign flips of a mean (p-value)", [&] {
        const double p = stats::sign_flip_p_value(differences, options);
        return Row{p, p, p};
    });
}
