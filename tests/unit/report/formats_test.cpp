#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/words.hpp"
#include "support/support.hpp"

using namespace senteval;
using compare::Open;
using compare::Verdict;

namespace {

const results::Metric accuracy = {"acc", "accuracy", results::percent, 2};
const results::Metric spearman = {"all.spearman.all", "Spearman's rho", results::correlation, 4};

struct Row {
    double value;
    Verdict verdict;
    Open open = Open::no;
    std::size_t seeds = 5;
};

/// Differences are to the first row, in whose scale half an interval is 1 of 80.
compare::TaskComparison
task_of(const std::string& name, const results::Metric& metric, const std::vector<Row>& rows)
{
    compare::TaskComparison task;
    task.task = name;
    task.group = metric.unit == results::percent ? "transfer" : "similarity";
    task.metric = metric;
    task.trained = metric.unit == results::percent;
    task.compared_with = 0;
    const double half = rows.front().value / 80;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& [value, verdict, open, seeds] = rows[row];
        compare::Entry entry;
        entry.score.value = value;
        entry.score.seeds = task.trained ? seeds : 1;
        entry.score.sd = half / 2;
        entry.score.values = {value};
        entry.score.items = 500;
        entry.score.interval = {value - half, value + half};
        entry.verdict = verdict;
        entry.difference.open = open;
        if (row > 0) {
            const double difference = value - rows.front().value;
            entry.difference.value = difference;
            entry.difference.standard_error = half / 2;
            entry.difference.interval = {difference - half, difference + half};
            entry.difference.items_only = open == Open::few_seeds;
            entry.difference.p_adjusted = open != Open::no            ? base::nan
                                          : verdict == Verdict::worse ? 0.001
                                                                      : 0.4;
        }
        task.entries.push_back(std::move(entry));
    }
    if (rows.front().verdict == Verdict::reference) {
        task.reference = 0;
        task.half_width = half;
        task.detectable = 1.4 * half;
    }
    return task;
}

constexpr Row best(double value)
{
    return {value, Verdict::reference};
}

constexpr Row open_row(double value, Open open = Open::few_seeds)
{
    return {value, Verdict::unknown, open, 1};
}

/// Three rows: BOREP is the best on TREC and tied on STS14; SICKEntailment has one seed.
compare::Comparison example()
{
    compare::Comparison comparison;
    comparison.tested = true;
    comparison.rows = {"BOREP", "glove", "one hot"};
    comparison.dimensions = {1024, 100, 0};
    comparison.tasks = {
        task_of("TREC", accuracy, {best(75.8), {64.84, Verdict::worse}, {75.1, Verdict::tied}}),
        task_of("SICKEntailment", accuracy, {open_row(79.2), open_row(75.6), open_row(70)}),
        task_of("STS14", spearman,
                {best(0.4744), {0.4655, Verdict::tied}, {0.3501, Verdict::worse}})};
    comparison.averages = {{"avg %", 2, {"TREC", "SICKEntailment"}, {77.5, 70.22, 72.55}}};
    comparison.missing_seeds =
        compare::MissingSeeds{{"SICKEntailment"}, {"BOREP", "glove", "one hot"}, 12, 4.2};
    comparison.notes = {compare::Note{"dimensions 100 to 1024: --equal-dimension 100"}};
    return comparison;
}

/// Of a line of the CSV, by column.
std::string field(const std::string& csv, std::size_t line, const std::string& column)
{
    const auto lines = test::lines_of(csv);
    std::istringstream names(lines.at(0));
    std::istringstream values(lines.at(line));
    for (std::string name, value; std::getline(names, name, ',');) {
        std::getline(values, value, ',');
        if (name == column)
            return value;
    }
    return "no such column";
}

} // namespace

