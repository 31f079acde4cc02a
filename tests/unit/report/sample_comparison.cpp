#include "sample_comparison.hpp"

#include <array>
#include <string_view>

namespace senteval::test {
namespace {

constexpr std::array<std::string_view, 6> encoders = {
    "glove mean",
    "glove max",
    "BOREP 4096",
    "LSTM",
    "a label of many words that no line of a plot can hold",
    "漢字 <b>"};
constexpr std::array<std::string_view, 10> transfer = {
    "MR", "CR", "SUBJ", "MPQA", "SST2", "TREC", "MRPC", "SST5", "SICKEntailment", "SNLI"};

compare::Entry entry_of(std::size_t row, std::size_t rows, std::size_t task, bool share)
{
    const double unit = share ? 1 : 0.01;
    compare::Entry entry;
    auto& score = entry.score;
    score.value = unit * (80 - 2.7 * static_cast<double>(row) - static_cast<double>(task % 7));
    score.interval = {score.value - 1.3 * unit, score.value + 1.2 * unit};
    score.items = 1000 + 100 * task;
    score.seeds = share ? 5 : 1;
    score.sd = 0.3 * unit;
    if (row == 0) {
        entry.verdict = compare::Verdict::reference;
        return entry;
    }
    auto& difference = entry.difference;
    if (row + 1 == rows && rows > 2) {
        entry.verdict = compare::Verdict::unknown;
        difference.open = compare::Open::few_seeds;
        return entry;
    }
    entry.verdict = row == 1 ? compare::Verdict::tied : compare::Verdict::worse;
    difference.value = -2.7 * unit * static_cast<double>(row);
    difference.interval = {difference.value - 1.5 * unit,
                           row == 1 ? unit : difference.value + 1.5 * unit};
    difference.p_adjusted = row == 1 ? 0.21 : 0.0004;
    return entry;
}

} // namespace

compare::Comparison sample_comparison(std::size_t rows, std::size_t tasks)
{
    compare::Comparison comparison;
    comparison.tested = true;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string number = row < encoders.size() ? "" : " " + std::to_string(row);
        comparison.rows.push_back(std::string(encoders[row % encoders.size()]) + number);
        comparison.dimensions.push_back(100 * (row + 1));
    }
    for (std::size_t at = 0; at < tasks; ++at) {
        const bool share = at < transfer.size();
        compare::TaskComparison task;
        task.task = share ? std::string(transfer[at]) : "STS" + std::to_string(at + 2);
        task.group = share ? "transfer" : "similarity";
        task.metric = {share ? "acc" : "pearson", share ? "accuracy" : "Pearson's r",
                       share ? results::percent : results::correlation, share ? 2 : 4};
        task.trained = share;
        for (std::size_t row = 0; row < rows; ++row)
            task.entries.push_back(entry_of(row, rows, at, share));
        task.reference = 0;
        task.half_width = share ? 1.5 : 0.015;
        task.detectable = share ? 2 : 0.02;
        comparison.tasks.push_back(std::move(task));
    }
    compare::AcrossTasks across;
    for (std::size_t row = 0; row < rows; ++row) {
        across.rows.push_back(row);
        across.mean_ranks.push_back(static_cast<double>(row + 1));
        across.intervals.push_back({static_cast<double>(row), static_cast<double>(row + 2)});
    }
    for (const auto& task : comparison.tasks)
        across.tasks.push_back(task.task);
    across.groups = {{0, std::min<std::size_t>(1, rows - 1)}};
    comparison.across = across;
    std::vector<double> means(rows, 75.5);
    comparison.averages = {{"avg %", 2, {"MR", "CR"}, means}};
    comparison.notes = {compare::Note{"a < b & c"}};
    return comparison;
}

std::string sample_page(const compare::Comparison& comparison)
{
    const compare::Results none({});
    report::Page page{comparison, none};
    compare::Slices slices;
    slices.task = "MR";
    slices.by = "sentence length, tokens";
    slices.metric = comparison.tasks.front().metric;
    slices.parts = {"1 to 4", "5 to 9", "10 and more"};
    slices.items = {49, 50, 900};
    for (const std::string& row : comparison.rows) {
        slices.rows.push_back(row);
        slices.scores.push_back({{1, {0.125, 99.75}}, {70, {60, 80}}, {72, {71, 73}}});
    }
    page.slices = {slices, slices};
    page.slices.back().rows.resize(1); // a set of encoders of its own
    page.errors = {{"MR", comparison.rows.front(), {{"a film", "", "1", "0 (0.99)"}}}};
    return report::to_html(page);
}

} // namespace senteval::test
