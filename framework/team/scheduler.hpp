// scheduler.hpp -- which process of a run does which piece of it, and when.
//
// Pieces are handed out as processes become free, so that none waits while another has work left. A
// process keeps to the encoder that it has loaded, the dearest piece first; when there is nothing left
// of it, it helps with the encoder that has most work for each process at it. (The longest piece first is
// Graham's rule: the run takes at most a third longer than the best division, were costs known; R. L.
// Graham, "Bounds on Multiprocessing Timing Anomalies", 1969.) A piece that is dear beside what is left is
// divided when its turn comes: into its cells, and the folds of a single cell among all that are idle.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace senteval::team {

/// A piece of work as the scheduler sees it: cells of one unit of the run.
struct Piece {
    std::size_t encoder = 0;
    std::size_t vectors = 0; ///< pieces of one number need the same vectors
    double cost = 1;         ///< in any unit
    std::size_t unit = 0;
    std::size_t first = 0;    ///< of the unit's cells
    std::size_t cells = 1;    ///< from there on
    bool divisible = false;   ///< whether vectors that one process made serve another
    std::size_t fit_jobs = 1; ///< of a cell: processes that its fit can be divided among
};

/// Not thread-safe.
class Scheduler {
public:
    Scheduler(std::vector<Piece> pieces, std::size_t processes);

    /// A piece for a process that is done with the one before. Nothing: see is_waiting(). A piece that is
    /// divided leaves further ones behind, with numbers of their own.
    std::optional<std::size_t> next(std::size_t process);

    [[nodiscard]] const Piece& piece(std::size_t number) const { return pieces_[number]; }

    /// Whether a process that got nothing should ask again: pieces wait for vectors that another process
    /// makes, or one at work is open.
    [[nodiscard]] bool is_waiting() const;

    /// The vectors of the piece that the process is at are where others find them, or will never be: other
    /// pieces need not wait.
    void vectors_ready(std::size_t process);

    /// The process stops before it is done: its piece is for others to do.
    void leave(std::size_t process);

    /// Whether idle processes are to help with this piece, which is at work, once its vectors are ready.
    [[nodiscard]] bool is_open(std::size_t piece) const { return is_open_[piece]; }

    /// Whether other processes need the vectors of this piece.
    [[nodiscard]] bool shares_vectors(std::size_t piece) const;

private:
    enum class State { waiting, running, done };
    enum class Vectors { none, in_making, ready };

    [[nodiscard]] bool is_free(std::size_t piece) const;
    [[nodiscard]] bool is_dear(std::size_t piece) const;
    [[nodiscard]] std::optional<std::size_t> dearest_of(std::size_t encoder) const;
    [[nodiscard]] std::optional<std::size_t> neediest_encoder() const;
    void divide(std::size_t piece);

    std::vector<Piece> pieces_;
    std::vector<State> state_;                       ///< of each piece
    std::vector<bool> is_open_;                      ///< likewise
    std::vector<Vectors> vectors_;                   ///< by their number
    std::vector<std::size_t> users_;                 ///< pieces that need them, by their number
    std::vector<std::optional<std::size_t>> at_;     ///< piece of each process
    std::vector<std::optional<std::size_t>> loaded_; ///< encoder of each process
    std::size_t encoders_ = 0;
};

} // namespace senteval::team
