#include "run/options.hpp"

#include "base/choices.hpp"
#include "base/names.hpp"
#include "run/option_values.hpp"
#include "task/data_folder.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

using core::Value;

// The profiles are settings that publications used; section and figures: see framework/host/README.md.
void apply_profile(Config& config, const Value& value)
{
    static const std::array<std::pair<std::string_view, std::function<void(Config&)>>, 4> profiles{
        {{"default", [](Config&) {}},
         {"prototype",
          [](Config& c) {
              c.settings.kfold = 5;
              c.settings.classifier.optim = "rmsprop";
              c.settings.classifier.batch_size = 128;
              c.settings.classifier.tenacity = 3;
              c.settings.classifier.epoch_size = 2;
          }},
         {"sklearn", [](Config& c) { c.settings.classifier.classifier = "logreg-newton"; }},
         {"randsent", [](Config& c) {
              c.batch_size = 8;
              c.seeds = {10, 100, 1000, 10000, 100000};
          }}}};
    config.profile = value.string();
    config.settings = task::Settings();
    value.choice(profiles)(config);
}

void apply_seed(Config& config, const Value& value)
{
    config.seeds.clear();
    for (const Value& seed : value.list())
        config.seeds.push_back(static_cast<std::uint32_t>(
            integer_from(seed, 0, std::numeric_limits<std::uint32_t>::max())));
    if (config.seeds.empty())
        value.refuse("a seed, or a list of seeds");
    config.settings.first_seed = config.seeds.front();
    std::vector<std::uint32_t> sorted = config.seeds;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
        value.refuse("seeds that differ");
}

void apply_classifier(Config& config, const Value& value)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> names{
        {{"softmax", "softmax"},
         {"logreg", "softmax"}, // what the original calls logistic regression
         {"mlp", "mlp"},
         {"logreg-newton", "logreg-newton"},
         {"logreg-lbfgs", "logreg-newton"}}}; // scikit-learn's name: the same minimum
    config.classifiers.clear();
    for (const Value& one : value.list())
        config.classifiers.emplace_back(one.choice(names));
}

void apply_equal_dimension(Config& config, const Value& value)
{
    config.equal_dimensions.clear();
    for (const Value& one : value.list())
        add_distinct(config.equal_dimensions, count_from(one, 1));
    if (config.equal_dimensions.empty())
        value.refuse("a dimension, or a list of dimensions");
}

void apply_variants(Config& config, const Value& value)
{
    config.forms.clear();
    for (const Value& one : value.list()) {
        const auto variant = embedding::Variant::parse(
            one.is_integer() ? fmt::format("{}", one.integer()) : one.string());
        if (!variant)
            one.refuse(
                "a number of dimensions, float16, int8 or binary, or both as in 128:int8, with or "
                "without layer: before them");
        add_distinct(config.forms, *variant);
    }
    if (config.forms.empty())
        value.refuse("a variant, or a list of them");
}

void apply_chunks(Config& config, const Value& value)
{
    config.chunks.clear();
    for (const Value& one : value.list()) {
        const std::string text = one.is_integer() ? fmt::format("{}", one.integer()) : one.string();
        if (text == "whole")
            continue; // which is always there
        task::Chunks chunks;
        const char* const end = text.data() + text.size();
        auto read = std::from_chars(text.data(), end, chunks.size);
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == ':')
            read = std::from_chars(read.ptr + 1, end, chunks.overlap);
        if (read.ec != std::errc() || read.ptr != end || chunks.size <= chunks.overlap)
            one.refuse("WORDS or WORDS:OVERLAP, such as 64:16, or whole");
        add_distinct(config.chunks, chunks);
    }
}

void apply_depths(Config& config, const Value& value)
{
    config.depths.clear();
    for (const Value& one : value.list())
        add_distinct(config.depths, count_from(one, 1));
    std::ranges::sort(config.depths);
}

