#include "team/makespan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

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
          loaded_(processes, load.size()),
          busy_since_(processes)
    {
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
            const auto at = at_work_.find(event.piece);
            if (event.what == What::joins)
                join(event);
            else if (event.what == What::has_vectors)
                fit(event);
            else if (at != at_work_.end() && at->second.ends == event.time)
                end(event);
            hand_out(event.time);
        }
        return result_;
    }

private:
    enum class What { has_vectors, joins, ends };
    struct Event {
        double time = 0;
        What what = What::ends;
        std::size_t process = 0;
        std::size_t piece = 0;
        friend bool operator>(const Event& a, const Event& b)
        {
            return std::tie(a.time, a.what, a.process) > std::tie(b.time, b.what, b.process);
        }
    };

    /// A piece whose fit has begun.
    struct Fit {
        double left = 0; ///< seconds of one process, at `since`
        double since = 0;
        double ends = 0; ///< with those that are at it
        std::vector<std::size_t> processes;
        std::size_t coming = 0; ///< that load its encoder to help
    };

    static std::vector<Piece> bare(const std::vector<TimedPiece>& pieces)
    {
        std::vector<Piece> all;
        for (const TimedPiece& piece : pieces) {
            all.push_back(piece.piece);
            all.back().unit = all.size() - 1;
        }
        return all;
    }

    /// Every process that has nothing to do asks, until one gets nothing: so would the others.
    void hand_out(double now)
    {
        while (!idle_.empty()) {
            const std::size_t process = idle_.back();
            const auto piece = scheduler_.next(process);
            const auto help = piece ? std::nullopt : to_help(now);
            if (!piece && !help)
                return;
            idle_.pop_back();
            busy_since_[process] = now;
            if (piece)
                begin(*piece, process, now);
            else
                turn_to(*help, process, now);
        }
    }

    /// Seconds to load what the piece needs.
    double load(std::size_t piece, std::size_t process)
    {
        const std::size_t encoder = scheduler_.piece(piece).encoder;
        return std::exchange(loaded_[process], encoder) == encoder ? 0 : load_[encoder];
    }

    void begin(std::size_t number, std::size_t process, double now)
    {
        const Piece& piece = scheduler_.piece(number);
        double ready = now + load(number, process);
        if (!has_vectors_[piece.vectors]) // else it waits no longer for those of others
            ready += pieces_[piece.unit].vectors;
        has_vectors_[piece.vectors] = true;
        ++result_.pieces;
        events_.push({ready, What::has_vectors, process, number});
    }

    void fit(const Event& event)
    {
        const Piece& piece = scheduler_.piece(event.piece);
        const TimedPiece& unit = pieces_[piece.unit];
        scheduler_.vectors_ready(event.process);
        const double seconds =
            unit.fit * static_cast<double>(piece.cells) / static_cast<double>(unit.piece.cells);
        at_work_[event.piece] = {seconds, event.time, 0, {}, 0};
        add(event.piece, event.process, event.time);
    }

    /// A process goes on with a piece; all that are at it end together.
    void add(std::size_t piece, std::size_t process, double now)
    {
        Fit& fit = at_work_.at(piece);
        const auto share = [&] { return static_cast<double>(fit.processes.size()); };
        fit.left -= (now - fit.since) * share();
        fit.since = now;
        fit.processes.push_back(process);
        fit.ends = now + fit.left / share();
        events_.push({fit.ends, What::ends, process, piece});
    }

    /// The open piece with most left for each process, where that is worth turning to.
    [[nodiscard]] std::optional<std::size_t> to_help(double now) const
    {
        double most = 1; // second
        std::optional<std::size_t> best;
        for (const auto& [piece, fit] : at_work_) {
            const std::size_t processes = fit.processes.size() + fit.coming;
            if (!scheduler_.is_open(piece) || processes >= scheduler_.piece(piece).fit_jobs)
                continue;
            const double left = (fit.ends - now) * static_cast<double>(fit.processes.size()) /
                                static_cast<double>(processes + 1);
            if (left > most) {
                most = left;
                best = piece;
            }
        }
        return best;
    }

    void turn_to(std::size_t piece, std::size_t process, double now)
    {
        ++at_work_.at(piece).coming;
        events_.push({now + load(piece, process), What::joins, process, piece});
    }

    void join(const Event& event)
    {
        const auto fit = at_work_.find(event.piece);
        if (fit == at_work_.end()) {
            rest(event.process, event.time); // it came too late
            return;
        }
        --fit->second.coming;
        add(event.piece, event.process, event.time);
    }

    void end(const Event& event)
    {
        for (const std::size_t process : at_work_.at(event.piece).processes)
            rest(process, event.time);
        at_work_.erase(event.piece);
        result_.seconds = event.time;
        result_.last = scheduler_.piece(event.piece);
    }

    void rest(std::size_t process, double now)
    {
        idle_.push_back(process);
        result_.busy += now - busy_since_[process];
    }

    const std::vector<TimedPiece>& pieces_;
    const std::vector<double>& load_;
    Scheduler scheduler_;
    std::vector<std::size_t> loaded_; ///< encoder of each process; their number: none
    std::vector<double> busy_since_;  ///< likewise
    std::vector<bool> has_vectors_;   ///< somebody has made them, or is about to
    std::vector<std::size_t> idle_;   ///< the last first
    std::map<std::size_t, Fit> at_work_;
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