TEST_CASE("the default table")
{
    CHECK(report::to_terminal(example(), {.width = 120}) ==
          R"(3 encoders x 3 tasks, 5 seeds (SICK-E: one seed)

BOREP is best or tied on all 2.

encoder     best or =  avg %   dim  TREC   SICK-E   STS14
----------------------------------------------------------
BOREP          2 of 2   77.5  1024  75.8=    79.2?   .474=
glove          1 of 2   70.2   100  64.8     75.6?   .466=
one hot        1 of 2   72.6     -  75.1=    70.0?   .350
half-width                           0.9             .006
Spearman's rho: STS14; accuracy, %: TREC, SICK-E
= best, or not significantly worse   ? no verdict
half-width: of the 95 % interval of a difference to the best, typical

open  SICK-E: fewer than 5 seeds (every row).  senteval run ... --tasks SICKEntailment --seeds 5   about 4 s
note  dimensions 100 to 1024: --equal-dimension 100
more: --details, --across-tasks, --baseline LABEL, --table sts, --format csv
)");
}

TEST_CASE("nine encoders on eight tasks take 30 lines of 120 columns, and 40 of 80")
{
    compare::Comparison comparison;
    comparison.tested = true;
    comparison.rows = {
        "GloVe SIF",         "BOREP 1024", "GloVe power means",    "Random LSTM 512", "One-hot",
        "fastText skipgram", "GloVe mean", "GloVe mean, any case", "Paragram"};
    comparison.dimensions = {50, 1024, 200, 512, 213, 24, 50, 50, 50};
    for (const char* name : {"MR", "SUBJ", "TREC", "STS12", "STS13", "STS14", "STS15", "STS16"}) {
        const bool trained = !std::string_view(name).starts_with("STS");
        const double unit = trained ? 1 : 0.01;
        std::vector<Row> rows = {best(75 * unit), {74.8 * unit, Verdict::tied}};
        rows.resize(9, {60 * unit, Verdict::worse});
        if (name == std::string_view("SUBJ")) { // led by another row
            rows[1] = rows[4];
            std::ranges::swap(rows[0], rows[4]);
        }
        compare::TaskComparison task = task_of(name, trained ? accuracy : spearman, rows);
        task.reference = name == std::string_view("SUBJ") ? 4 : 0;
        task.half_width = unit;
        task.in_folds = name == std::string_view("MR");
        for (compare::Entry& entry : task.entries) {
            entry.data_warnings = {"a sample"};
            entry.score.deterministic = name == std::string_view("MR");
        }
        comparison.tasks.push_back(std::move(task));
    }
    comparison.averages = {{"avg %", 2, {"MR", "TREC"}, std::vector<double>(9, 70)},
                           {"avg r", 4, {"STS12", "STS16"}, std::vector<double>(9, 0.4)}};
    for (const auto& [width, most] : {std::pair(120, 30), std::pair(80, 40), std::pair(60, 60)}) {
        const auto lines = test::lines_of(
            report::to_terminal(comparison, {.width = static_cast<std::size_t>(width)}));
        CHECK(lines.size() <= static_cast<std::size_t>(most));
        for (const std::string& line : lines)
            CHECK(base::display_width(line) <= static_cast<std::size_t>(width));
    }
    const std::string text = report::to_terminal(comparison, {.folds = false});
    CHECK(test::times(text, "\nGloVe SIF") == 1);
}

TEST_CASE("where the best value has no verdict nothing is bold or =, in any format")
{
    compare::Comparison comparison = example();
    comparison.tasks = {task_of("TREC", accuracy, {best(70), {69.9, Verdict::tied}, open_row(72)})};
    comparison.tasks.front().is_open = true;
    comparison.averages.clear();
    comparison.missing_seeds.reset();
    CHECK_FALSE(test::contains(report::to_terminal(comparison, {.bold = true}), "\x1b[1m"));
    CHECK(test::times(report::to_terminal(comparison, {}), "=") == 1); // of the heading "best or ="
    CHECK_FALSE(test::contains(report::details_to_terminal(comparison, {.bold = true}), "\x1b[1m"));
    CHECK_FALSE(test::contains(report::to_markdown(comparison), "**"));
    CHECK_FALSE(test::contains(report::to_latex(comparison, "a"), "textbf"));
    const std::string csv = report::to_csv(comparison);
    for (std::size_t line = 1; line <= 3; ++line) {
        CHECK(field(csv, line, "best") == "0");
        CHECK(field(csv, line, "among_best") == "0");
        CHECK(field(csv, line, "verdict") == "no verdict");
    }
    CHECK(report::count_of_best(comparison, 0).of == 0);
}

