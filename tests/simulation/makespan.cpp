// makespan -- how far a large grid scales: the table in framework/run/README.md.
//
//     makespan [STORE DATA]
//
// 40 encoders at 4096 dimensions, every task of the catalogue but retrieval on its published data, 5 seeds. The
// scheduler is the program's; cells cost what framework/run/cost.hpp says, corrected by results of this
// machine where there is a store of them, and encoders what is given below.
#include "team/makespan.hpp"
#include "run/config.hpp"
#include "run/cost.hpp"
#include "run/past.hpp"
#include "run/store.hpp"
#include "run/work.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

constexpr std::size_t dimension = 4096;
constexpr std::size_t seeds = 5;

/// Items that are learned from, items that are tested, classes; of the published sets.
struct Published {
    std::size_t train, test, classes;
    std::size_t features = 1;
    std::size_t sentences = 0; ///< different ones; 0: one for each item
};
const std::map<std::string, Published> published = {
    {"MR", {10662, 0, 2}},
    {"CR", {3775, 0, 2}},
    {"SUBJ", {10000, 0, 2}},
    {"MPQA", {10606, 0, 2, 1, 8241}},
    {"SST2", {67349, 2693, 2}},
    {"SST5", {8544, 3311, 5}},
    {"TREC", {5452, 500, 6}},
    {"MRPC", {4076, 1725, 2, 2, 10944}},
    {"SICKEntailment", {4500, 5427, 3, 2, 6077}},
    {"SICKRelatedness", {4500, 5427, 5, 2, 6077}},
    {"STSBenchmark", {5749, 2879, 5, 2, 15437}},
    {"SNLI", {549367, 19666, 3, 4, 650000}},
    {"MultiNLIMatched", {392702, 19647, 3, 4, 580000}},
    {"MultiNLIMismatched", {392702, 19647, 3, 4, 580000}},
    {"STS12", {0, 3108, 0, 0, 4946}},
    {"STS13", {0, 1500, 0, 0, 2638}},
    {"STS14", {0, 3750, 0, 0, 6351}},
    {"STS15", {0, 3000, 0, 0, 5170}},
    {"STS16", {0, 1186, 0, 0, 1867}},
    {"STSBenchmarkUnsupervised", {0, 2879, 0, 0, 5300}},
    {"SICKRelatednessUnsupervised", {0, 5427, 0, 0, 6077}},
    {"Twitter15", {0, 972, 0, 0, 1900}},
    {"AnnotatedPPDB", {0, 1260, 0, 0, 2500}},
    {"PavlickPPDB", {0, 26456, 0, 0, 40000}},
    {"CrossLingualSTS16", {0, 595, 0, 0, 1200}},
    {"Length", {100000, 20000, 6}},
    {"WordContent", {100000, 20000, 1000}},
    {"Depth", {100000, 20000, 7}},
    {"TopConstituents", {100000, 20000, 20}},
    {"BigramShift", {100000, 20000, 2}},
    {"Tense", {100000, 20000, 2}},
    {"SubjNumber", {100000, 20000, 2}},
    {"ObjNumber", {100000, 20000, 2}},
    {"OddManOut", {100000, 20000, 2}},
    {"CoordinationInversion", {100000, 20000, 2}},
};

run::TaskSize size_of(const std::string& task)
{
    const Published& one = published.at(task);
    const std::size_t items = one.train + one.test;
    const std::size_t sentences = one.sentences > 0 ? one.sentences : items;
    return {{one.train, one.test, one.classes, one.features}, sentences, sentences};
}

/// Encoders of three kinds: seconds by sentence, and to load.
struct Kind {
    const char* name;
    std::size_t count;
    double encode;
    double load;
};
constexpr Kind kinds[] = {
    {"word vectors", 16, 3e-5, 1}, {"recurrent", 16, 1e-3, 2}, {"transformers", 8, 1e-2, 10}};

struct Grid {
    run::Past past = run::Past(std::vector<core::Json>());
    std::vector<run::Unit> units; ///< before they are cut
    std::vector<const task::Task*> tasks;
    std::vector<double> encode; ///< of each encoder
    std::vector<double> load;
};

