// Writes a store of made-up results as large as a laboratory's, for 'time senteval compare STORE':
// compare_bench STORE [encoders] [tasks] [seeds]
#include "results/store.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "unit/compare/made_cells.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

/// Test items of the published tasks.
constexpr std::array<std::size_t, 8> sizes = {500, 872, 1379, 1725, 2210, 3775, 4927, 10'662};

/// What the encoder makes of the task under the seed: right or wrong in two of three tasks, a score in the third.
results::Cell
result(std::uint64_t encoder, std::uint64_t task, std::uint64_t seed, stats::CounterStream& noise)
{
    const bool of_classes = task % 3 != 2;
    test::MadeCell cell;
    cell.encoder = fmt::format("encoder{:02}", encoder);
    cell.parameters = {{"number", encoder}};
    cell.task = fmt::format("Task{:02}", task);
    cell.headline = of_classes ? "acc" : "pearson";
    cell.settings = {{"protocol", "split"}, {"seed", seed}};
    const std::size_t items = sizes[task % sizes.size()];
    stats::CounterStream of_items(task, 0);
    stats::CounterStream of_encoder(task, 1 + encoder);
    std::vector<std::pair<double, double>> pairs;
    std::vector<double> gold;
    std::vector<double> predicted;
    for (std::size_t item = 0; item < items; ++item) {
        const double truth = of_items.normal();
        const double seen =
            truth + 0.02 * static_cast<double>(encoder) * of_encoder.normal() + noise.normal();
        pairs.emplace_back(of_classes ? truth > 0 : truth, of_classes ? seen > 0 : seen);
        gold.push_back(pairs.back().first);
        predicted.push_back(pairs.back().second);
    }
    cell.items = test::pair_items(pairs, std::vector<std::uint32_t>(items, 0));
    cell.items.outcomes.groups = {""};
    double right = 0;
    for (std::size_t item = 0; item < items; ++item)
        right += gold[item] == predicted[item] ? 100.0 / static_cast<double>(items) : 0.0;
    if (of_classes) {
        cell.items.outcomes.kind = "class";
        cell.items.outcomes.classes = {"no", "yes"};
        cell.metrics = {{"acc", right}};
    } else {
        cell.metrics = {{"pearson", stats::pearson(predicted, gold).r}};
    }
    results::Cell made = test::made(cell);
    made.document["details"]["trained_on"] = 5000;
    return made;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        fmt::print(stderr, "usage: compare_bench STORE [encoders] [tasks] [seeds]\n");
        return 2;
    }
    const auto argument = [&](int at, std::uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
    };
    const results::Store store(argv[1]);
    std::uint64_t cells = 0;
    for (std::uint64_t encoder = 0; encoder < argument(2, 30); ++encoder)
        for (std::uint64_t task = 0; task < argument(3, 35); ++task)
            for (std::uint64_t seed = 0; seed < argument(4, 5); ++seed) {
                stats::CounterStream noise(7, ++cells);
                results::Cell cell = result(encoder, task, seed, noise);
                store.save(cell);
            }
    fmt::print("{} results in {}\n", cells, argv[1]);
}
