// readers.hpp -- where the datasets of SentEval come from: their files, and how they are read.
//
// Files are named below the data folder. Text is UTF-8 unless said otherwise, columns are separated
// by TABs. All but nli_source sort by length (dataset.hpp, sort_by_length).
#pragma once

#include "task/data_folder.hpp"
#include "tasks/dataset.hpp"
#include "text/text_file.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace senteval::tasks {

struct Source {
    std::filesystem::path base;     ///< folder of the files; empty: the data folder
    std::vector<std::string> files; ///< below it
    /// Throws base::Error naming file, line and what to do. Leaves Dataset::name to its caller.
    std::function<Dataset(task::DataFolder&)> read;
    std::vector<std::string> accepted = {}; ///< names of data warnings that are meant so
    double tolerated_copies = 0;            ///< share of copies that is not warned of
    base::Json description = {};            ///< task::Info::description
};

/// A class of MR, CR, SUBJ or MPQA: one sentence per line, latin-1, lines in the wide sense of
/// text::LineEnds::unicode.
struct ClassFile {
    std::string name; ///< of the class
    std::string file;
};

/// Reads one tested part "all": the items of class 1, then those of class 0. Empty lines are empty
/// sentences.
Source binary_source(const ClassFile& class_1, const ClassFile& class_0);

/// The Stanford Sentiment Treebank with two classes: sentiment-{train,dev,test} of `folder`, lines
/// of a sentence and a label 0 or 1.
Source sst2_source(const std::string& folder);

/// Reads five classes from the same files, with lines of a label 0 to 4, a space, and the sentence.
Source sst5_source(const std::string& folder);

/// TREC's question types: train_5500.label and TREC_10.label of `folder`, latin-1, one question per
/// line: "COARSE:fine question". The coarse label is the class.
Source trec_source(const std::string& folder);

/// The Microsoft Research Paraphrase Corpus: msr_paraphrase_{train,test}.txt of `folder`, with a
/// header line; columns: label 0 or 1, two ids, two sentences.
Source mrpc_source(const std::string& folder);

/// Both read SICK_{train,trial,test_annotated}.txt of `folder`, with a header line; columns: id, two
/// sentences, score 1 to 5, label. The trial part is "dev".
Source sick_entailment_source(const std::string& folder);
Source sick_relatedness_source(const std::string& folder);

/// The STS Benchmark: sts-{train,dev,test}.csv of `folder`, no header; columns: genre, file, year,
/// id, score 0 to 5, two sentences, and perhaps notes, which are ignored.
Source sts_benchmark_source(const std::string& folder);

/// SemEval's yearly STS test sets. For each subset STS.input.<subset>.txt (two sentences, further
/// columns ignored) and STS.gs.<subset>.txt (a score 0 to 5 per line; pairs whose line is empty are
/// left out) of `folder`. One scored, tested part per subset, in the order given.
Source sts_source(const std::string& folder, const std::vector<std::string>& subsets);

/// Annotated-PPDB (Wieting et al. 2015): annotated-ppdb-{dev,test} of `folder`; columns: two phrases, a score
/// 1 to 5.
Source annotated_ppdb_source(const std::string& folder);

/// The pairs of PPDB that Pavlick et al. (2015) had people judge: JHUppdb of `folder`; columns: two
/// phrases, the mean of scores 1 to 5.
Source pavlick_source(const std::string& folder);

/// Paraphrase and Semantic Similarity in Twitter, SemEval 2015 Task 1 (Xu et al. 2015). Of `folder`: dev.data
/// (columns: number and name of the topic, two tweets, votes such as "(3, 2)"; the score is the share of the
/// yes), test.data (the same but for the votes) and test.label (label, score 0 to 1). All pairs are
/// scored, those that count as debatable for the binary task, too.
Source twitter_similarity_source(const std::string& folder);

/// SNLI and MultiNLI: premise, hypothesis and label in three files, line by line: s1.<ending>, s2.<ending> and
/// labels.<ending>, whose `endings` are those of train, dev and test. Labels are
/// entailment, neutral and contradiction, always in UTF-8. Lines end at newlines: the original also
/// ends them at U+0085, which occurs inside letters that were UTF-8 and shifts sentences against
/// labels; here, files of unequal length are an error. Sorted, as the original does when it loads
/// them, by the lengths of hypothesis and premise and the label's name.
Source nli_source(const std::string& folder,
                  text::Encoding encoding,
                  const std::array<std::string, 3>& endings);

/// Images, as feature vectors, and their captions. In `folder`, for each of train, valid ("dev") and test:
///   <part>.images.npy    float32, images x features (see npy.hpp)
///   <part>.captions.tsv  one caption per line: number of the image (a row of the array, from 0), TAB,
///                        caption; the captions of an image together, images in order
/// Captions are tokenised and end as they are to be encoded. samples/convert_coco.py writes this from
/// the pickles of the original. The first five captions of each image are kept, in file order, so that
/// caption i is of image i / 5, and sorted lexically, as the original does. An image that has fewer, is
/// left out or does not exist is an error.
Source caption_source(const std::string& folder);

/// The probing tasks of Conneau et al. 2018: one file; columns: tr, va or te; the label; perhaps
/// more; last the sentence. Classes are the training labels, sorted as strings; a label that only
/// dev or test has is an error.
Source probing_source(const std::string& file);

} // namespace senteval::tasks
