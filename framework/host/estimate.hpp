// estimate.hpp -- how long the rest of a run will take, by what it has taken so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// A task as far as its time can be told before it runs.
struct TaskSize {
    std::string kind;      ///< tasks of one kind take time in proportion to their size
    double size = 1;       ///< bytes of its data
    std::size_t cells = 1; ///< for each encoder
};

/// Seconds of the parts of a cell.
struct CellTime {
    double load = 0;    ///< data; 0 but for the first cell of an encoder and a task
    double prepare = 0; ///< likewise; the model, where it is the encoder's first cell
    double embed = 0;   ///< likewise
    double fit = 0;     ///< all that is done with the vectors
};

/// Follows a run through encoders and, for each, tasks. The time of what is left comes from cells
/// that are measured: vectors at the pace of the encoder, fits at that of the same task or of tasks
/// of the same kind, by size. Times are seconds since the start of the run. Not thread-safe.
class Estimate {
public:
    Estimate(std::size_t encoders, std::vector<TaskSize> tasks);

    /// The next encoder and task.
    void begin(double now);

    /// `done` of `total` steps of "embed" or "fit" of the cell at work.
    void progress(std::string_view phase, std::size_t done, std::size_t total, double now);

    /// The cell at work is finished.
    void measured(const CellTime& time, double now);

    /// One cell less: it was stored already or is not needed.
    void dropped(double now);

    /// Nothing more of the encoder and task at work: it failed.
    void given_up(double now);

    /// Seconds that are left; nothing where nothing is known yet.
    [[nodiscard]] std::optional<double> remaining(double now) const;

private:
    /// Mean seconds per unit of size.
    struct Pace {
        double seconds = 0;
        double size = 0;
        void add(double more_seconds, double more_size);
        [[nodiscard]] std::optional<double> operator()() const;
    };

    [[nodiscard]] std::optional<double> expected(std::size_t pair) const;
    [[nodiscard]] std::size_t task() const { return (begun_ - 1) % tasks_.size(); }
    [[nodiscard]] std::size_t encoder() const { return (begun_ - 1) / tasks_.size(); }
    [[nodiscard]] std::optional<double> embed_time(std::size_t encoder, std::size_t task) const;
    [[nodiscard]] std::optional<double> fit_time(std::size_t task) const;
    [[nodiscard]] std::optional<double> at_work(double now) const;
    void forget_phase(double now);

    std::vector<TaskSize> tasks_;
    std::size_t encoders_;
    std::size_t begun_ = 0;      ///< encoder-task pairs, the one at work included
    std::size_t cells_left_ = 0; ///< of the pair at work
    bool embeds_ = false;        ///< the cell at work has vectors to make
    double pair_start_ = 0;

    // The phase at work:
    std::string phase_;
    double phase_start_ = 0;
    double share_ = 0;

    std::map<std::size_t, Pace> embed_by_encoder_;
    std::map<std::size_t, Pace> fit_by_task_; ///< of size 1
    std::map<std::string, Pace> fit_by_kind_;
    Pace embed_;
    Pace fit_;
    Pace start_; ///< of encoders
};

} // namespace senteval::host