TEST_CASE("a caution stands first below every table, whole, and its cell has no verdict")
{
    compare::Comparison comparison = example();
    comparison.tasks[0].entries[2].cautions = {{"too-few-steps", "8 steps", "--classifier x"}};
    comparison.tasks[0].entries[2].verdict = Verdict::unknown;
    comparison.tasks[0].entries[2].difference.open = Open::caution;
    for (int note = 0; note < 20; ++note)
        comparison.notes.push_back({"note " + std::to_string(note)});
    const std::string caution =
        "TREC (one hot): no verdict, as 8 steps.  senteval run ... --tasks TREC "
        "--classifier x";
    const report::TerminalStyle style{.width = 200};
    compare::Comparison run = comparison;
    run.tested = false;
    CHECK(test::contains(report::to_terminal(comparison, style), "\n\ncaution  " + caution + "\n"));
    CHECK(test::contains(report::details_to_terminal(comparison, style),
                         "\n\ncaution  " + caution + "\n"));
    CHECK(test::contains(report::values_to_terminal(run, style),
                         {"\n\ncaution  " + caution, "75.10 ±0.47?"}));
    for (const auto print : {report::Print::plain, report::Print::full}) {
        CHECK(test::contains(report::to_markdown(comparison, print), "|\n\n*caution*: TREC"));
        CHECK(test::contains(report::paper_to_terminal(comparison, style, print),
                             "\ncaution  " + caution));
        CHECK(test::contains(report::to_latex(comparison, "a", print), "% caution: " + caution));
    }
    const std::string csv = report::to_csv(comparison);
    CHECK(field(csv, 7, "cautions") == "too-few-steps");
    CHECK(field(csv, 7, "verdict") == "no verdict");
    CHECK(field(csv, 6, "cautions").empty());
    const base::Json json = report::to_json(comparison);
    CHECK(json.at("cautions") == base::Json{caution});
    CHECK(json.at("cells").at(2).at("cautions") == base::Json{"too-few-steps"});
}

TEST_CASE("the legend says what a verdict on a deterministic row is about")
{
    compare::Comparison comparison = example();
    for (const bool in_folds : {false, true}) {
        comparison.tasks[0].in_folds = in_folds;
        for (compare::Entry& entry : comparison.tasks[0].entries)
            entry.score.deterministic = true;
        const std::string legend = report::legend(comparison);
        CHECK(test::contains(legend, "TREC (one seed)"));
        CHECK(test::contains(legend, "folds' classifiers") == in_folds);
        CHECK(report::seeds_of(comparison) == "one seed"); // of SICKEntailment
    }
}

TEST_CASE("a run's table has no verdicts: nothing is bold")
{
    compare::Comparison table = example();
    table.tested = false;
    table.missing_seeds.reset();
    for (compare::TaskComparison& task : table.tasks)
        for (compare::Entry& entry : task.entries)
            entry.verdict = Verdict::missing;
    table.tasks[0].entries[1].score.value = base::nan;
    table.tasks[0].entries[1].failed = true;
    const std::string text = report::values_to_terminal(table, {.bold = true});
    CHECK_FALSE(test::contains(text, "\x1b[1m"));
    CHECK(test::contains(text, {"75.80 ±0.47", "0.4744", "failed"}));
    for (const auto& task : table.tasks)
        CHECK(test::times(text, task.metric.axis()) == 1);
    CHECK_FALSE(test::contains(report::to_markdown(table), "**"));
}

TEST_CASE("against a baseline")
{
    compare::Comparison comparison = example();
    comparison.options.baseline = "BOREP";
    comparison.tasks[0].entries[2].verdict = Verdict::better;
    const std::string text = report::to_terminal(comparison, {.width = 120});
    CHECK(test::contains(text, {"75.8=", "64.8▼", "75.1▲"}));
    const auto lines = report::summary_of(comparison);
    REQUIRE(lines.size() == 4);
    CHECK(lines[1].label == "one hot");
    CHECK(lines[1].text == "better on 1 (TREC -0.7), worse on 1 (STS14 -.124), tied on 0");
    CHECK(lines[0].text == "better on none, worse on 1 (TREC -11.0), tied on 1");
    CHECK(test::contains(report::to_markdown(comparison), "**75.10▲**"));
    CHECK(field(report::to_csv(comparison), 1, "best") == "0");
}

