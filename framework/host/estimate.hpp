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
    std::string kind;         ///< fits of tasks of one kind take time in proportion to their size
    double size = 1;          ///< sentences, roughly
    std::vector<double> fits; ///< size of what is done with the vectors, of each cell
};

/// Seconds of the parts of a cell.
struct CellTime {
    double load = 0;    ///< data; 0 but for the first cell of an encoder and a task
    double prepare = 0; ///< likewise; the model, where it is the encoder's first cell
    double embed = 0;   ///< likewise
    double fit = 0;     ///< all that is done with the vectors
};

/// What the encoder at work has still to do.
struct TimeLeft {
    double seconds = 0;
    std::size_t cells = 0;
    bool is_whole = true;  ///< no other encoder follows
    bool is_rough = false; ///< some of it is of a kind that the encoder has not done yet
};

/// Follows a run through its pieces. Encoders differ a thousandfold, so that each is told about by its own
/// cells only, and nothing is told of those to come: vectors at the encoder's pace, fits at its pace on the
/// same task, else at that which the task took with an earlier encoder, as much slower or faster as this
/// one was on tasks that both have done, else at its pace on tasks of the same kind, or of any. Times are
/// seconds since the start of the run. Not thread-safe.
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

    /// Of the encoder at work; nothing where its pace is not known yet.
    [[nodiscard]] std::optional<TimeLeft> remaining(double now) const;

    /// How much of the cell at work is done, from 0 to 1; 0 where that is not known.
    [[nodiscard]] double share_of_cell(double now) const;

private:
    /// Mean seconds per unit of size.
    struct Pace {
        double seconds = 0;
        double size = 0;
        void add(double more_seconds, double more_size);
        [[nodiscard]] std::optional<double> operator()() const;
    };

    /// What an encoder's cells took.
    struct Measured {
        Pace embed;
        Pace fit;
        std::map<std::string, Pace> fit_by_kind;
        std::map<std::size_t, Pace> fit_by_task;
    };

    /// Of the cell at work.
    struct Rest {
        std::optional<double> embed;
        std::optional<double> fit;
    };

    [[nodiscard]] const UnitSize& unit() const { return units_[begun_ - 1]; }
    [[nodiscard]] double fit_size() const; ///< of the cell at work
    [[nodiscard]] std::optional<double> embed_time(const UnitSize& unit) const;
    [[nodiscard]] std::optional<double> fit_pace(const UnitSize& unit) const;
    [[nodiscard]] std::optional<double> pace_by_other(std::size_t task) const;
    [[nodiscard]] bool has_done_alike(const UnitSize& unit) const;
    [[nodiscard]] Rest rest(double now) const;
    void forget_phase(double now);

    std::vector<UnitSize> units_;
    std::size_t begun_ = 0;      ///< pieces, the one at work included
    std::size_t cells_left_ = 0; ///< of the piece at work
    bool embeds_ = false;        ///< the cell at work has vectors to make
    double cell_start_ = 0;

    // The phase at work:
    std::string phase_;
    double phase_start_ = 0;
    double share_ = 0;

    std::map<std::size_t, Measured> encoders_;
};

} // namespace senteval::host
