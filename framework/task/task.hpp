// task.hpp -- a task is a dataset reader plus an evaluation protocol. No concrete task lives here.
#pragma once

#include "encoder/session.hpp"
#include "learn/kernels.hpp"
#include "results/rankings.hpp"
#include "results/result.hpp"
#include "task/data_folder.hpp"
#include "task/result.hpp"
#include "task/settings.hpp"
#include "text/sentence.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::task {

/// Facts of a task that need none of its data.
struct Info : results::TaskRecord {
    std::vector<std::string> aliases; ///< what else users call it; '-', '_' and capitals aside
    std::vector<std::string> groups;  ///< of transfer, similarity, nli, probing, retrieval
    std::vector<std::string> files;   ///< below the data folder; all of them are needed
    std::string reference;            ///< published figures to read the headline by; empty: none
    std::filesystem::path base;       ///< folder of the files where it is not the data folder
};

/// Wall seconds by phase (load, prepare, embed, fit, score).
class PhaseClock {
public:
    /// Adds the time from now to the end of its life to a phase.
    class Scope {
    public:
        explicit Scope(double& seconds) : seconds_(seconds) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        Scope(Scope&&) = delete;
        Scope& operator=(Scope&&) = delete;
        ~Scope()
        {
            seconds_ +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        }

    private:
        double& seconds_;
        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    };

    [[nodiscard]] Scope phase(const std::string& name) { return Scope(seconds_[name]); }
    [[nodiscard]] const std::map<std::string, double>& seconds() const noexcept { return seconds_; }

private:
    std::map<std::string, double> seconds_;
};

/// The means of a running task.
struct Context {
    encoder::Session& session; ///< prepared with the task's samples
    const Settings& settings;
    unsigned threads = 1;
    std::stop_token stop; ///< poll it between jobs; throw base::Cancelled
    PhaseClock& clock;
    std::function<void(std::size_t done, std::size_t total)>
        progress; ///< jobs of the fit; may be empty
    const learn::Kernels* kernels = &learn::kernels();
    std::function<void(const results::Rankings&)> ranked =
        {}; ///< told what a search found; may be empty
};

/// The text of a test item: one sentence, or a pair.
struct ItemText {
    text::Sentence first;
    text::Sentence second;
    bool is_pair = false;
    /// The same number for items that are not independent of each other although their sentences
    /// differ: the captions of one image. Nothing: items are, unless they share a sentence.
    std::optional<std::uint32_t> source = std::nullopt;
};

/// The texts of a search. Item i of the task is query i.
struct Searched {
    std::span<const text::Sentence> queries;
    std::span<const text::Sentence> documents;
    std::span<const std::string> query_ids;
    std::span<const std::string> document_ids;
    std::span<const text::Sentence> indexed; ///< the documents, or their chunks
    bool has_candidates = false;             ///< of each query, which alone are ranked
};

/// A task whose data has been read and checked.
class LoadedTask {
public:
    LoadedTask() = default;
    LoadedTask(const LoadedTask&) = delete;
    LoadedTask& operator=(const LoadedTask&) = delete;
    LoadedTask(LoadedTask&&) = delete;
    LoadedTask& operator=(LoadedTask&&) = delete;
    virtual ~LoadedTask() = default;

    /// Every sentence that run() will embed, in the order the original shows them to prepare().
    [[nodiscard]] virtual std::span<const text::Sentence> samples() const = 0;

    /// Names and sizes of its parts: "queries 20, corpus 36".
    [[nodiscard]] virtual std::string sizes() const { return {}; }

    /// Test item `item` of an ItemOutcome.
    [[nodiscard]] virtual ItemText item(std::uint32_t item) const = 0;

    /// A document of the corpus that is searched; nothing where there is none.
    [[nodiscard]] virtual std::optional<text::Sentence> document(std::uint32_t) const { return {}; }

    /// Nothing where the task is no search.
    [[nodiscard]] virtual std::optional<Searched> searched() const { return {}; }

    /// Embeds through the context's session and evaluates. Const: may run for several encoders.
    [[nodiscard]] virtual Result run(Context& context) const = 0;

    /// The result of a search that was made elsewhere; null where the task is none. Throws base::UsageError for a
    /// document that is not there.
    [[nodiscard]] virtual std::optional<Result> judge(const results::Rankings&) const { return {}; }
};

class Task {
public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    Task(Task&&) = delete;
    Task& operator=(Task&&) = delete;
    virtual ~Task() = default;

    [[nodiscard]] virtual const Info& info() const = 0;

    /// Reads and checks the dataset. Throws base::Error with file, line and what to do.
    [[nodiscard]] virtual std::unique_ptr<LoadedTask> load(DataFolder& data) const = 0;

    /// The settings this task's numbers depend on, for the result file and the protocol hash.
    [[nodiscard]] virtual base::Json protocol_settings(const Settings& settings) const = 0;
};

/// All tasks of a run, by name, in catalogue order.
using Tasks = std::vector<std::unique_ptr<Task>>;

} // namespace senteval::task
