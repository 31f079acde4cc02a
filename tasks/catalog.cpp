#include "tasks/catalog.hpp"

#include "base/error.hpp"
#include "base/system_error.hpp"
#include "tasks/catalog_rows.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/classification.hpp"
#include "tasks/protocols/relatedness.hpp"
#include "tasks/protocols/retrieval.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/readers.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

const std::string downstream = "downstream/";

/// CR, MR, SUBJ and MPQA: the file of class 1, then that of class 0.
Source classes_of(const std::string& folder, const ClassFile& class_1, const ClassFile& class_0)
{
    return binary_source({class_1.name, downstream + folder + "/" + class_1.file},
                         {class_0.name, downstream + folder + "/" + class_0.file});
}

/// SNLI's rules: the four-part features, at most 16 passes, no search for a penalty.
Protocol nli_protocol()
{
    ClassificationRules rules;
    rules.pair_form = learn::PairForm::concatenation;
    rules.regularised = false;
    rules.max_epoch = 15;
    rules.epoch_size = 1;
    return split_classification(rules);
}

Protocol mrpc_protocol()
{
    ClassificationRules rules;
    rules.f1 = "F1 of the paraphrases";
    return kfold_classification(rules);
}

/// A thousand classes: the original allows no hidden layer.
Protocol word_content_protocol()
{
    ClassificationRules rules;
    rules.linear = true;
    return split_classification(rules);
}

std::vector<Row> transfer_rows()
{
    const std::vector<std::string> transfer = {"transfer"};
    const std::string sick = downstream + "SICK";
    return {
        row("MR", transfer,
            classes_of("MR", {"positive", "rt-polarity.pos"}, {"negative", "rt-polarity.neg"}),
            inner_kfold_classification(), "acc"),
        row("CR", transfer,
            classes_of("CR", {"positive", "custrev.pos"}, {"negative", "custrev.neg"}),
            inner_kfold_classification(), "acc"),
        row("SUBJ", transfer,
            classes_of("SUBJ", {"objective", "subj.objective"}, {"subjective", "subj.subjective"}),
            inner_kfold_classification(), "acc"),
        row("MPQA", transfer,
            classes_of("MPQA", {"positive", "mpqa.pos"}, {"negative", "mpqa.neg"}),
            inner_kfold_classification(), "acc"),
        row("SST2", transfer, sst2_source(downstream + "SST/binary"), split_classification(),
            "acc"),
        row("SST5", transfer, sst5_source(downstream + "SST/fine"), split_classification(), "acc"),
        row("TREC", transfer, trec_source(downstream + "TREC"), kfold_classification(), "acc"),
        row("MRPC", transfer, mrpc_source(downstream + "MRPC"), mrpc_protocol(), "acc"),
        row("SICKEntailment", {"transfer", "nli"}, sick_entailment_source(sick),
            split_classification(), "acc", {"SICKE", "SICK"}),
        row("SNLI", {"transfer", "nli"},
            nli_source(downstream + "SNLI", text::Encoding::latin1, {"train", "dev", "test"}),
            nli_protocol(), "acc"),
        row("SICKRelatedness", {"transfer", "similarity", "learned"}, sick_relatedness_source(sick),
            relatedness_protocol({1, 5}), "pearson", {"SICKR", "SICK"}),
        row("STSBenchmark", {"transfer", "similarity", "learned"},
            sts_benchmark_source(downstream + "STS/STSBenchmark"), relatedness_protocol({0, 5}),
            "pearson", {"STSB", "STSBench"}),
    };
}

/// The labels of MultiNLI's own test sets are not public. Each development set is the test set of
/// one task and stops the training of the other.
Row multi_nli_row(const std::string& name,
                  const std::string& alias,
                  const std::string& dev,
                  const std::string& test)
{
    return row(name, {"nli", "MultiNLI"},
               nli_source(downstream + "MultiNLI", text::Encoding::utf8, {"train", dev, test}),
               nli_protocol(), "acc", {"MNLI", alias});
}

Row sts_row(const std::string& name,
            const std::vector<std::string>& subsets,
            const SimilarityFunction& similarity)
{
    return row(name, {"similarity", "sts"},
               sts_source(downstream + "STS/" + name + "-en-test", subsets),
               subset_similarity(subsets, similarity), "all.pearson.wmean");
}

Row sts16_row(const SimilarityFunction& similarity)
{
    Row row = sts_row(
        "STS16", {"answer-answer", "headlines", "plagiarism", "postediting", "question-question"},
        similarity);
    row.reference = "the best of the shared task's 119 systems had 0.778 (SemEval-2016 Task 1, "
                    "section 6.4; weighted mean of Pearson's r)";
    return row;
}

