// May a new encoder take the place of the one in use?
#include "base/error.hpp"
#include "compare/gate.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <random>

using namespace senteval;
using compare::Answer;
using compare::Gate;
using compare::GateTask;

namespace {

/// Right on `both` items and on `own` further ones, of 1000, which are the last for "new" and the next for "prod".
std::vector<results::Cell>
pair_on(const std::string& task, int both, int own_of_prod, int own_of_new, int items = 1000)
{
    std::vector<results::Cell> cells;
    for (const bool is_new : {false, true}) {
        std::vector<std::pair<int, int>> outcomes;
        for (int i = 0; i < items; ++i) {
            const bool is_right =
                i < both || (is_new ? i >= items - own_of_new : i < both + own_of_prod);
            outcomes.emplace_back(1, is_right ? 1 : 0);
        }
        test::MadeCell cell;
        cell.encoder = is_new ? "new" : "prod";
        cell.parameters = {{"name", cell.encoder}};
        cell.settings = {{"protocol", "similarity"}};
        cell.task = task;
        const int right = both + (is_new ? own_of_new : own_of_prod);
        cell.metrics = {{"acc", 100.0 * right / items}};
        cell.items = test::class_items(
            outcomes, std::vector<std::uint32_t>(static_cast<std::size_t>(items), 1));
        cells.push_back(test::made(cell));
    }
    return cells;
}

std::vector<results::Cell> joined(std::vector<std::vector<results::Cell>> tasks)
{
    std::vector<results::Cell> all;
    for (auto& cells : tasks)
        std::ranges::move(cells, std::back_inserter(all));
    return all;
}

Gate gate_of(std::vector<results::Cell> cells, double margin = 1)
{
    const compare::Results results(std::move(cells));
    compare::Options options;
    options.baseline = "prod";
    options.margin = margin;
    const auto gates = compare::gates_of(compare::compare(results, options));
    REQUIRE(gates.size() == 1);
    CHECK(gates.front().row == "new");
    return gates.front();
}

} // namespace

TEST_CASE("a gate opens where the lower bound is above the margin on every task")
{
    const Gate same = gate_of(pair_on("A", 700, 0, 0));
    CHECK(same.answer == Answer::yes);
    CHECK(same.tasks[0].least == 0);
    const Gate gate = gate_of(joined({pair_on("A", 700, 5, 5), pair_on("B", 700, 0, 40)}));
    CHECK(gate.answer == Answer::yes);
    CHECK(gate.tasks[0].difference == doctest::Approx(0));
    // 10 of 1000 differ by 1: variance of the mean .01 / 999
    const double error = 100 * std::sqrt(.01 / 999);
    CHECK(gate.tasks[0].least == doctest::Approx(-1.6464 * error).epsilon(1e-3));
    CHECK(gate.tasks[0].most == doctest::Approx(1.6464 * error).epsilon(1e-3));
    CHECK(gate.tasks[1].least > 0);
}

TEST_CASE("what is worse within the margin passes, and is said to be worse")
{
    const Gate gate = gate_of(pair_on("A", 700, 20, 0), 4);
    CHECK(gate.answer == Answer::yes);
    CHECK(gate.tasks[0].is_worse);
    CHECK_FALSE(gate_of(pair_on("A", 700, 5, 5)).tasks[0].is_worse);
}

TEST_CASE("one task that loses more closes it, whatever the others gain")
{
    const Gate gate = gate_of(joined({pair_on("A", 600, 60, 0), pair_on("B", 700, 0, 90)}));
    CHECK(gate.answer == Answer::no);
    CHECK(gate.tasks[0].answer == Answer::no);
    CHECK(gate.tasks[1].answer == Answer::yes);
}

TEST_CASE("a loss has to be significant among all tasks")
{
    const auto losing = [] { return pair_on("A", 600, 38, 12); };
    CHECK(gate_of(losing()).answer == Answer::no);
    std::vector<std::vector<results::Cell>> tasks;
    tasks.push_back(losing());
    for (const char* name : {"B", "C", "D", "E", "F", "G", "H", "I"})
        tasks.push_back(pair_on(name, 600, 5, 5));
    const Gate gate = gate_of(joined(tasks));
    CHECK(gate.answer == Answer::open);
    CHECK(gate.tasks[0].answer == Answer::open);
    CHECK(gate.tasks[0].p_loss > compare::level);
    CHECK(gate.tasks[0].items_needed > 600); // at the level of one of nine
}

TEST_CASE("an open answer says how many items would tell, or why none can")
{
    const GateTask few = gate_of(pair_on("A", 70, 4, 4, 200)).tasks[0];
    CHECK(few.answer == Answer::open);
    // 8 of 200 differ: 1 point has to be the half-width and, for 80 of 100 cases, .84 standard errors more
    const double error = 100 * std::sqrt(.04 / 199);
    CHECK(double(few.items_needed) ==
          doctest::Approx(200 * std::pow((1.6525 + .8416) * error, 2)).epsilon(2e-2));
    const GateTask none = gate_of(pair_on("A", 10, 2, 2, 20)).tasks[0];
    CHECK(none.why == compare::Open::few_items);
    CHECK(none.answer == Answer::open);
}

TEST_CASE("a missing result is an error")
{
    auto cells = joined({pair_on("A", 700, 5, 5), pair_on("B", 700, 5, 5)});
    cells.pop_back();
    compare::Options options;
    options.baseline = "prod";
    options.margin = 1;
    const compare::Results results(std::move(cells));
    CHECK_THROWS_AS((void)compare::gates_of(compare::compare(results, options)), base::Error);
}

TEST_CASE("a gate with a loss of exactly the margin opens in at most 5 % of the cases")
{
    std::mt19937 random(7);
    int opened = 0;
    constexpr int cases = 400;
    for (int at = 0; at < cases; ++at) {
        // prod alone is right on 6 % of the items, new alone on 4 %: a loss of 2 points
        std::binomial_distribution<int> own(500, .10);
        const int apart = own(random);
        const int lost = std::binomial_distribution<int>(apart, .6)(random);
        opened += gate_of(pair_on("A", 300, lost, apart - lost, 500), 2).answer == Answer::yes;
    }
    CHECK(opened <= cases * 5 / 100 + 3 * 5);
    CHECK(opened >= 4);
}
