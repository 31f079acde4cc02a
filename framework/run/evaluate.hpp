// evaluate.hpp -- encoders on tasks: the one call behind `senteval run` and behind the library.
#pragma once

#include "encoder/cache.hpp"
#include "encoder/encoder.hpp"
#include "results/store.hpp"
#include "run/config.hpp"
#include "run/heard_warnings.hpp"
#include "run/work.hpp"
#include "task/task.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

/// An encoder that is made when the first cell needs it: a resumed run loads no model for nothing.
struct EncoderSource {
    encoder::Identity identity;
    encoder::Capabilities capabilities;
    std::function<std::unique_ptr<encoder::Encoder>()> create;
    bool states_identity = false; ///< `identity` is whole only in the encoder that has been made
    /// Whether a sentence stood in what the encoder was trained on; empty where that is not known.
    std::function<bool(std::string_view sentence)> was_trained_on = {};
    /// Warnings of the encoder for its results; may be null.
    std::shared_ptr<HeardWarnings> warnings = {};
};

/// Data warnings about what a task has just read; throws where nothing should be computed
/// on it.
using DataInspector =
    std::function<std::vector<std::string>(const task::Task& task, const task::DataFolder& data)>;

struct EvaluateOptions {
    std::filesystem::path data;
    unsigned threads = 1;                              ///< results do not depend on it
    const learn::Kernels* kernels = &learn::kernels(); ///< nor on these
    std::size_t batch_size = 128;
    std::size_t limit = 0; ///< items of each part of a task; 0: all of them
    Overwrite overwrite = Overwrite::missing;
    bool prompts = true; ///< see prompts_for()
    std::stop_token stop;
    const results::Store* store = nullptr;          ///< where cells go as they finish; may be none
    const encoder::EmbeddingCache* cache = nullptr; ///< may be none
    std::filesystem::path spill;    ///< folder for vectors in place of memory; empty: there is none
    std::filesystem::path vectors;  ///< folder for the vectors of texts, too; empty: none
    std::filesystem::path rankings; ///< folder for what searches find, too; empty: none
    /// Documents of each query whose ranking the store is to have; 0: it keeps usual_depth of what is computed anyway.
    std::size_t depth = 0;
    bool with_cost = false; ///< also how long a search takes, and how vectors lie in their space
    /// How long the sentence may be looked for that an encoder fails on.
    std::chrono::milliseconds search = std::chrono::seconds(10);

    DataInspector inspect_data; ///< asked once for each task, for its results to say; may be empty
};

/// Documents of each query that a ranking is kept of.
inline constexpr std::size_t usual_depth = 100;

/// Keeps what a search found in the store, and as a file of TREC where that is wanted.
void keep_rankings(const EvaluateOptions& options,
                   const results::Result& record,
                   const results::Rankings& rankings);

struct Failure {
    std::string encoder; ///< its label
    std::string task;
    std::string why;
    bool usage = false;    ///< the configuration is at fault
    std::size_t cells = 0; ///< that were to come and do not
};

/// Told what happens, on the calling thread except for progress(), which comes from any, one at a time.
/// A cell is one encoder on one task under one choice of settings. Each cell that a task starts with
/// ends as finished, kept or skipped, but for those that are left when it failed.
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    Observer(Observer&&) = delete;
    Observer& operator=(Observer&&) = delete;
    virtual ~Observer() = default;

    virtual void started(const std::string& /*encoder*/, const std::string& /*task*/, std::size_t)
    {
    }
    /// The next cell of the piece that was started; `record`: see new_record().
    virtual void computing(const results::Result& /*record*/) {}
    virtual void progress(std::string_view /*phase*/, std::size_t /*done*/, std::size_t /*total*/)
    {
    }
    virtual void finished(const results::Cell&) {
    } ///< also where storing it failed: failed() follows
    virtual void kept(const results::Cell&) {
    } ///< found in the store (see Store::find()), not computed
    virtual void skipped(const std::string& /*why*/) {} ///< the encoder has nothing to project
    virtual void warned_of_data(const std::string& /*task*/, const std::vector<std::string>&) {}
    virtual void warned(const std::string& /*what*/) {}
    virtual void failed(const Failure&) {}
};

/// Whether what the store has stays in the place of the cell that `record` (see new_record()) begins.
[[nodiscard]] bool
stays(const results::Cell& stored, Overwrite overwrite, const results::Result& record);

/// Runs pieces of work, of these encoders and tasks, until there are no more. An encoder stays loaded
/// while pieces of it follow each other. A task that fails is reported and the next piece goes on. Throws
/// base::Cancelled when a stop is requested; finished cells have been reported and stored by then.
void evaluate(std::span<const EncoderSource> encoders,
              std::span<const task::Task* const> tasks,
              const NextUnit& next,
              const EvaluateOptions& options,
              Observer& observer);

} // namespace senteval::run
