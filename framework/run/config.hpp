// config.hpp -- everything a run was asked to do, from the command line and the run file.
#pragma once

#include "core/table.hpp"
#include "core/value.hpp"
#include "embedding/normalise.hpp"
#include "embedding/projection.hpp"
#include "embedding/variant.hpp"
#include "isolation/limits.hpp"
#include "learn/kernels.hpp"
#include "run/work.hpp"
#include "task/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::run {

/// An encoder as the user names it.
struct EncoderRequest {
    std::string name;           ///< "glove", "random:borep", "./libmine.so", "./libmine.so:second"
    std::filesystem::path base; ///< folder that a relative path starts from
    std::string label;          ///< empty: the encoder's short name
    std::vector<core::Value> settings; ///< parameters
    std::string where;                 ///< "--encoder", "compare.toml:7:1"
    bool reranks = false;              ///< it was given to --rerank
};

/// Treatment of results that the store already has.
enum class Overwrite {
    always,  ///< computed again and replaced
    missing, ///< kept where encoder, protocol and data are the same; the others are computed
    never    ///< kept whatever they were made from; only absent ones are computed
};

struct Option;

/// An option of the command line, or a key of a run file.
struct Given {
    const Option* option = nullptr;
    core::Value value;
    bool is_key = false;
};

struct Config {
    std::vector<Given> given; ///< that have been applied; none of a program's own settings

    std::filesystem::path data;
    std::filesystem::path output;
    std::vector<std::string> tasks;        ///< names and groups
    std::vector<core::Table> custom_tasks; ///< as the user describes them
    std::filesystem::path mteb;            ///< folder of sets that are tasks, too; empty: none
    std::string mteb_as;                   ///< name of MTEB's task that it is; empty: by its own
    std::vector<std::string> skipped_sets; ///< what lies there and is none: why
    std::vector<EncoderRequest> encoders;
    std::vector<EncoderRequest> rerankers;
    std::vector<std::string> fusions; ///< see run/stack.hpp
    std::vector<std::size_t> depths;  ///< of reranking, ascending; empty: 100

    std::string profile;     ///< the one that was applied; empty: none
    task::Settings settings; ///< but for the lists below
    std::vector<std::uint32_t> seeds = {task::default_seed};
    std::size_t seed_count = 0; ///< so many: those above, and on from the largest; 0: those above
    std::size_t resamples = 0;  ///< halves of the training part to learn from beside the whole
    std::vector<std::string> classifiers; ///< empty: settings.classifier.classifier
    std::vector<embedding::Normalisation> normalisations = {embedding::Normalisation::none};
    std::vector<std::size_t> equal_dimensions; ///< to which each encoder is brought as well
    std::vector<embedding::ProjectionKind> projections; ///< the ways there; empty: random
    std::vector<embedding::Variant>
        forms;                        ///< of the vectors, in which each encoder is shown as well
    std::vector<task::Chunks> chunks; ///< into which the documents of searches are cut as well

    Shard shard; ///< of the cells: which ones are computed here

    bool cost = false;     ///< what each encoder costs is measured first
    std::size_t limit = 0; ///< items of each part of a task; 0: all of them
    unsigned threads = 0;  ///< 0: all processors
    const learn::Kernels* kernels = &learn::kernels(); ///< of the classifiers
    std::size_t batch_size = 128;                      ///< sentences per call of the encoder
    Overwrite overwrite = Overwrite::missing;
    bool prompts = true; ///< of MTEB's tasks, for encoders that take instructions
    std::optional<bool>
        isolate;              ///< every encoder, or none, in a process of its own; else those that
                              ///< do not come with the program
    isolation::Limits limits; ///< of such an encoder: where there are any, every one is
    std::filesystem::path cache; ///< embedding cache; empty: none
    std::uint64_t cache_bytes = std::uint64_t{4} << 30U;
    std::filesystem::path spill;    ///< folder for vectors in place of memory; empty: there is none
    std::filesystem::path vectors;  ///< folder for the vectors of texts; empty: they are not kept
    std::filesystem::path rankings; ///< folder for what searches find; empty: it is not kept
};

/// One evaluation setting per combination of projection or variant, classifier, normalisation and seed;
/// embeddings as they are come first, and halves of the training part last: half r under the r-th seed,
/// from the first again where they are used up; one seed is counted on. Supervised tasks choose between
/// the normalisations themselves: for them all are one setting.
std::vector<task::Settings> variants(const Config& config);

} // namespace senteval::run
