#include "report/published.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace senteval::report {
namespace {

constexpr double missing = not_a_number;

PublishedTable senteval_transfer()
{
    PublishedTable table;
    table.title = "SentEval, table 3: transfer tasks";
    table.source = "Conneau & Kiela 2018, SentEval: An Evaluation Toolkit for Universal Sentence "
                   "Representations, LREC, table 3";
    table.note = "Accuracy and F1 in per cent.";
    table.columns = {
        {"MR", "MR", "acc", 1},       {"CR", "CR", "acc", 1},
        {"SUBJ", "SUBJ", "acc", 1},   {"MPQA", "MPQA", "acc", 1},
        {"SST-2", "SST2", "acc", 1},  {"SST-5", "SST5", "acc", 1},
        {"TREC", "TREC", "acc", 1},   {"MRPC acc.", "MRPC", "acc", 1},
        {"MRPC F1", "MRPC", "f1", 1}, {"SICK-E", "SICKEntailment", "acc", 1},
    };
    table.rows = {
        {"GloVe LogReg", {77.4, 78.7, 91.2, 87.7, 80.3, 44.7, 83.0, 72.7, 81.0, 78.5}},
        {"GloVe MLP", {77.7, 79.9, 92.2, 88.7, 82.3, 45.4, 85.2, 73.0, 80.9, 79.0}},
        {"fastText LogReg", {78.2, 80.2, 91.8, 88.0, 82.3, 45.1, 83.4, 74.4, 82.4, 78.9}},
        {"fastText MLP", {78.0, 81.4, 92.9, 88.5, 84.0, 45.1, 85.6, 74.4, 82.3, 80.2}},
        {"SkipThought", {79.4, 83.1, 93.7, 89.3, 82.9, missing, 88.4, 72.4, 81.6, 79.5}},
        {"InferSent", {81.1, 86.3, 92.4, 90.2, 84.6, 46.3, 88.2, 76.2, 83.1, 86.3}},
        {"Supervised, trained on each task",
         {83.1, 86.3, 95.5, 93.3, 89.5, 52.4, 96.1, 80.4, 85.9, 84.5}},
    };
    return table;
}

PublishedTable senteval_similarity()
{
    PublishedTable table;
    table.title = "SentEval, table 4: semantic similarity";
    table.source = "Conneau & Kiela 2018, LREC, table 4";
    table.note = "Pearson's r x 100; of STS '12 to '16 the unweighted mean over the subsets.";
    table.columns = {
        {"STS '12", "STS12", "all.pearson.mean", 0.01},
        {"STS '13", "STS13", "all.pearson.mean", 0.01},
        {"STS '14", "STS14", "all.pearson.mean", 0.01},
        {"STS '15", "STS15", "all.pearson.mean", 0.01},
        {"STS '16", "STS16", "all.pearson.mean", 0.01},
        {"SICK-R", "SICKRelatedness", "pearson", 0.01},
        {"STS-B", "STSBenchmark", "pearson", 0.01},
    };
    table.rows = {
        {"GloVe BoW", {52.1, 49.6, 54.6, 56.1, 51.4, 79.9, 64.7}},
        {"fastText BoW", {58.3, 57.9, 64.9, 67.6, 64.3, 82.0, 70.2}},
        {"SkipThought-LN", {30.8, 24.8, 31.4, 31.0, missing, 85.8, 72.1}},
        {"InferSent", {59.2, 58.9, 69.6, 71.3, 71.5, 88.3, 75.6}},
        {"Char-phrase", {66.1, 57.2, 74.7, 76.1, missing, missing, missing}},
        {"PP-Proj; Tree-LSTM for SICK-R", {60.0, 56.8, 71.3, 74.8, missing, 86.8, missing}},
    };
    return table;
}

PublishedTable wieting_models()
{
    PublishedTable table;
    table.title = "Wieting et al., table 2: similarity";
    table.source = "Wieting, Bansal, Gimpel & Livescu 2016, Towards Universal Paraphrastic "
                   "Sentence Embeddings, ICLR, table 2";
    table.note = "Pearson's r x 100 of cosines; means unweighted. That of STS13 includes SMT, "
                 "which is not distributed.";
    table.columns = {
        {"MSRpar '12", "STS12", "MSRpar.pearson", 0.01},
        {"MSRvid '12", "STS12", "MSRvid.pearson", 0.01},
        {"SMT-eur '12", "STS12", "SMTeuroparl.pearson", 0.01},
        {"OnWN '12", "STS12", "surprise.OnWN.pearson", 0.01},
        {"SMT-news '12", "STS12", "surprise.SMTnews.pearson", 0.01},
        {"STS12 mean", "STS12", "all.pearson.mean", 0.01},
        {"headline '13", "STS13", "headlines.pearson", 0.01},
        {"OnWN '13", "STS13", "OnWN.pearson", 0.01},
        {"FNWN '13", "STS13", "FNWN.pearson", 0.01},
        {"SMT '13", "", "", 0.01},
        {"STS13 mean", "", "", 0.01},
        {"deft forum '14", "STS14", "deft-forum.pearson", 0.01},
        {"deft news '14", "STS14", "deft-news.pearson", 0.01},
        {"headline '14", "STS14", "headlines.pearson", 0.01},
        {"images '14", "STS14", "images.pearson", 0.01},
        {"OnWN '14", "STS14", "OnWN.pearson", 0.01},
        {"tweet news '14", "STS14", "tweet-news.pearson", 0.01},
        {"STS14 mean", "STS14", "all.pearson.mean", 0.01},
        {"answers-forums '15", "STS15", "answers-forums.pearson", 0.01},
        {"answers-students '15", "STS15", "answers-students.pearson", 0.01},
        {"belief '15", "STS15", "belief.pearson", 0.01},
        {"headline '15", "STS15", "headlines.pearson", 0.01},
        {"images '15", "STS15", "images.pearson", 0.01},
        {"STS15 mean", "STS15", "all.pearson.mean", 0.01},
        {"2014 SICK", "SICKRelatednessUnsupervised", "pearson", 0.01},
        {"2015 Twitter", "", "", 0.01},
    };
    table.rows = {
        {"Shared task, median",
         {51.5, 75.5, 44.4, 60.8, 40.1, 54.5, 64.0, 52.8, 32.7, 31.8, 45.3, 36.6, 66.2,
          67.1, 75.6, 78.0, 64.7, 64.7, 61.3, 67.6, 67.7, 74.2, 80.4, 70.2, 71.4, 49.9}},
        {"Shared task, 75 %",
         {57.6, 80.3, 48.1, 65.9, 45.4, 59.5, 68.3, 64.8, 38.1, 34.6, 51.4, 46.8, 74.0,
          75.4, 79.0, 81.1, 72.2, 71.4, 68.2, 73.6, 72.2, 80.8, 84.3, 75.8, 79.9, 52.5}},
        {"Shared task, best",
         {73.4, 88.0, 56.7, 72.7, 60.9, 70.3, 78.4, 84.3, 58.2, 40.4, 65.3, 53.1, 78.5,
          78.4, 83.4, 87.5, 79.2, 76.7, 73.9, 78.8, 77.2, 84.2, 87.1, 80.2, 82.8, 61.9}},
        {"paragram-phrase",
         {42.6, 74.5, 47.3, 70.6, 58.4, 58.7, 72.4, 67.7, 43.9, 39.2, 55.8, 48.7, 73.1,
          69.7, 78.5, 78.8, 76.4, 70.9, 68.3, 78.2, 76.2, 74.8, 81.4, 75.8, 71.6, 52.9}},
        {"projection",
         {43.7, 74.0, 49.4, 70.1, 62.8, 60.0, 72.6, 68.0, 46.8, 39.8, 56.8, 51.1, 72.2,
          70.8, 78.1, 79.5, 75.8, 71.3, 65.1, 77.8, 75.4, 75.2, 80.3, 74.8, 71.6, 52.8}},
        {"DAN", {40.3, 70.0, 43.8, 65.9, 60.0, 56.0, 71.2, 64.1, 43.1, 38.3, 54.2, 49.0, 71.7,
                 69.2, 76.9, 75.7, 74.2, 69.5, 62.6, 78.1, 72.0, 73.5, 77.5, 72.7, 70.7, 53.7}},
        {"RNN", {18.6, 66.5, 40.9, 63.1, 51.3, 48.1, 59.5, 54.6, 30.9, 33.8, 44.7, 41.5, 53.7,
                 57.5, 67.6, 67.7, 58.0, 57.7, 32.8, 64.7, 51.9, 65.3, 71.4, 57.2, 61.2, 45.1}},
        {"iRNN", {43.4, 73.4, 47.1, 70.1, 58.1, 58.4, 72.8, 69.4, 45.3, 39.4, 56.7, 49.0, 72.4,
                  70.2, 78.2, 78.8, 76.9, 70.9, 67.4, 78.2, 75.9, 75.1, 81.1, 75.6, 71.2, 52.9}},
        {"LSTM without output gate",
         {16.1, 71.3, 41.8, 65.2, 60.8, 51.0, 57.4, 68.5, 24.7, 30.1, 45.2, 44.2, 52.8,
          57.5, 68.5, 76.9, 58.7, 59.8, 51.9, 71.5, 61.7, 64.0, 70.4, 63.9, 63.9, 47.6}},
        {"LSTM with output gate",
         {9.3,  71.3, 44.3, 56.4, 51.0, 46.4, 48.5, 50.4, 38.4, 28.8, 41.5, 46.1, 39.1,
          50.9, 62.9, 61.7, 48.2, 51.5, 50.7, 55.7, 52.6, 56.6, 64.2, 56.0, 59.0, 36.1}},
        {"skip-thought",
         {16.8, 41.7, 35.2, 29.7, 30.8, 30.8, 34.6, 10.0, 30.4, 24.3, 24.8, 12.9, 23.5,
          37.8, 51.2, 23.3, 39.9, 31.4, 36.1, 33.0, 24.6, 43.6, 17.7, 31.0, 49.8, 24.7}},
        {"GloVe", {47.7, 63.9, 46.0, 55.1, 49.6, 52.5, 63.8, 49.0, 34.2, 22.3, 42.3, 27.1, 68.0,
                   59.5, 61.0, 58.4, 51.2, 54.2, 30.5, 63.0, 40.5, 61.8, 67.5, 52.7, 65.9, 30.3}},
        {"paragram-sl999",
         {41.6, 60.0, 42.4, 63.0, 57.0, 52.8, 68.8, 48.0, 37.9, 31.0, 46.4, 37.2, 67.0,
          65.3, 62.0, 61.1, 64.7, 59.5, 38.8, 69.2, 53.2, 69.0, 69.9, 60.0, 66.4, 36.3}},
    };
    return table;
}

PublishedTable wieting_xxl()
{
    PublishedTable table;
    table.title = "Wieting et al., table 4: paragram-phrase XXL";
    table.source = "Wieting, Bansal, Gimpel & Livescu 2016, ICLR, table 4";
    table.note = "Pearson's r x 100, as in table 2.";
    table.columns = {
        {"MSRpar '12", "STS12", "MSRpar.pearson", 0.01},
        {"MSRvid '12", "STS12", "MSRvid.pearson", 0.01},
        {"SMT-eur '12", "STS12", "SMTeuroparl.pearson", 0.01},
        {"OnWN '12", "STS12", "surprise.OnWN.pearson", 0.01},
        {"SMT-news '12", "STS12", "surprise.SMTnews.pearson", 0.01},
        {"STS12 mean", "STS12", "all.pearson.mean", 0.01},
        {"headline '13", "STS13", "headlines.pearson", 0.01},
        {"OnWN '13", "STS13", "OnWN.pearson", 0.01},
        {"FNWN '13", "STS13", "FNWN.pearson", 0.01},
        {"SMT '13", "", "", 0.01},
        {"STS13 mean", "", "", 0.01},
        {"deft forum '14", "STS14", "deft-forum.pearson", 0.01},
        {"deft news '14", "STS14", "deft-news.pearson", 0.01},
        {"headline '14", "STS14", "headlines.pearson", 0.01},
        {"images '14", "STS14", "images.pearson", 0.01},
        {"OnWN '14", "STS14", "OnWN.pearson", 0.01},
        {"tweet news '14", "STS14", "tweet-news.pearson", 0.01},
        {"STS14 mean", "STS14", "all.pearson.mean", 0.01},
        {"answers-forums '15", "STS15", "answers-forums.pearson", 0.01},
        {"answers-students '15", "STS15", "answers-students.pearson", 0.01},
        {"belief '15", "STS15", "belief.pearson", 0.01},
        {"headline '15", "STS15", "headlines.pearson", 0.01},
        {"images '15", "STS15", "images.pearson", 0.01},
        {"STS15 mean", "STS15", "all.pearson.mean", 0.01},
        {"2014 SICK", "SICKRelatednessUnsupervised", "pearson", 0.01},
        {"2015 Twitter", "", "", 0.01},
    };
    table.rows = {
        {"Shared task, median",
         {51.5, 75.5, 44.4, 60.8, 40.1, 54.5, 64.0, 52.8, 32.7, 31.8, 45.3, 36.6, 66.2,
          67.1, 75.6, 78.0, 64.7, 64.7, 61.3, 67.6, 67.7, 74.2, 80.4, 70.2, 71.4, 49.9}},
        {"Shared task, 75 %",
         {57.6, 80.3, 48.1, 65.9, 45.4, 59.5, 68.3, 64.8, 38.1, 34.6, 51.4, 46.8, 74.0,
          75.4, 79.0, 81.1, 72.2, 71.4, 68.2, 73.6, 72.2, 80.8, 84.3, 75.8, 79.9, 52.5}},
        {"Shared task, best",
         {73.4, 88.0, 56.7, 72.7, 60.9, 70.3, 78.4, 84.3, 58.2, 40.4, 65.3, 53.1, 78.5,
          78.4, 83.4, 87.5, 79.2, 76.7, 73.9, 78.8, 77.2, 84.2, 87.1, 80.2, 82.8, 61.9}},
        {"paragram-phrase XXL",
         {44.8, 79.6, 49.5, 70.4, 63.3, 61.5, 73.9, 73.8, 47.7, 40.4, 58.9, 53.4, 74.4,
          71.5, 80.4, 81.5, 77.4, 73.1, 69.1, 78.0, 78.2, 76.4, 83.4, 77.0, 72.7, 52.4}},
    };
    return table;
}

PublishedTable pitfalls()
{
    PublishedTable table;
    table.decimals = 2;
    table.title = "Pitfalls, table 2: normalisation on the STS Benchmark";
    table.source = "Eger, Rücklé & Gurevych 2019, Pitfalls in the Evaluation of Sentence "
                   "Embeddings, RepL4NLP, table 2";
    table.note =
        "Pearson's r of cosines, without and with z and l2 normalisation fitted on the whole set.";
    table.columns = {
        {"standard", "STSBenchmarkUnsupervised", "pearson", 1},
        {"normalised", "", "", 1},
    };
    table.rows = {
        {"GloVe, 300 dimensions", {0.41, 0.62}},
        {"Word2Vec, 300", {0.56, 0.65}},
        {"Word2Vec, 800", {0.56, 0.67}},
        {"InferSent, 4096", {0.67, 0.67}},
        {"SIF-GloVe, 300", {0.66, 0.67}},
        {"SIF-Word2Vec, 300", {0.67, 0.67}},
        {"USE, 512", {0.70, 0.70}},
        {"Sent2Vec, 700", {0.67, 0.71}},
        {"PMean, 3600", {0.64, 0.66}},
    };
    return table;
}

PublishedTable sts_2016()
{
    PublishedTable table;
    table.decimals = 3;
    table.title = "STS 2016: shared task";
    table.source = "Agirre et al. 2016, SemEval-2016 Task 1, section 6.4";
    table.note = "Pearson's r; over all pairs the mean over the subsets, weighted by pairs. The "
                 "best of 119 systems was the Samsung Poland NLP Team's EN1.";
    table.columns = {
        {"all", "STS16", "all.pearson.wmean", 1},
        {"postediting", "STS16", "postediting.pearson", 1},
    };
    table.rows = {
        {"Best of the shared task", {0.778, 0.835}},
        {"Best on postediting", {missing, 0.867}},
    };
    return table;
}

/// The rows that stand beside the report's own encoders; the others only in their tables.
PublishedTable with_references(PublishedTable table, std::initializer_list<std::string_view> names)
{
    for (auto& row : table.rows)
        row.reference = std::find(names.begin(), names.end(), row.name) != names.end();
    return table;
}

} // namespace

std::vector<PublishedTable> published_tables()
{
    return {
        with_references(senteval_transfer(),
                        {"GloVe LogReg", "InferSent", "Supervised, trained on each task"}),
        with_references(senteval_similarity(), {"GloVe BoW", "InferSent"}),
        with_references(wieting_models(),
                        {"Shared task, median", "Shared task, best", "paragram-phrase"}),
        with_references(wieting_xxl(), {"paragram-phrase XXL"}),
        with_references(pitfalls(), {"GloVe, 300 dimensions", "USE, 512"}),
        with_references(sts_2016(), {"Best of the shared task"}),
    };
}

} // namespace senteval::report
