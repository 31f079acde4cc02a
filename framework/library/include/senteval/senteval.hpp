// senteval.hpp -- evaluates a sentence encoder from inside a C++ program, such as a training loop.
//
//     senteval::Encoder encoder;
//     encoder.name = "mine";
//     encoder.dimension = 300;
//     encoder.encode = [&](std::span<const std::string_view> sentences, std::span<float> vectors) {
//         for (std::size_t i = 0; i < sentences.size(); ++i)
//             model.embed(sentences[i], vectors.subspan(i * 300, 300));
//     };
//     const auto results = senteval::evaluate(encoder, {.data = "DATA", .tasks = {"STS14", "CR"}});
//     for (const senteval::Result& result : results.results)
//         std::cout << result.task << ": " << result.metric << ' ' << result.value << '\n';
//
// In CMake: find_package(SentEval) and link senteval::senteval. The same encoder gives the same scores
// as `senteval run` gives a plugin, to the last digit, on any number of threads.
//
// Nothing has to be set up or cleaned up, nothing is printed, and nothing is kept from one call to the
// next. Calls may overlap, each with an encoder of its own. While any runs, OpenBLAS (where the process
// has it) computes on one thread, as scores must not depend on the number of threads; afterwards it is
// as it was. Which kernels it computes with stays the program's choice: an OpenBLAS that is older than the
// processor falls back to those of 2004, several times slower (openblas_get_corename() says "Prescott";
// a stored result names them in run.blas). The evaluation's own loops do not need it; for a model that does,
// start the program with OPENBLAS_CORETYPE=SkylakeX (AVX-512) or Haswell (AVX2) in its environment.
#pragma once

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "senteval.hpp needs C++20 (-std=c++20)"
#endif

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define SENTEVAL_API __attribute__((visibility("default")))
#else
#define SENTEVAL_API
#endif

namespace senteval {

/// A mistake of the caller's: an unknown task or option (with the nearest known one), no data folder.
class SENTEVAL_API Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    Error(const Error&) = default;
    Error& operator=(const Error&) = default;
    Error(Error&&) = default;
    Error& operator=(Error&&) = default;
    ~Error() override;
};

/// Sentences are UTF-8, their tokens separated by one space; they live as long as the call does.
using Sentences = std::span<const std::string_view>;

/// The encoder to be evaluated. A std::exception of its functions fails the task at hand, and the next goes on.
struct Encoder {
    /// Its name in results.
    std::string name = "encoder";

    /// Version of the model, such as "epoch 3"; results of several versions stand side by side. Under one name and version
    /// an encoder is known by its vectors: `output` may have results of others, which stand beside, too.
    std::string version = "1";

    /// Length of a vector, at least 1; 0: `measure` tells.
    std::size_t dimension = 0;

    /// Writes sentences.size() x dimension floats, all finite, the vector of sentence i from
    /// i * dimension on.
    std::function<void(Sentences sentences, std::span<float> vectors)> encode;

    /// Shown every sentence of a task before its first is encoded. May be empty.
    std::function<void(std::string_view task, Sentences sentences)> prepare = {};

    /// The length of a vector where dimension is 0, asked after each prepare().
    std::function<std::size_t()> measure = {};

    /// Whether encode() may be called from several threads at once; otherwise it is called from the
    /// thread that called evaluate().
    bool concurrent = false;

    /// Whether a vector depends on its sentence only, not on the others in the call: each different
    /// sentence of a task is then encoded once.
    bool batch_invariant = false;

    /// Whether a vector may depend on the sentences that prepare() was shown.
    bool prepare_matters = true;
};

/// How near two vectors are; more is nearer.
using Similarity = std::function<double(std::span<const float> u, std::span<const float> v)>;

/// Settings of an evaluation.
struct Settings {
    /// The folder that has downstream/ and probing/ in it, in SentEval's layout.
    std::filesystem::path data;

