// evaluate.hpp -- an encoder on tasks: the one call behind `senteval run`, for programs too.
#pragma once

#include "encoder/cache.hpp"
#include "encoder/encoder.hpp"
#include "run/config.hpp"
#include "run/store.hpp"
#include "task/task.hpp"

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
    std::function<std::unique_ptr<encoder::Encoder>()> create;
};

struct EvaluateOptions {
    std::filesystem::path data;
    std::vector<task::Settings> variants = {task::Settings{}}; ///< each task under each of them
    unsigned threads = 1;                                      ///< results do not depend on it
    std::size_t batch_size = 128;
    Overwrite overwrite = Overwrite::always;
    std::stop_token stop;
    const Store* store = nullptr;                   ///< where cells go as they finish; may be none
    const encoder::EmbeddingCache* cache = nullptr; ///< may be none

    /// What is doubtful about a task's data, for its results to say; throws where nothing should be
    /// computed on it. May be empty. Asked once the data has been read without an error.
    std::function<std::vector<std::string>(const std::string& task)> inspect_data;
};

/// Told what happens, on the calling thread except for progress(), which comes from any, one at a time.
class Observer {
public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    Observer(Observer&&) = delete;
    Observer& operator=(Observer&&) = delete;
    virtual ~Observer() = default;

    virtual void started(const std::string& encoder, const std::string& task);
    virtual void progress(std::string_view phase, std::size_t done, std::size_t total);
    virtual void finished(const Cell& cell); ///< also where storing it failed: failed() follows
    virtual void kept(const Cell& cell);     ///< found in the store, not computed; has no items
    virtual void warned(const std::string& what);
    virtual void
    failed(const std::string& encoder, const std::string& task, const std::string& why);
};

/// Runs every task, in order. A task that fails is reported and the next one goes on. Throws
/// core::Cancelled when a stop is requested; finished cells have been reported and stored by then.
void evaluate(const EncoderSource& encoder,
              std::span<const task::Task* const> tasks,
              const EvaluateOptions& options,
              Observer& observer);

} // namespace senteval::run
