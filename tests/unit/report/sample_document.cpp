#include "sample_document.hpp"

#include "report/published.hpp"
#include "stats/counter_stream.hpp"
#include "stats/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace senteval::test {
namespace {

using report::Measured;

constexpr std::array<const char*, 35> names = {"MR",
                                               "CR",
                                               "SUBJ",
                                               "MPQA",
                                               "SST2",
                                               "SST5",
                                               "TREC",
                                               "MRPC",
                                               "SICKEntailment",
                                               "SNLI",
                                               "STS12",
                                               "STS13",
                                               "STS14",
                                               "STS15",
                                               "STS16",
                                               "STSBenchmark",
                                               "SICKRelatedness",
                                               "STSBenchmarkUnsupervised",
                                               "SICKRelatednessUnsupervised",
                                               "Length",
                                               "WordContent",
                                               "Depth",
                                               "TopConstituents",
                                               "BigramShift",
                                               "Tense",
                                               "SubjNumber",
                                               "ObjNumber",
                                               "OddManOut",
                                               "CoordinationInversion",
                                               "ImageCaptionRetrieval",
                                               "Extra1",
                                               "Extra2",
                                               "Extra3",
                                               "Extra4",
                                               "Extra5"};

constexpr std::array<const char*, 12> encoder_names = {
    "glove",     "glove sif",         "fasttext",
    "paragram",  "borep 4096",        "lstm 4096",
    "esn 4096",  "bag of words",      "p-means",
    "glove max", "fasttext subwords", "a-plugin-with-a-very-long-name pooling=mean,max"};

bool is_similarity(std::size_t task)
{
    return task >= 10 && task < 19;
}

report::Task task_at(std::size_t i)
{
    report::Task task;
    task.name = names[i % names.size()];
    task.group = i < 9              ? "transfer"
                 : i < 10           ? "nli"
                 : is_similarity(i) ? "similarity"
                 : i < 29           ? "probing"
                                    : "retrieval";
    task.metric = is_similarity(i) ? i < 15 ? "all.pearson.mean" : "pearson" : "acc";
    task.unit = is_similarity(i) ? "Pearson's r" : "accuracy, %";
    task.decimals = is_similarity(i) ? 4 : 2;
    task.items = 1000 + 379 * i;
    task.detectable = is_similarity(i) ? 0.012 : 1.2;
    task.protocol = "nested 10-fold cross-validation, logistic regression";
    return task;
}

report::Cell cell_at(std::size_t encoder, std::size_t task, stats::CounterStream& random)
{
    report::Cell cell;
    if (encoder == 3 && task == 6) {
        cell.failure = "the encoder gave a value that is not finite for \"<b>\" & 'x'";
        return cell;
    }
    if (encoder == 4 && task == 7)
        return cell;
    const double scale = is_similarity(task) ? 0.01 : 1;
    const double quality =
        62 + 11 * random.uniform() + 1.4 * static_cast<double>((encoder * 5) % 11);
    const double half = 0.8 + 2 * random.uniform();
    cell.score = {scale * quality, scale * (quality - half), scale * (quality + half * 0.95)};
    cell.items = 1000;
    cell.p_versus_best = random.uniform() * random.uniform();
    cell.seconds = {{"load", 0.05},
                    {"prepare", 0.2 * random.uniform()},
                    {"embed", 0.4 + static_cast<double>(encoder % 7) * random.uniform()},
                    {"fit", 2 * random.uniform()},
                    {"score", 0.02}};
    return cell;
}

void mark_best(report::Document& document)
{
    const std::size_t tasks = document.tasks.size();
    for (std::size_t task = 0; task < tasks; ++task) {
        std::size_t best = 0;
        for (std::size_t encoder = 1; encoder < document.encoders.size(); ++encoder)
            if (!(document.cell(encoder, task).score.value <=
                  document.cell(best, task).score.value) &&
                document.cell(encoder, task).score.known())
                best = encoder;
        for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
            auto& cell = document.cells[encoder * tasks + task];
            cell.best = encoder == best;
            cell.against = encoder == best ? "" : document.encoders[best].name;
            cell.tied =
                cell.score.known() && cell.score.high >= document.cell(best, task).score.value;
        }
        document.cells[best * tasks + task].p_versus_best = core::nan;
    }
}

