#include "tasks/catalog_rows.hpp"
#include "tasks/protocols/mteb.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/mteb.hpp"

#include <utility>

namespace senteval::tasks {
namespace {

const Fields text_fields{"text", "", "label"};
const Fields pair_fields{"sentence1", "sentence2", "labels"};
const Fields cluster_fields{"sentences", "", "labels"};

Row row_of(const std::string& kind,
           const std::string& name,
           Source source,
           Protocol protocol,
           const std::string& headline)
{
    return row(name, {"mteb", kind}, std::move(source), std::move(protocol), headline,
               {"modern"}); // an older name of the group
}

Row few_shot_row(const std::string& name,
                 const std::string& folder,
                 const std::string& form = ".jsonl")
{
    return row_of("few-shot", name,
                  labelled_source(folder + "/train" + form, folder + "/test" + form, text_fields),
                  few_shot_protocol({}), "accuracy");
}

Row cluster_row(const std::string& name, const std::string& folder)
{
    return row_of("clustering", name,
                  drawn_cluster_source(folder + "/test.jsonl", cluster_fields, {}),
                  bootstrapped_clustering_protocol({}), "v_measure");
}

Row pair_row(const std::string& name, const std::string& file)
{
    return row_of("pair-threshold", name, pair_label_source(file, pair_fields),
                  pair_threshold_protocol(), "cosine_ap");
}

Row bitext_row(const std::string& name, const std::string& language)
{
    return row_of("bitext", name,
                  translation_source("tatoeba/" + language + "-eng/test.tsv", pair_fields),
                  bitext_protocol(), "f1");
}

Row search_row(const std::string& name, const std::string& folder)
{
    return row_of("search", name,
                  search_source({folder + "/corpus.jsonl", folder + "/queries.jsonl",
                                 folder + "/qrels/test.tsv", ""}),
                  search_protocol({}), "ndcg_at_10");
}

Row reranking_row(const std::string& name, Source source)
{
    SearchRules rules;
    rules.reranks = true;
    return row_of("reranking", name, std::move(source), search_protocol(rules), "map_at_1000");
}

Row raw_sts_row(const std::string& name, const std::string& folder)
{
    return row_of("sts-raw", name,
                  pair_score_source(folder + "/test.jsonl", {"sentence1", "sentence2", "score"}),
                  split_similarity(), "spearman");
}

} // namespace

std::vector<Row> rows_after_mteb()
{
    return {
        few_shot_row("CLINC150", "clinc150"),
        few_shot_row("SNIPS", "snips"),
        few_shot_row("AGNews", "agnews"),
        few_shot_row("TweetIrony", "tweet_irony", ".tsv"),
        row_of("multilabel", "GoEmotions",
               label_set_source("goemotions/train.jsonl", "goemotions/test.jsonl", text_fields),
               multilabel_protocol({}), "accuracy"),
        cluster_row("StackOverflowClustering", "stackoverflow"),
        cluster_row("CLINCClustering", "clinc_clustering"),
        row_of("clustering", "StackOverflowSets",
               cluster_sets_source("stackoverflow_sets/test.jsonl", cluster_fields),
               clustering_of_sets_protocol(), "v_measure"),
        pair_row("PARADE", "parade/test.jsonl"),
        pair_row("MRPCPairs", "mrpc_pairs/test.tsv"),
        raw_sts_row("STS12Raw", "sts12"),
        raw_sts_row("STS13Raw", "sts13"),
        raw_sts_row("STS14Raw", "sts14"),
        raw_sts_row("STS15Raw", "sts15"),
        raw_sts_row("STS16Raw", "sts16"),
        raw_sts_row("STSBenchmarkRaw", "stsb"),
        raw_sts_row("SICKRaw", "sick"),
        bitext_row("TatoebaGerman", "deu"),
        bitext_row("TatoebaFrench", "fra"),
        bitext_row("TatoebaRussian", "rus"),
        bitext_row("TatoebaArabic", "ara"),
        bitext_row("TatoebaChinese", "cmn"),
        bitext_row("TatoebaJapanese", "jpn"),
        bitext_row("TatoebaHindi", "hin"),
        search_row("ADI", "adi"),
        search_row("Cranfield", "cranfield"),
        search_row("Medline", "medline"),
        search_row("CISI", "cisi"),
        reranking_row("WikiQA",
                      search_source({"wikiqa/corpus.jsonl", "wikiqa/queries.jsonl",
                                     "wikiqa/qrels/test.tsv", "wikiqa/top_ranked/test.jsonl"})),
        reranking_row("TrecQA", candidate_lists_source("trecqa/test.jsonl")),
        row_of("summarization", "SummEvalOp", summary_source("summeval_op/test.jsonl"),
               summarization_protocol(), "cosine_spearman"),
    };
}

} // namespace senteval::tasks
