// scheduler.hpp -- which process of a run does which piece of it, and when.
//
// Pieces are handed out as processes become free, so that none waits while another has work left. A
// process keeps to the encoder that it has loaded, the dearest piece first; when there is nothing left
// of it, it helps with the encoder that has most work for each process at it. (The longest piece first is
// Graham's rule: the run takes at most a third longer than the best division, were costs known; R. L.
// Graham, "Bounds on Multiprocessing Timing Anomalies", 1969.)
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace senteval::team {

/// A piece of work as the scheduler sees it.
struct Piece {
    std::size_t encoder = 0;
    std::size_t vectors = 0; ///< pieces of one number need the same vectors
    double cost = 1;         ///< in any unit
};

/// Into how many pieces a run is cut, where it can be, so that no process waits long for the last ones:
/// see run/README.md, "How far it scales".
constexpr std::size_t pieces_for(std::size_t processes)
{
    return processes == 1 ? 1 : 4 * processes;
}

/// Not thread-safe.
class Scheduler {
public:
    Scheduler(std::vector<Piece> pieces, std::size_t processes);

    /// A piece for a process that is done with the one before. Nothing: see is_waiting().
    std::optional<std::size_t> next(std::size_t process);

    /// Whether a process that got nothing should ask again: pieces wait for vectors that another process
    /// makes.
    [[nodiscard]] bool is_waiting() const;

    /// The vectors of the piece that the process is at are where others find them, or will never be: other
    /// pieces need not wait.
    void vectors_ready(std::size_t process);

    /// The process stops before it is done: its piece is for others to do.
    void leave(std::size_t process);

    /// Whether other pieces need the vectors of this one.
    [[nodiscard]] bool shares_vectors(std::size_t piece) const;

private:
    enum class State { waiting, running, done };
    enum class Vectors { none, in_making, ready };

    [[nodiscard]] bool is_free(std::size_t piece) const;
    [[nodiscard]] std::optional<std::size_t> dearest_of(std::size_t encoder) const;
    [[nodiscard]] std::optional<std::size_t> neediest_encoder() const;

    std::vector<Piece> pieces_;
    std::vector<State> state_;                       ///< of each piece
    std::vector<Vectors> vectors_;                   ///< by their number
    std::vector<std::size_t> users_;                 ///< pieces that need them, by their number
    std::vector<std::optional<std::size_t>> at_;     ///< piece of each process
    std::vector<std::optional<std::size_t>> loaded_; ///< encoder of each process
    std::size_t encoders_ = 0;
};

} // namespace senteval::team