void apply_nhid(Config& config, const Value& value)
{
    config.settings.nhids.clear();
    for (const Value& one : value.list())
        add_distinct(config.settings.nhids, count_from(one, 0));
    if (config.settings.nhids.empty())
        value.refuse("a number of hidden units, or a list of them");
    config.settings.classifier.nhid = config.settings.nhids.front();
}

void apply_dropout(Config& config, const Value& value)
{
    config.settings.dropouts.clear();
    for (const Value& one : value.list()) {
        if (one.real() < 0 || one.real() >= 1)
            one.refuse("at least 0 and less than 1");
        add_distinct(config.settings.dropouts, one.real());
    }
    if (config.settings.dropouts.empty())
        value.refuse("a dropout, or a list of them");
    config.settings.classifier.dropout = config.settings.dropouts.front();
}

/// A row that stores what a name means at place(config).
template <typename Place, typename Choices>
auto set_choice(Place place, const Choices& choices)
{
    return [place, choices](Config& config, const Value& value) {
        place(config) = value.choice(choices);
    };
}

constexpr std::array<std::pair<std::string_view, Overwrite>, 3> overwrite_names{
    {{"always", Overwrite::always}, {"missing", Overwrite::missing}, {"never", Overwrite::never}}};

/// A row that stores a count.
template <typename Member>
auto set_count(Member member, std::int64_t low)
{
    return [member, low](Config& config, const Value& value) {
        config.settings.classifier.*member = count_from(value, low);
    };
}