std::vector<report::Series>
series(const report::Document& document, std::size_t points, stats::CounterStream& random)
{
    std::vector<report::Series> result;
    for (std::size_t encoder = 0; encoder < std::min<std::size_t>(6, document.encoders.size());
         ++encoder) {
        report::Series line{document.encoders[encoder].name, {}};
        double value = 58 + 8 * random.uniform();
        for (std::size_t i = 0; i < points; ++i) {
            line.values.push_back({value, value - 1.1, value + 1.0});
            value += 4 * random.uniform();
        }
        result.push_back(line);
    }
    return result;
}

void add_details(report::Document& document, stats::CounterStream& random)
{
    for (const char* task : {"MR", "TREC", "STSBenchmark"})
        document.dimension_curves.push_back(
            {task, "PCA", "accuracy, %", 2, {25, 50, 100, 200, 300}, series(document, 5, random)});
    for (const char* by : {"sentence length, tokens", "unknown words, %"})
        document.slices.push_back({"MR",
                                   by,
                                   "accuracy, %",
                                   2,
                                   {"1–8", "9–16", "up to twenty-four words", "25+"},
                                   {812, 2400, 3111, 1200},
                                   series(document, 4, random)});
    document.side_by_side.push_back({"MR", "logistic regression", "MLP", "accuracy, %", 2, {}});
    for (const auto& encoder : document.encoders) {
        const auto rank = static_cast<double>(document.side_by_side.back().rows.size() + 1);
        document.side_by_side.back().rows.push_back(
            {encoder.name, 80 - rank, 81 - rank, rank, rank});
    }
    document.seeds.push_back({"lstm 4096", "MR", 9, 2, 72.3, 0.61, 0.21, 0.08, 0.05, 0.16, 0.36});
    document.errors.push_back(
        {"STSBenchmark",
         "glove",
         {{"A man plays <guitar>.", "A \"woman\" sings & dances.", "0.8", "0.97"}}});
}

} // namespace

report::Document sample_document(std::size_t encoders, std::size_t tasks)
{
    stats::CounterStream random(20, 18);
    report::Document document;
    document.subtitle = "invented numbers, to look at the report's design";
    for (std::size_t i = 0; i < encoders; ++i) {
        const std::string name = encoder_names[i % encoder_names.size()];
        document.encoders.push_back(
            {i < encoder_names.size() ? name : fmt::format("{} {}", name, i),
             "1.0, vectors=glove.txt, pooling=mean", "0123456789abcdef", 100 * (1 + i % 9)});
    }
    for (std::size_t i = 0; i < tasks; ++i)
        document.tasks.push_back(task_at(i));
    for (std::size_t encoder = 0; encoder < encoders; ++encoder)
        for (std::size_t task = 0; task < tasks; ++task)
            document.cells.push_back(cell_at(encoder, task, random));
    mark_best(document);
    std::vector<std::vector<double>> values(tasks);
    for (std::size_t task = 0; task < tasks; ++task) {
        document.correlations.tasks.push_back(document.tasks[task].name);
        for (std::size_t encoder = 0; encoder < encoders; ++encoder)
            values[task].push_back(document.cell(encoder, task).score.value);
    }
    const auto matrix = stats::task_correlation(values);
    document.correlations.r = matrix.r;
    document.correlations.n = matrix.n;
    document.warnings = {
        "The encoders differ in size, from 100 to 900 dimensions: larger embeddings "
        "are easier to separate. Compare at equal dimension.",
        "On STSBenchmarkUnsupervised the order of glove and p-means flips under z+l2."};
    document.methods = {"Accuracies have Wilson intervals, correlations BCa bootstrap intervals of "
                        "10 000 resamples."};
    document.published = report::published_tables();
    document.provenance.push_back({"Run", {{"program", "senteval 0.1.0"}, {"seed", "1111"}}});
    add_details(document, random);
    return document;
}

} // namespace senteval::test