    /// Names and groups, evaluated in this order: "CR", "STS14", "transfer".
    std::vector<std::string> tasks;

    /// Any other option of `senteval run`, by its name there: {{"classifier", "mlp"}, {"kfold", "5"},
    /// {"seed", "1,2,3"}, {"limit", "100"}}. Several seeds, classifiers, normalisations or dimensions
    /// give several results for a task. A member of Settings that is set counts, not the option of its
    /// name. `isolate` and the limits are of plugins and refused.
    std::vector<std::pair<std::string, std::string>> options = {};

    /// Similarity for the tasks that train nothing (STS12 and the like), in place of the option `similarity`; called
    /// from the thread that called evaluate(). A value that is not finite fails the task, as does an exception.
    Similarity similarity = {};

    /// Number of threads, the encoder's among them; 0: one for each processor. Scores do not depend on it.
    unsigned threads = 0;

    /// Most sentences that encode() gets at a time; at least 1 (the option encode_batch).
    std::size_t batch_size = 128;

    /// Result files go here as tasks finish, as `senteval run --output` writes them. Empty: nowhere.
    std::filesystem::path output = {};

    /// Compute on data that is known to be broken, too; the results say so.
    bool allow_unverified = false;

    /// Ends the evaluation between two batches or training passes; finished results are returned.
    std::stop_token stop = {};
};

/// The outcome of one test item.
struct Item {
    std::string group;     ///< subset of an STS task, outer fold; empty where there is one only
    double gold = 0;       ///< class by number, score, or 1 (a rank)
    double prediction = 0; ///< class by number, predicted score or similarity, or rank
    std::uint32_t tokens_first = 0;
    std::uint32_t tokens_second = 0; ///< of the other sentence of a pair; 0: there is none
};

/// One task under one choice of settings.
struct Result {
    std::string task;
    std::string metric; ///< the one that tables show: "acc", "all.pearson.wmean"
    double value = 0;   ///< of that metric: per cent, or a correlation; NaN where it is undefined
    double seconds = 0; ///< in all
    std::map<std::string, double> metrics; ///< all, by path; undefined ones are left out
    std::map<std::string, std::string>
        settings; ///< of the protocol: "seed", "classifier.nhid", ...
    std::vector<std::string>
        data_warnings;       ///< why this may not be the published dataset, or all of it
    std::vector<Item> items; ///< by group, and in it as in the data's files; those of a
                             ///< result that `output` had are read from there
    std::string document;    ///< all there is to know, as JSON (schema senteval-result)
};

struct Failure {
    std::string task;
    std::string why;
};

struct SENTEVAL_API Results {
    std::vector<Result> results; ///< in the order of the tasks
    std::vector<Failure> failures;
    bool stopped = false; ///< on request: tasks may be missing

    /// The first result of a task, written as in Settings::tasks. Throws Error where there is none, with the reason, and
    /// where there are several tasks of that name ("STS-B" may be two).
    [[nodiscard]] const Result& at(std::string_view task) const;
};

/// How far an evaluation is.
struct Progress {
    std::string_view task;
    std::string_view phase; ///< "embed" or "fit"; empty where a task begins
    std::size_t done = 0;   ///< of the phase: sentences, or training jobs
    std::size_t total = 0;
    std::size_t results_done = 0; ///< of all
    std::size_t results = 0;
};

/// Told what happens while it happens; each may be empty. What they throw comes out of evaluate().
struct Observer {
    std::function<void(const Result&)> finished = {};        ///< on the calling thread
    std::function<void(const Progress&)> progress = {};      ///< from any thread, one at a time
    std::function<void(std::string_view what)> warning = {}; ///< on the calling thread
};

/// Evaluates the encoder on every task. A task that fails is among the failures, and the others go
/// on. Throws Error where the settings are wrong, before anything is computed.
[[nodiscard]] SENTEVAL_API Results evaluate(const Encoder& encoder,
                                            const Settings& settings,
                                            const Observer& observer = {});

} // namespace senteval