std::vector<Option> make_options()
{
    using learn::Settings;
    return {
        {"profile",
         "run",
         "NAME",
         "settings of a publication: default, prototype, sklearn or randsent",
         apply_profile,
         {},
         {"default", "prototype", "sklearn", "randsent"}},
        {"data", "run", "DIR",
         "folder of the datasets, with downstream/ and probing/ in it (or SENTEVAL_DATA)",
         [](Config& c, const Value& v) { c.data = task::data_root(v.path()); }},
        {"mteb", "run", "FOLDER", "folder of one set or of several, laid out as by MTEB and BEIR",
         [](Config& c, const Value& v) { c.mteb = v.path(); }},
        {"as", "run", "NAME",
         "MTEB's name of the task in the folder of --mteb, whose keys it takes (default: by the "
         "folder's name)",
         [](Config& c, const Value& v) { c.mteb_as = v.string(); }},
        {"output",
         "run",
         "DIR",
         "result store (default: results)",
         [](Config& c, const Value& v) { c.output = v.path(); },
         "",
         {},
         "o"},
        {"tasks", "run", "TASKS", "tasks, groups and patterns, such as CR,TREC or 'STS*'",
         [](Config& c, const Value& v) { c.tasks = strings_from(v); }},
        {"seed", "run", "LIST", "seed of classifiers and folds, or several (default: 1111)",
         apply_seed},
        {"seeds", "run", "N", "number of seeds: those of --seed, then those after the largest",
         [](Config& c, const Value& v) {
             c.seed_count = static_cast<std::size_t>(integer_from(v, 1, 10000));
         }},
        {"resample_training", "run", "R",
         "train also on R random halves of each training part, the same for every encoder, to see "
         "what another training set would change",
         [](Config& c, const Value& v) {
             c.resamples = static_cast<std::size_t>(integer_from(v, 0, 10000));
         }},
        {"threads", "run", "N", "threads to use (default: all processors)",
         [](Config& c, const Value& v) {
             c.threads = static_cast<unsigned>(integer_from(v, 1, 4096));
         }},
        {"kernels",
         "run",
         "NAME",
         "instructions for the classifiers: auto (default), avx512, avx2 or portable; results are "
         "the same, to the bit",
         [](Config& c, const Value& v) { c.kernels = &kernels_from(v); },
         {},
         {"auto", "avx512", "avx2", "portable"}},
        {"encode_batch", "run", "N", "sentences per call of the encoder (default: 128)",
         [](Config& c, const Value& v) { c.batch_size = count_from(v, 1); }},
        {"prompts", "run", "",
         "put the prompts of MTEB's tasks before texts for encoders with a template "
         "('instruction'; default); --no-prompts: neither these nor those of a model's folder "
         "(prompt_name=none, unless it is set)",
         [](Config& c, const Value& v) { c.prompts = v.boolean(); }},
        {"similarity",
         "run",
         "NAME",
         "similarity for the unsupervised tasks: cosine, dot, euclidean or manhattan (default: "
         "cosine; for tasks after MTEB what the encoder states)",
         set_choice(
             [](Config & c) -> auto& { return c.settings.similarity; }, task::similarity_names),
         {},
         base::names_of(task::similarity_names)},
        {"normalise", "run", "LIST",
         "normalisation of the embeddings: none (default), centre, l2, z, z+l2; with several, "
         "similarity tasks show each, and supervised tasks choose by the dev score",
         [](Config& c, const Value& v) {
             c.normalisations = distinct_from(v, embedding::normalisation_names);
         },
         "normalize", base::names_of(embedding::normalisation_names)},
        {"equal_dimension", "run", "LIST",
         "show each encoder also at this dimension, or at these, where it has more",
         apply_equal_dimension},
        {"projection",
         "run",
         "LIST",
         "projection to an equal dimension: random (default), pca, or both",
         [](Config& c, const Value& v) {
             c.projections = distinct_from(v, embedding::projection_names);
         },
         {},
         base::names_of(embedding::projection_names)},
        {"variants", "run", "LIST",
         "show each encoder also with smaller vectors: the first N values, float16, int8, binary, "
         "or both, such as 256,128:int8,binary; layer:256 normalises the layer first",
         apply_variants},
        {"chunks", "run", "LIST",
         "show each encoder also with the documents of searches cut into windows of so many words, "
         "with an overlap: 64:16; a document counts as its best window",
         apply_chunks},
        {"limit", "run", "N",
         "use at most N items of each part of a task; results are marked as a smoke run",
         [](Config& c, const Value& v) { c.limit = count_from(v, 1); }},
        {"shard", "run", "K/N",
         "compute part K of N only, K from 0 on: for job arrays; 'senteval merge' joins the stores",
         [](Config& c, const Value& v) { c.shard = shard_from(v); }},
        {"overwrite",
         "run",
         "WHEN",
         "compute again what is stored: always; missing (as without the option): only where "
         "encoder, protocol or data have changed; never: keep it even then",
         set_choice(
             [](Config & c) -> auto& { return c.overwrite; }, overwrite_names),
         {},
         base::names_of(overwrite_names),
         {},
         "always"},
        {"cost", "run", "",
         "measure sentences per second and memory of each encoder first, once on each computer: "
         "'senteval compare --cost' shows them",
         [](Config& c, const Value& v) { c.cost = v.boolean(); }},
        {"isolate", "run", "",
         "run each encoder in a process of its own, so that a crash costs one task; --no-isolate: "
         "none (default: foreign encoders)",
         [](Config& c, const Value& v) { c.isolate = v.boolean(); }},
        {"limit_seconds", "run", "S",
         "end an encoder whose call takes longer (loading it is a call); implies --isolate",
         [](Config& c, const Value& v) { c.limits.call = milliseconds_from(v); }},
        {"limit_memory", "run", "SIZE",
         "memory that an encoder may allocate, such as 500M or 4G, at least 1M, most of which its "
         "process takes by itself; implies --isolate",
         [](Config& c, const Value& v) {
             constexpr std::uint64_t least = 1U << 20U;
             c.limits.memory = bytes_from(v);
             if (c.limits.memory < least)
                 v.refuse(
                     "at least 1M: an encoder's process takes .7 MiB before it has read anything");
         }},
        {"limit_files", "run", "N",
         "files that an encoder may have open, some for its connection; implies --isolate",
         [](Config& c, const Value& v) { c.limits.open_files = count_from(v, 16); }},
        {"cache", "run", "DIR", "keep embeddings in this folder and take them from there",
         [](Config& c, const Value& v) { c.cache = v.path(); }},
        {"cache_gib", "run", "N", "size limit of the cache, in GiB (default: 4)",
         [](Config& c, const Value& v) {
             c.cache_bytes = static_cast<std::uint64_t>(integer_from(v, 1, 1 << 20)) << 30U;
         }},
        {"spill", "run", "DIR",
         "keep a task's embeddings in a file in this folder, on a disk, in place of memory: for "
         "tasks whose embeddings do not fit",
         [](Config& c, const Value& v) { c.spill = v.path(); }},
        {"depth", "run", "LIST", "documents of each query that a reranker judges (100)",
         apply_depths},
        {"rankings", "run", "DIR",
         "write the rankings of each search into this folder, as TREC run files",
         [](Config& c, const Value& v) { c.rankings = v.path(); }},
        {"vectors", "run", "DIR",
         "write the vectors of each task's texts into this folder: NPY, and JSON lines of texts "
         "and labels",
         [](Config& c, const Value& v) { c.vectors = v.path(); }},

        {"classifier",
         "classifier",
         "LIST",
         "softmax (also called logreg; default of SentEval's tasks), mlp or logreg-newton (default "
         "of [[task]]); several are compared",
         apply_classifier,
         {},
         {"softmax", "mlp", "logreg-newton"}},
        {"nhid", "classifier", "LIST",
         "hidden units of the mlp (default: 0, or 50 with --classifier mlp); the dev score chooses "
         "from several (0: none), as it chooses the strength of L2",
         apply_nhid},
        {"dropout", "classifier", "LIST",
         "dropout before the mlp's activation, in [0, 1); the dev score chooses from several",
         apply_dropout},
        {"activation",
         "classifier",
         "NAME",
         "activation of the mlp: sigmoid (default), tanh or relu",
         set_choice(
             [](Config & c) -> auto& { return c.settings.classifier.activation; },
             learn::activation_names),
         {},
         base::names_of(learn::activation_names)},
        {"optim",
         "classifier",
         "SPEC",
         "optimiser, such as adam or sgd,lr=0.1 (default: adam)",
         // parsed here, so that a mistake is found before anything is computed
         [](Config& c, const Value& v) { c.settings.classifier.optim = optimiser_from(v); },
         {},
         {"adam", "adadelta", "adagrad", "adamax", "asgd", "rmsprop", "rprop"}},
        {"batch_size", "classifier", "N", "size of the classifier's minibatches (default: 64)",
         set_count(&Settings::batch_size, 1)},
        {"tenacity", "classifier", "N",
         "checks of the dev score without gain before the stop (default: 5)",
         set_count(&Settings::tenacity, 0)},
        {"epoch_size", "classifier", "N", "passes between two checks of the dev score (default: 4)",
         set_count(&Settings::epoch_size, 1)},
        {"max_epoch", "classifier", "N",
         "passes after which no further block begins (default: 200)",
         set_count(&Settings::max_epoch, 1)},
        {"loss_reduction",
         "classifier",
         "HOW",
         "loss of a minibatch: mean (default) or sum",
         set_choice(
             [](Config & c) -> auto& { return c.settings.classifier.loss_reduction; },
             learn::loss_reduction_names),
         {},
         base::names_of(learn::loss_reduction_names)},
        {"max_iterations", "classifier", "N", "limit of logreg-newton (default: 10000)",
         set_count(&Settings::max_iterations, 1)},
        {"kfold", "classifier", "N", "folds of the cross-validations (default: 10)",
         [](Config& c, const Value& v) { c.settings.kfold = count_from(v, 2); }},
    };
}

} // namespace

std::span<const Option> options()
{
    static const std::vector<Option> all = make_options();
    return all;
}

const Option* find_option(std::string_view section, std::string_view key)
{
    const auto all = options();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Option& option) {
        return option.section == section &&
               (option.key == key || (!key.empty() && option.alias == key));
    });
    return at == all.end() ? nullptr : &*at;
}

} // namespace senteval::run
