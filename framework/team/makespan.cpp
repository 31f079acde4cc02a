#include "team/makespan.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <tuple>

namespace senteval::team {
namespace {

class Simulation {
public:
    Simulation(const std::vector<TimedPiece>& pieces,
               const std::vector<double>& load,
               std::size_t processes)
        : pieces_(pieces),
          load_(load),
          scheduler_(bare(pieces), processes),
          loaded_(processes, load.size())
    {
        result_.start.resize(pieces.size());
        result_.by.resize(pieces.size());
        std::size_t sets = 0;
        for (const TimedPiece& piece : pieces)
            sets = std::max(sets, piece.piece.vectors + 1);
        has_vectors_.resize(sets);
        for (std::size_t process = 0; process < processes; ++process)
            idle_.push_back(process);
    }

    Makespan run()
    {
        hand_out(0);
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.is_done) {
                idle_.push_front(event.process);
                result_.seconds = std::max(result_.seconds, event.time);
            } else {
                scheduler_.vectors_ready(event.process);
            }
            hand_out(event.time);
        }
        return result_;
    }

private:
    struct Event {
        double time = 0;
        bool is_done = false; ///< else its vectors are ready
        std::size_t process = 0;
        friend bool operator>(const Event& a, const Event& b)
        {
            return std::tie(a.time, a.is_done, a.process) > std::tie(b.time, b.is_done, b.process);
        }
    };

    static std::vector<Piece> bare(const std::vector<TimedPiece>& pieces)
    {
        std::vector<Piece> all;
        for (const TimedPiece& piece : pieces)
            all.push_back(piece.piece);
        return all;
    }

    /// Every process that has nothing to do asks, until one gets nothing: so would the others.
    void hand_out(double now)
    {
        while (!idle_.empty()) {
            const std::size_t process = idle_.front();
            const auto piece = scheduler_.next(process);
            if (!piece)
                return;
            idle_.pop_front();
            begin(*piece, process, now);
        }
    }

    void begin(std::size_t number, std::size_t process, double now)
    {
        const TimedPiece& piece = pieces_[number];
        const std::size_t encoder = piece.piece.encoder;
        double ready = now + (loaded_[process] == encoder ? 0 : load_[encoder]);
        loaded_[process] = encoder;
        if (!has_vectors_[piece.piece.vectors]) // else it waits no longer for those of others
            ready += piece.vectors;
        has_vectors_[piece.piece.vectors] = true;
        events_.push({ready, false, process});
        events_.push({ready + piece.fit, true, process});
        result_.busy += ready + piece.fit - now;
        result_.start[number] = now;
        result_.by[number] = process;
    }

    const std::vector<TimedPiece>& pieces_;
    const std::vector<double>& load_;
    Scheduler scheduler_;
    std::vector<std::size_t> loaded_; ///< encoder of each process; their number: none
    std::vector<bool> has_vectors_;   ///< somebody has made them, or is about to
    std::deque<std::size_t> idle_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    Makespan result_;
};

} // namespace

Makespan simulate(const std::vector<TimedPiece>& pieces,
                  const std::vector<double>& load,
                  std::size_t processes)
{
    return Simulation(pieces, load, processes).run();
}

} // namespace senteval::team
