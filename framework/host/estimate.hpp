// estimate.hpp -- how long the rest of a run will take, by what it has taken so far.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// A piece of work, an encoder on a task, as far as its time can be told before it runs.
struct UnitSize {
    std::size_t encoder = 0;
    std::size_t task = 0;
    std::string kind; ///< tasks of one kind take time in proportion to their size
    double size = 1;  ///< bytes of the task's data
    std::size_t cells = 1;
};

/// Seconds of the parts of a cell.
struct CellTime {
    double load = 0;    ///< data; 0 but for the first cell of an encoder and a task
    double prepare = 0; ///< likewise; the model, where it is the encoder's first cell
    double embed = 0;   ///< likewise
    double fit = 0;     ///< all that is done with the vectors
};

/// Follows a run through its pieces. The time of what is left comes from cells
/// that are measured: vectors at the pace of the encoder, fits at that of the same task or of tasks
/// of the same kind, by size. Times are seconds since the start of the run. Not thread-safe.
class Estimate {
public:
    explicit Estimate(std::vector<UnitSize> units);

    /// The next piece.
    void begin(double now);

    /// `done` of `total` steps of "embed" or "fit" of the cell at work.
    void progress(std::string_view phase, std::size_t done, std::size_t total, double now);

    /// The cell at work is finished.
    void measured(const CellTime& time, double now);

    /// One cell less: it was stored already or is not needed.
    void dropped(double now);

    /// Nothing more of the piece at work: it failed.
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

    [[nodiscard]] const UnitSize& unit() const { return units_[begun_ - 1]; }
    [[nodiscard]] bool starts_encoder(std::size_t unit) const
    {
        return unit == 0 || units_[unit].encoder != units_[unit - 1].encoder;
    }
    [[nodiscard]] std::optional<double> expected(std::size_t unit) const;
    [[nodiscard]] std::optional<double> embed_time(const UnitSize& unit) const;
    [[nodiscard]] std::optional<double> fit_time(const UnitSize& unit) const;
    [[nodiscard]] std::optional<double> at_work(double now) const;
    void forget_phase(double now);

    std::vector<UnitSize> units_;
    std::size_t begun_ = 0;      ///< pieces, the one at work included
    std::size_t cells_left_ = 0; ///< of the piece at work
    bool embeds_ = false;        ///< the cell at work has vectors to make
    double unit_start_ = 0;

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