Grid make_grid(const task::Tasks& catalog)
{
    Grid grid;
    for (const auto& task : catalog)
        if (published.contains(task->info().name))
            grid.tasks.push_back(task.get());
    for (const Kind& kind : kinds)
        for (std::size_t one = 0; one < kind.count; ++one) {
            grid.encode.push_back(kind.encode);
            grid.load.push_back(kind.load);
        }
    run::Config config;
    config.seed_count = seeds;
    grid.units = run::all_units(grid.load.size(), grid.tasks, run::variants(config));
    return grid;
}

/// Of one thread.
double cell_seconds(const Grid& grid, const task::Task& task, const task::Settings& settings)
{
    const std::string& name = task.info().name;
    const core::Json protocol = task.protocol_settings(settings);
    return run::fit_seconds(protocol, size_of(name).size, dimension) *
           grid.past.fit_factor(name, protocol).value;
}

std::vector<team::TimedPiece> pieces_of(const Grid& grid, const std::vector<run::Unit>& units)
{
    std::vector<team::TimedPiece> pieces;
    for (const run::Unit& unit : units) {
        const task::Task& task = *grid.tasks[unit.task];
        const run::TaskSize size = size_of(task.info().name);
        double fit = 0;
        for (const task::Settings& settings : unit.settings)
            fit += cell_seconds(grid, task, settings);
        const auto sentences = static_cast<double>(size.distinct);
        const std::size_t cells = unit.settings.size();
        const bool is_long = fit >= run::long_cell_seconds * static_cast<double>(cells);
        const core::Json protocol = task.protocol_settings(unit.settings.front());
        pieces.push_back({{unit.encoder, unit.encoder * grid.tasks.size() + unit.task,
                           run::usual_encode_seconds * sentences + fit, 0, 0, cells, true,
                           is_long ? run::fit_processes(protocol) : 1},
                          grid.encode[unit.encoder] * sentences,
                          fit});
    }
    return pieces;
}

void print_costs(const Grid& grid)
{
    std::map<std::string, double> seconds;
    double all = 0;
    for (const auto& piece : pieces_of(grid, grid.units))
        all += piece.fit;
    const auto encoders = static_cast<double>(grid.load.size());
    fmt::print("{:<28}{:>12}{:>10}\n", "a cell of", "seconds", "of all");
    for (const task::Task* task : grid.tasks) {
        const double cell = cell_seconds(grid, *task, {});
        const auto cells =
            static_cast<double>(run::distinct_settings(*task, grid.units.front().settings).size());
        fmt::print("{:<28}{:>12.1f}{:>9.1f}%\n", task->info().name, cell,
                   100 * cell * cells * encoders / all);
    }
}

} // namespace

int main(int argc, char** argv)
{
    const task::Tasks catalog = tasks::catalog();
    Grid grid = make_grid(catalog);
    if (argc > 2) {
        grid.past = run::Past(run::Store(argv[1]).documents());
        for (const task::Task* task : grid.tasks)
            grid.past.learn(task->info().name, run::size_of(*task, argv[2], 0).size);
        fmt::print("costs corrected by {} results\n", grid.past.fits());
    }
    print_costs(grid);
    fmt::print("\n{} encoders, {} tasks, {} cells\n", grid.load.size(), grid.tasks.size(),
               run::cells_of(grid.units));
    fmt::print("| processes | pieces | hours | speed-up | busy | last to end |\n");
    fmt::print("|---:|---:|---:|---:|---:|---|\n");
    double alone = 0;
    const auto pieces = pieces_of(grid, grid.units);
    for (std::size_t processes = 1; processes <= 1024; processes *= 2) {
        const team::Makespan found = team::simulate(pieces, grid.load, processes);
        if (processes == 1)
            alone = found.seconds;
        const run::Unit& last = grid.units[found.last.unit];
        fmt::print("| {} | {} | {:.2f} | {:.1f} | {:.0f} % | {}, {} of {} seeds |\n", processes,
                   found.pieces, found.seconds / 3600, alone / found.seconds,
                   100 * found.busy / found.seconds / static_cast<double>(processes),
                   grid.tasks[last.task]->info().name, found.last.cells, last.settings.size());
    }
}