std::vector<Row> similarity_rows(const SimilarityFunction& similarity)
{
    return {
        sts_row("STS12", {"MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"},
                similarity),
        sts_row("STS13", {"FNWN", "headlines", "OnWN"}, similarity),
        sts_row("STS14", {"deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"},
                similarity),
        sts_row("STS15", {"answers-forums", "answers-students", "belief", "headlines", "images"},
                similarity),
        sts16_row(similarity),
        row("STSBenchmarkUnsupervised", {"similarity", "sts"},
            sts_benchmark_source(downstream + "STS/STSBenchmark"), split_similarity(similarity),
            "pearson", {"STSB", "STSBench", "STSBUnsupervised", "STSBenchUnsupervised"}),
        row("SICKRelatednessUnsupervised", {"similarity", "sts"},
            sick_relatedness_source(downstream + "SICK"), split_similarity(similarity), "pearson",
            {"SICKR", "SICKRUnsupervised", "SICK2014"}),
    };
}

/// The sets of Wieting et al. (2016) beside STS 2012-2015 and SICK, and STS 2016 across two
/// languages. In a group of their own: few people have their data.
std::vector<Row> paraphrase_rows(const SimilarityFunction& similarity)
{
    const std::vector<std::string> paraphrase = {"paraphrase"};
    Row spanish = sts_row("CrossLingualSTS16", {"news", "multisource"}, similarity);
    spanish.aliases = {"SpanishEnglish"};
    spanish.groups = paraphrase;
    spanish.source =
        sts_source(downstream + "STS/STS16-cross-lingual-test", {"news", "multisource"});
    return {
        row("Twitter15", paraphrase, twitter_similarity_source(downstream + "PIT2015"),
            split_similarity(similarity), "pearson", {"PIT2015"}),
        row("AnnotatedPPDB", paraphrase, annotated_ppdb_source(downstream + "AnnotatedPPDB"),
            split_similarity(similarity), "spearman"),
        row("PavlickPPDB", paraphrase, pavlick_source(downstream + "PavlickPPDB"),
            split_similarity(similarity), "spearman", {"JHUPPDB"}),
        std::move(spanish),
    };
}

/// The other names are the abbreviations of Conneau et al. (ACL 2018).
Row probing_row(const std::string& name,
                std::vector<std::string> aliases,
                const std::string& file,
                Protocol protocol = split_classification())
{
    return row(name, {"probing"}, probing_source("probing/" + file), std::move(protocol), "acc",
               std::move(aliases));
}

std::vector<Row> probing_rows()
{
    return {
        probing_row("Length", {"SentLen"}, "sentence_length.txt"),
        probing_row("WordContent", {"WC"}, "word_content.txt", word_content_protocol()),
        probing_row("Depth", {"TreeDepth"}, "tree_depth.txt"),
        probing_row("TopConstituents", {"TopConst"}, "top_constituents.txt"),
        probing_row("BigramShift", {"BShift"}, "bigram_shift.txt"),
        probing_row("Tense", {}, "past_present.txt"),
        probing_row("SubjNumber", {"SubjNum"}, "subj_number.txt"),
        probing_row("ObjNumber", {"ObjNum"}, "obj_number.txt"),
        probing_row("OddManOut", {"SOMO"}, "odd_man_out.txt"),
        probing_row("CoordinationInversion", {"CoordInv"}, "coordination_inversion.txt"),
    };
}

/// Data that is missing or damaged can be fetched.
std::function<Dataset(task::DataFolder&)> with_advice(const Row& row)
{
    return [read = row.source.read, name = row.name](task::DataFolder& data) {
        try {
            return read(data);
        } catch (const base::SystemError&) {
            throw; // other data is no remedy
        } catch (const base::Error& e) {
            throw base::Error("{} ('senteval data fetch {}' brings the published data, or says "
                              "where it is to be had)",
                              e.what(), name);
        }
    };
}

void add(task::Tasks& tasks, Row row)
{
    row.source.read = with_advice(row);
    tasks.push_back(make_task(row.name, std::move(row.groups), std::move(row.source),
                              std::move(row.protocol), row.headline, row.reference,
                              std::move(row.aliases)));
}

void add(task::Tasks& tasks, std::vector<Row> rows)
{
    for (Row& row : rows)
        add(tasks, std::move(row));
}

} // namespace

Row row(const std::string& name,
        std::vector<std::string> groups,
        Source source,
        Protocol protocol,
        const std::string& headline,
        std::vector<std::string> aliases)
{
    return {name,    std::move(aliases), std::move(groups), std::move(source), std::move(protocol),
            headline};
}

task::Tasks catalog(const SimilarityFunction& similarity)
{
    task::Tasks tasks;
    add(tasks, transfer_rows());
    add(tasks, multi_nli_row("MultiNLIMatched", "MNLIm", "dev.mismatched", "dev.matched"));
    add(tasks, multi_nli_row("MultiNLIMismatched", "MNLImm", "dev.matched", "dev.mismatched"));
    add(tasks, similarity_rows(similarity));
    add(tasks, paraphrase_rows(similarity));
    add(tasks, probing_rows());
    add(tasks, row("ImageCaptionRetrieval", {"retrieval"}, caption_source(downstream + "COCO"),
                   retrieval_protocol(), "image_to_text.r1", {"COCO"}));
    add(tasks, rows_after_mteb());
    return tasks;
}

} // namespace senteval::tasks