TEST_CASE("a caption explains what its table has: arrows with test, level and seeds, brackets")
{
    const auto caption = [](const compare::Comparison& comparison, report::Print print) {
        const std::string text = report::to_latex(comparison, "x", print);
        const std::size_t at = text.find("\\caption{");
        return text.substr(at, text.find('\n', at) - at);
    };
    compare::Comparison comparison = example();
    const std::string best_of = caption(comparison, report::Print::full);
    CHECK(test::contains(best_of, {"Bold", "studentised range, level 5 \\%; 5 seeds", "Brackets"}));
    CHECK_FALSE(test::contains(caption(comparison, report::Print::plain), "Brackets"));
    comparison.options.baseline = "BOREP";
    const std::string to_baseline = caption(comparison, report::Print::full);
    CHECK(test::contains(to_baseline,
                         {"$^{\\uparrow}$ (bold), $^{\\downarrow}$", "than BOREP", "Holm"}));
    CHECK_FALSE(test::contains(caption(comparison, report::Print::plain), "arrow"));
    for (compare::TaskComparison& task : comparison.tasks)
        for (compare::Entry& entry : task.entries) {
            entry.verdict = Verdict::unknown; // as imported
            entry.score.interval = {base::nan, base::nan};
        }
    const std::string bare = caption(comparison, report::Print::full);
    for (const char* what : {"old", "arrow", "Brackets", "level"})
        CHECK_FALSE(test::contains(bare, what));
    const auto printed = report::as_printed(example(), report::paper_table("sts"));
    CHECK(test::contains(caption(printed, report::Print::full), "$\\times$ 100"));
}

TEST_CASE("what smaller vectors lose: shares of the bytes, losses, and what to take")
{
    compare::Comparison comparison = example();
    comparison.options.margin = 2;
    compare::Losses losses;
    losses.full = 0;
    losses.tasks = {comparison.tasks[0]};
    losses.variants = {{1, "int8", 1 / 4.0, 10.96, {10.01, 11.91}, 0, "worse"},
                       {2, "128:int8", 1 / 12.0, 0.7, {-0.2, 1.65}, 0, "equal"},
                       {2, "320", 320 / 384.0, base::nan, {base::nan, base::nan}, 0, "no verdict"}};
    losses.smallest = 1;
    const std::string text = report::losses_to_terminal({losses}, comparison, {.width = 80});
    CHECK(test::contains(text, {"25 %  11.0 [10.0, 11.9]   TREC 11.0", " 8.3 %  ", " 83 %  ",
                                "Take one hot: equal within 2, at 8.3 % of the bytes."}));
    const base::Json json = report::losses_to_json({losses}, comparison);
    CHECK(json.size() == 3);
    CHECK(json[1].at("verdict") == "equal");
    CHECK(json[1].at("high") == 1.65);
    losses.smallest.reset();
    losses.open = Open::few_seeds;
    const std::string none = report::losses_to_terminal({losses}, comparison, {.width = 80});
    CHECK(test::contains(none, "Take the full vectors"));
    CHECK(test::contains(none, report::reason_for(Open::few_seeds)));
}

TEST_CASE("details: differences, p, and what has no verdict under a heading of its own")
{
    const std::string text = report::details_to_terminal(example(), {.width = 120});
    CHECK(test::contains(text, {"TREC  acc   500 items   detectable difference (power 80 %) 1.33\n",
                                "to BOREP", "-10.96    [-11.91, -10.01]  .0010"}));
    CHECK(test::times(text, "items only, no verdict:") == 1);
    compare::Comparison imported = example();
    imported.tasks = {
        task_of("TREC", accuracy, {best(70), {69, Verdict::tied}, open_row(50, Open::no_items)})};
    CHECK(test::contains(report::details_to_terminal(imported, {}),
                         "no verdict, only the score is known"));
    imported.tasks.front().entries[1].letters = "a";
    imported.options.all_pairs = true;
    CHECK(test::contains(report::details_to_terminal(imported, {}), "groups"));
    CHECK(test::contains(report::to_terminal(imported, {}), "69.0= a"));
}

TEST_CASE("equivalence is marked where a margin was asked for")
{
    compare::Comparison comparison = example();
    comparison.options.margin = 1;
    comparison.tasks[0].entries[2].difference.p_equivalent = 0.01;
    const std::string text = report::to_terminal(comparison, {.width = 200});
    CHECK(test::contains(text, {"75.1=≈", "≈ differs by less than 1 point"}));
}

TEST_CASE("two encoders: one sentence says who is better on what, and by how much")
{
    compare::Comparison two = example();
    two.rows.pop_back();
    for (compare::TaskComparison& task : two.tasks)
        task.entries.pop_back();
    const auto answer = report::answer_of(two);
    REQUIRE(answer.size() == 1);
    CHECK(answer[0].text == "BOREP is better on TREC by 11.0 points [10.0, 11.9]; no significant "
                            "difference on STS14.");
}

TEST_CASE("more encoders: who is best in each group of tasks, and who is better than that")
{
    compare::Comparison comparison = example();
    comparison.tasks[0].group = "transfer";
    comparison.tasks[2].group = "similarity";
    comparison.tasks[2].reference = 1;
    comparison.tasks[2].entries[0].verdict = Verdict::worse;
    const auto answer = report::answer_of(comparison);
    REQUIRE(answer.size() == 3);
    CHECK(answer[1].label == "transfer");
    CHECK(test::contains(answer[1].text, "BOREP is best or tied on TREC"));
    CHECK(test::contains(answer[2].text, "glove is best or tied on STS14"));
    comparison.tasks[0].is_open = comparison.tasks[2].is_open = true;
    CHECK(report::answer_of(comparison).empty());
}

TEST_CASE("a note stands once, and what is left out is counted")
{
    compare::Comparison comparison = example();
    for (int note = 0; note < 4; ++note)
        comparison.notes.push_back({"a warning"});
    CHECK(report::remarks_of(comparison).size() == 3);
    for (int note = 0; note < 9; ++note)
        comparison.notes.push_back({std::to_string(note)});
    CHECK(report::remarks_of(comparison).size() == 5);
    CHECK(report::remarks_of(comparison).back().text.starts_with("8 more"));
    CHECK(report::remarks_of(comparison, 100).size() == 12);
}

TEST_CASE("CSV and JSON have every state")
{
    const std::string csv = report::to_csv(example());
    CHECK(test::lines_of(csv).size() == 10);
    // Line by line: BOREP on TREC, SICKEntailment, STS14; then the other rows.
    CHECK(field(csv, 1, "best") == "1");
    CHECK(field(csv, 1, "against").empty());
    CHECK(field(csv, 4, "encoder") == "glove");
    CHECK(field(csv, 4, "against") == "BOREP");
    CHECK(field(csv, 4, "verdict") == "worse");
    CHECK(field(csv, 4, "among_best") == "0");
    CHECK(field(csv, 5, "verdict") == "no verdict");
    CHECK(field(csv, 5, "why_no_verdict") == "fewer than 5 seeds");
    CHECK(field(csv, 5, "items_only") == "1");
    CHECK(field(csv, 5, "p_adjusted").empty());
    CHECK(field(csv, 6, "among_best") == "1");
    const base::Json json = report::to_json(example());
    CHECK(json.at("cells").size() == 9);
    CHECK(json.at("missing_seeds").at("cells") == 12);
    CHECK(json.at("cells")[0].at("verdict") == "reference");
    compare::Comparison pairs = example();
    pairs.tasks[0].pairs = {{1, 2, pairs.tasks[0].entries[1].difference, Verdict::worse}};
    CHECK(field(report::to_csv(pairs), 10, "against") == "one hot");
    CHECK(report::to_json(pairs).at("pairs")[0].at("verdict") == "worse");
}

TEST_CASE("where F1 stands, its class stands")
{
    compare::Comparison comparison = example();
    comparison.tasks[0].metric = {"f1", "F1 of 'fine'", results::percent, 2, true, {"f1", ""}};
    CHECK(comparison.tasks[0].metric.name() == "F1 of 'fine'");
    CHECK(comparison.tasks[1].metric.name() == "acc");
    const report::TerminalStyle style{.width = 200};
    for (const std::string& shown :
         {report::to_terminal(comparison, style), report::details_to_terminal(comparison, style),
          report::values_to_terminal(comparison, style),
          report::to_markdown(comparison, report::Print::plain),
          report::to_latex(comparison, "x", report::Print::plain)})
        CHECK(test::times(shown, "TREC (F1 of 'fine')") == 1);
    CHECK(field(report::to_csv(comparison), 1, "metric_title") == "F1 of 'fine'");
    CHECK(report::to_json(comparison).at("cells")[0].at("metric_title") == "F1 of 'fine'");
}

TEST_CASE("a table of papers: their tasks in their order, correlations times 100, an average")
{
    compare::Comparison comparison = example();
    comparison.tasks.push_back(
        task_of("STS12", spearman, {best(0.6), {0.5, Verdict::worse}, {0.4, Verdict::worse}}));
    const auto printed = report::as_printed(comparison, report::paper_table("sts"));
    REQUIRE(printed.tasks.size() == 2);
    CHECK(printed.tasks.front().task == "STS12");
    CHECK(report::paper_to_csv(printed) == "encoder,STS12,STS14,Avg. of 2\n"
                                           "BOREP,60.00,47.44,53.72\n"
                                           "glove,50.00,46.55,48.28\n"
                                           "one hot,40.00,35.01,37.51\n");
    const std::string latex = report::to_latex(printed, "sts");
    CHECK(test::times(latex, "\\begin{tabular}") == 1);
    CHECK(test::contains(latex, {"\\textbf{60.00}", "\\label{tab:sts}"}));
    const auto caption = latex.find("\\caption{");
    CHECK(latex.find('\n', caption) - caption < 310);
    CHECK(test::contains(latex, "\\scriptsize ["));
    const std::string plain = report::to_latex(printed, "sts", report::Print::plain);
    CHECK_FALSE(test::contains(plain, "\\scriptsize"));
    CHECK(report::paper_to_terminal(printed, {}, report::Print::plain).find('=') ==
          std::string::npos);
    CHECK_THROWS((void)report::paper_table("other"));
    const auto& probing = report::paper_table("probing");
    CHECK(report::paper_table_of(probing.tasks) == &probing);
}

TEST_CASE("learned similarity has a heading of its own")
{
    CHECK(report::short_name("SICKRelatedness") == "SICK-R learned");
    CHECK(report::short_name("SICKRelatednessUnsupervised") == "SICK-R");
    CHECK(report::short_name("Mine") == "Mine");
}

TEST_CASE("slices and mean ranks")
{
    compare::Slices slices;
    slices.task = "TREC";
    slices.by = "gold class";
    slices.metric = accuracy;
    slices.parts = {"NUM", "LOC"};
    slices.items = {100, 20};
    slices.rows = {"BOREP"};
    slices.scores = {{{80, {70, 90}}, {50}}};
    const std::string text = report::slices_to_terminal({slices}, {});
    CHECK(test::contains(text, "BOREP  80.0 [70.0, 90.0]  50.0\n"));
    CHECK(report::slices_to_json({slices})[0].at("parts")[1].at("items") == 20);

    compare::Comparison comparison = example();
    compare::AcrossTasks across;
    across.rows = {0, 1, 2};
    across.mean_ranks = {1, 2, 3};
    across.intervals = {{1, 1}, {1.5, 2.5}, {2.5, 3}};
    across.tasks = {"TREC", "STS14"};
    across.pairs = {{0, 1, 0.2, 2}, {0, 2, 0.01, 2}, {1, 2, 0.3, 1}};
    across.groups = {{0, 1}};
    comparison.across = across;
    const std::string ranks = report::across_to_terminal(comparison, 100);
    CHECK(test::contains(
        ranks, {"   1.00 [ 1.00,  1.00]  BOREP   |\n", "   3.00 [ 2.50,  3.00]  one hot\n"}));
    const auto lines = report::summary_of(comparison);
    const auto over = std::ranges::find(lines, "over tasks", &report::SummaryLine::label);
    REQUIRE(over != lines.end());
    CHECK(over->text.ends_with("not significantly better than glove"));
    CHECK(report::to_json(comparison).at("across_tasks").at("pairs").size() == 3);
    CHECK(report::to_json(comparison).at("across_tasks").at("encoders").at(1).at("interval") ==
          base::Json({1.5, 2.5}));
    CHECK(test::lines_of(report::to_csv(comparison)).size() == 16);
}
